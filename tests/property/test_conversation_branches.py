"""Whatever a person does with a conversation, the model sees only what it may."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from chatmem.conversation import Strategy, TurnEvent
from chatmem.domain.errors import ChatMemError, PromptTooLongError, ProviderError
from chatmem.domain.model import ChatRequest
from chatmem.domain.turn import TurnId
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import Script, ScriptedChatModel
from tests.fakes.world import World

CONTEXTS = (500, 900, 4000)
DEEDS = ("send", "regenerate", "resend", "go_on", "follow", "switch", "fold", "compact")

deeds = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 30), st.integers(1, 400)), min_size=1, max_size=12)
endings = st.lists(st.sampled_from(["stop", "stop", "length", "away", "too long", "cut off"]), max_size=12)


class Life:
    """A conversation in which every turn begins with a word of its own, and a look at every prompt that is sent."""

    def __init__(self, ends: list[str]) -> None:
        self.names: Iterator[str] = (f"n{number}" for number in count())
        self.ends = iter(ends)
        self.world = World(Model(self))
        self.conversation = self.world.conversation(context=CONTEXTS[-1])

    async def do(self, deed: str, which: int, size: int) -> None:
        """Do one thing, or be refused."""
        conversation, log = self.conversation, self.world.log
        text = f"{next(self.names)} " + "word " * size
        turns = log.turns(conversation.session.id, every_branch=True) if conversation.session.turn_count else []
        turn_id = turns[which % len(turns)].id if turns else TurnId("none")
        with contextlib.suppress(ChatMemError):
            match deed:
                case "send":
                    await carry_out(conversation.send(text))
                case "regenerate":
                    await carry_out(conversation.regenerate(turn_id))
                case "resend":
                    await carry_out(conversation.resend(turn_id, text))
                case "go_on":
                    await carry_out(conversation.go_on())
                case "follow":
                    await conversation.follow(turn_id)
                case "switch":
                    conversation.choice = a_choice(context_tokens=CONTEXTS[which % len(CONTEXTS)])
                case "fold":
                    conversation.strategy = [*Strategy][which % 2]
                case _:
                    await conversation.compact()

    def look_at(self, request: ChatRequest) -> None:
        """Check a prompt."""
        words = [word for message in request.messages for word in message.text.split()]
        log, session_id = self.world.log, self.conversation.session.id
        here = {word for turn in log.turns(session_id) for word in turn.text.split()}
        everywhere = {word for turn in log.turns(session_id, every_branch=True) for word in turn.text.split()}

        assert request.messages[-1].role == "user"
        assert len(words) + request.max_reply_tokens <= (request.choice.context_tokens or 0)
        assert not (everywhere - here) & set(words)


class Model(ScriptedChatModel):
    """Answers at length, ends as it was told to, and shows each prompt of the chat to a `Life`."""

    def __init__(self, life: Life) -> None:
        super().__init__(always=lambda _: "")
        self._life = life

    def _next(self, request: ChatRequest) -> Script:
        if request.temperature is None:
            self._life.look_at(request)
        text = f"{next(self._life.names)} " + "reply " * 60
        match next(self._life.ends, "stop"):
            case "away":
                return Script(error=ProviderError("Away."))
            case "too long":
                return Script(error=PromptTooLongError("Too long."))
            case "cut off":
                return Script(text=text, error=ProviderError("The line was cut."))
            case reason:
                return Script(text=text, reason=reason)


async def carry_out(arriving: AsyncGenerator[TurnEvent, None]) -> None:
    async for _ in arriving:
        pass


@given(deeds=deeds, ends=endings)
def test_every_prompt_fits_shows_the_current_branch_alone_and_ends_with_the_user(
    deeds: list[tuple[str, int, int]], ends: list[str]
) -> None:
    async def live() -> None:
        life = Life(ends)
        await life.do("send", 0, 5)
        for deed in deeds:
            await life.do(*deed)

    asyncio.run(live())
