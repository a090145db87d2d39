"""Every screen, as a person comes to it: what is behind it, and the keys that lead there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from textual.widgets import Input, Static, TextArea
from textual.worker import Worker, WorkerCancelled

from chatmem.conversation import Origin, Profile
from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Quote, Relation, Sensitivity, Status, Wait
from chatmem.domain.model import KeyPlace, KeySource, ModelChoice, Usage
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ui.app import ChatMemApp
from chatmem.ui.widgets.prompt import PromptBox
from tests.fakes.builders import NOON, a_choice, a_fact, a_session, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.model_store import FakeModelStore
from tests.ui.driving import AppPilot
from tests.ui.services import FakeServices

SMALL, LARGE = (80, 24), (150, 45)
WIDEST = (200, 60)

QUESTION = "Rita invites me to a party. Which snacks should I avoid?"
ANSWER = (
    "Avoid everything with **peanuts**, as you are allergic:\n\n- satay sauce and peanut butter\n- mixed nuts\n\n"
    "Olives, cheese and grapes are safe.\n\n```python\nsafe = {'olives', 'cheese', 'grapes'}\n```\n\n"
    "```sh\necho bon appetit\n```"
)
SAID = (
    "Hi, I'm Ana. I live in Porto and I'm allergic to peanuts.",
    "My sister Rita plays the cello in Lisbon.",
    "Please always answer in short sentences.",
)


ASKING = frozenset({"attach", "dialog", "undo"})
"""Groups of workers that wait for the person's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A screen in some state.

    Attributes:
        behind: Makes what is behind the screen.
        keys: What is pressed, one after the other; `say:` and a text says it.
        choice: The model that was chosen; `None` at the first start.
    """

    behind: Callable[[], FakeServices]
    keys: tuple[str, ...] = ()
    choice: ModelChoice | None = None


def nothing_yet() -> FakeServices:
    """As it is right after the installation."""
    return FakeServices(model_store=_no_models())


def lived_in() -> FakeServices:
    """Three sessions, some memories, some that wait, and an answer that is to come."""
    services = FakeServices(
        chat_model=ScriptedChatModel.of(ANSWER),
        model_store=_no_models(),
        found={Origin.SERVER: [ModelChoice(name="ollama/llama3.2", model="ollama_chat/llama3.2")]},
        configured={"work": a_choice("work", context_tokens=32_768)},
        profiles=[
            Profile(
                name="work",
                choice=ModelChoice(
                    name="work", model="openai/gpt-oss-120b", key=KeySource(place=KeyPlace.ENVIRONMENT, name="WORK_KEY")
                ),
                fallback=None,
            )
        ],
    )
    _talk(services)
    services.remembers(*_known(), *_waiting())
    services.meter.count_blocked(["password", "password", "api_key"])
    services.meter.count_call("chat", "work", Usage(prompt_tokens=12_345, completion_tokens=678, cost_usd=0.31))
    services.meter.count_call("consolidation", "work", Usage(prompt_tokens=90, completion_tokens=12))
    services.clock.set(NOON + timedelta(days=100))
    return services


WORK = a_choice("work", context_tokens=32_768)
TALKED = (f"say:{QUESTION}",)
CODES = (*TALKED, "ctrl+up", "b")

STAGES: dict[str, Stage] = {
    "welcome": Stage(behind=nothing_yet),
    "chat-empty": Stage(behind=nothing_yet, choice=WORK),
    "chat": Stage(behind=lived_in, keys=TALKED, choice=WORK),
    "chat-turn": Stage(behind=lived_in, keys=(*TALKED, "ctrl+up"), choice=WORK),
    "chat-commands": Stage(behind=lived_in, keys=("slash",), choice=WORK),
    "chat-find": Stage(behind=lived_in, keys=(*TALKED, "ctrl+f", *"nuts"), choice=WORK),
    "chat-sessions": Stage(behind=lived_in, keys=("f3",), choice=WORK),
    "chat-recalled": Stage(behind=lived_in, keys=(*TALKED, "f4"), choice=WORK),
    "chat-paused": Stage(behind=lived_in, keys=("say:/pause",), choice=WORK),
    "palette": Stage(behind=lived_in, keys=("ctrl+p",), choice=WORK),
    "help": Stage(behind=lived_in, keys=("f1",), choice=WORK),
    "memory": Stage(behind=lived_in, keys=("f2",), choice=WORK),
    "memory-empty": Stage(behind=nothing_yet, keys=("f2",), choice=WORK),
    "memory-edit": Stage(behind=lived_in, keys=("f2", "e"), choice=WORK),
    "memory-forget": Stage(behind=lived_in, keys=("f2", "f"), choice=WORK),
    "review": Stage(behind=lived_in, keys=("f7",), choice=WORK),
    "review-empty": Stage(behind=nothing_yet, keys=("f7",), choice=WORK),
    "changes": Stage(behind=lived_in, keys=("f9",), choice=WORK),
    "changes-empty": Stage(behind=nothing_yet, keys=("f9",), choice=WORK),
    "undo": Stage(behind=lived_in, keys=("f9", "u"), choice=WORK),
    "health": Stage(behind=lived_in, keys=("say:/health",), choice=WORK),
    "health-empty": Stage(behind=nothing_yet, keys=("say:/health",), choice=WORK),
    "card": Stage(behind=lived_in, keys=("say:/card",), choice=WORK),
    "card-empty": Stage(behind=nothing_yet, keys=("say:/card",), choice=WORK),
    "why": Stage(behind=lived_in, keys=(*TALKED, "say:/why"), choice=WORK),
    "context": Stage(behind=lived_in, keys=(*TALKED, "say:/context"), choice=WORK),
    "search": Stage(behind=lived_in, keys=("f6", *"allergic"), choice=WORK),
    "export": Stage(behind=lived_in, keys=(*TALKED, "ctrl+s"), choice=WORK),
    "attach": Stage(behind=lived_in, keys=("f8",), choice=WORK),
    "code": Stage(behind=lived_in, keys=CODES, choice=WORK),
    "models": Stage(behind=lived_in, keys=("f5",), choice=WORK),
    "providers": Stage(behind=lived_in, keys=("say:/providers",), choice=WORK),
    "profiles": Stage(behind=lived_in, keys=("say:/profiles",), choice=WORK),
    "profile-new": Stage(behind=lived_in, keys=("say:/profiles", "n"), choice=WORK),
    "provider-form": Stage(behind=lived_in, keys=("say:/providers", "enter"), choice=WORK),
}


@asynccontextmanager
async def on_stage(stage: Stage, size: tuple[int, int], theme: str = "chatmem-dark") -> AsyncIterator[AppPilot]:
    """Bring the app to a screen, where nothing goes on and no cursor blinks."""
    app = ChatMemApp(stage.behind(), stage.choice, theme=theme)
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        for key in stage.keys:
            if key.startswith("say:"):
                # Not letter by letter: that takes longer than all the rest.
                app.screen_stack[0].query_one(PromptBox).write(key.removeprefix("say:"))
                await pilot.press("enter")
            else:
                await pilot.press(key)
            await quiet(pilot)
        for screen in app.screen_stack:
            for field in screen.query("Input, TextArea"):
                assert isinstance(field, Input | TextArea)
                field.cursor_blink = False
                field._pause_blink(visible=field.has_focus)  # so that it is seen, wherever in its blinking it was
        await quiet(pilot)
        yield pilot


async def quiet(pilot: AppPilot) -> None:
    """Wait until nothing is being read, and no worker runs but those that wait for the person's answer in a dialog."""
    async with asyncio.timeout(10):
        await pilot.pause()
        while (busy := _busy(pilot)) or _is_reading(pilot):
            with suppress(WorkerCancelled):
                await pilot.app.workers.wait_for_complete(busy)
            await pilot.pause()


def _busy(pilot: AppPilot) -> list[Worker[object]]:
    return [one for one in pilot.app.workers if one.group not in ASKING and not one.is_finished]


def _is_reading(pilot: AppPilot) -> bool:
    """Whether a screen that was just opened has not begun to read, so that no worker tells of it yet."""
    return any(str(static.content) == "Reading…" for static in pilot.app.screen.query(Static))


def _no_models() -> FakeModelStore:
    return FakeModelStore(Path("never-made"))


def _talk(services: FakeServices) -> None:
    for number, text in enumerate(SAID, start=1):
        services.log.open_session(a_session(number, title=text[:60], model="work"))
        session_id = SessionId(f"s{number}")
        for seq, (role, words) in enumerate(((Role.USER, text), (Role.ASSISTANT, "Noted.")), start=1):
            turn = a_turn(
                seq,
                words,
                id=TurnId(f"s{number}t{seq}"),
                session_id=session_id,
                role=role,
                said_at=NOON + timedelta(days=number, minutes=seq),
            )
            services.log.append(turn)
            services.turns.put([turn], services.embedder.embed([words]))


def _id(text: str) -> MemoryId:
    return MemoryId(text.replace(" ", "-"))


def _memory(text: str, session: int, quote: str, *, day: int = 1, **changes: object) -> Memory:
    at = NOON + timedelta(days=day)
    said = Quote(session_id=SessionId(f"s{session}"), turn_id=TurnId(f"s{session}t1"), text=quote, said_at=at)
    times = {"created_at": at, "updated_at": at, "valid_from": at}
    return a_fact(text, **({"id": _id(text), "quotes": (said,)} | times | changes))


def _known() -> tuple[Memory, ...]:
    return (
        _memory("The user is called Ana.", 1, "I'm Ana", pinned=True),
        _memory("The user lives in Porto.", 1, "I live in Porto", slot="home"),
        _memory("The user is allergic to peanuts.", 1, "I'm allergic to peanuts", importance=0.9),
        _memory("Rita, the user's sister, plays the cello in Lisbon.", 2, "My sister Rita plays the cello", day=2),
        _memory("Answer in short sentences.", 3, "always answer in short sentences", day=95, kind=Kind.PROCEDURE),
        _memory("The user finished the blue boat.", 3, "answer", day=96, kind=Kind.EPISODE, status=Status.RETIRED),
    )


def _waiting() -> tuple[Memory, ...]:
    against = (Link(to=_id("The user lives in Porto."), relation=Relation.CONTRADICTS),)
    return (
        _memory(
            "Ana lives in Lisbon.",
            2,
            "in Lisbon",
            status=Status.PENDING,
            waits_for=Wait.CONFLICT,
            links=against,
            day=97,
        ),
        _memory(
            "Rita has diabetes.",
            2,
            "My sister Rita",
            status=Status.PENDING,
            waits_for=Wait.CONSENT,
            sensitivity=Sensitivity.MEDICAL,
            day=98,
        ),
        _memory("Ana may buy a boat.", 3, "short", status=Status.PENDING, waits_for=Wait.CONFIDENCE, day=99),
    )
