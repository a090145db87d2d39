"""`chatmem bench personalisation`: how often an answer shows what was told earlier, with memory and without."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

from chatmem.bootstrap import Installation, Product, open_product
from chatmem.conversation import MemoriesRecalled, ReplyEnded
from chatmem.domain.errors import ProviderError
from chatmem.domain.text import normalised
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId, TurnStatus

IN_A_SESSION = 5
"""Details that are told in one earlier conversation."""

_Z = 1.959964
"""Of the normal distribution, for a share of 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """Something told once, and a question whose answer should show it.

    Attributes:
        told: The person's words.
        shown: Words of which one must stand in the answer; none of them stands in the question.
    """

    told: str
    question: str
    shown: tuple[str, ...]


DETAILS = tuple(
    Detail(told=told, question=f"{question} Answer in one or two sentences.", shown=shown)
    for told, question, shown in (
        ("I live in Porto, near the river.", "Which city do I live in, and what is it known for?", ("Porto",)),
        ("I'm allergic to peanuts.", "Suggest a snack, and say what I must not eat.", ("peanut", "peanuts")),
        ("My daughter is called Matilde and she is six.", "Wish my daughter a happy birthday, by name.", ("Matilde",)),
        ("I work as a nurse in Porto.", "Give me a tip for my job, and say what my job is.", ("nurse", "nursing")),
        ("I'm a vegetarian.", "Suggest a dinner that fits my diet, and name the diet.", ("vegetarian",)),
        ("My dog Biscuit is a beagle.", "Suggest a walk for my dog, and call it by its name.", ("Biscuit",)),
        ("I play the cello in an orchestra.", "Which instrument do I play, and what could I practise?", ("cello",)),
        ("I drive an old Saab 900.", "What should I check on my car before a trip? Name the car.", ("Saab",)),
        ("I'm learning Finnish in an evening class.", "A tip for the language that I learn? Name it.", ("Finnish",)),
        ("My favourite author is Ursula Le Guin.", "Who is my favourite author, and what did they write?", ("Guin",)),
        ("I'm flying to Osaka next month.", "What should I pack for my trip? Say where I fly.", ("Osaka",)),
        ("My brother Tomas is a baker in Lyon.", "What does my brother do for a living?", ("baker", "bakery")),
        ("I write everything in Emacs.", "A tip for my text editor, please. Name the editor.", ("Emacs",)),
        ("My sister Ines is getting married in May.", "Congratulate my sister on her wedding, by name.", ("Ines",)),
        ("Our wedding anniversary is on 12 September.", "When is our wedding anniversary?", ("September",)),
        ("I have supported FC Basel since I was a child.", "Which football club do I support?", ("Basel",)),
        ("I grow tomatoes on my balcony.", "What grows on my balcony, and what does it need?", ("tomato", "tomatoes")),
        ("I drink my coffee black.", "How do I take my coffee?", ("black",)),
        ("My best friend Yusuf lives in Ankara.", "Where does my best friend live?", ("Ankara",)),
        ("I'm saving up for a sailing boat.", "What am I saving up for?", ("sailing", "boat", "sailboat")),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What became of one question.

    Attributes:
        recalled: Whether the model was shown the detail.
        without: Whether the answer without memory shows it.
        with_memory: Whether the answer with memory does.
    """

    detail: Detail
    recalled: bool
    without: bool
    with_memory: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of several, with its 95 % interval.

    Source of the interval: Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """

    number: int
    of: int

    @property
    def value(self) -> float:
        """The share, [0, 1]."""
        return self.number / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Its bounds, [0, 1]."""
        spread = _Z**2 / self.of
        middle = (self.value + spread / 2) / (1 + spread)
        half = _Z * sqrt(self.value * (1 - self.value) / self.of + spread / 4 / self.of) / (1 + spread)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True, kw_only=True)
class Personalisation:
    """What a model made of what it was told earlier."""

    model: str
    asked: tuple[Asked, ...]

    @property
    def shares(self) -> dict[str, Share]:
        """How often the detail shows without memory and with it, and how often it was recalled."""
        of = len(self.asked)
        return {
            "without": Share(number=sum(one.without for one in self.asked), of=of),
            "with": Share(number=sum(one.with_memory for one in self.asked), of=of),
            "recalled": Share(number=sum(one.recalled for one in self.asked), of=of),
        }


def measure(
    installation: Installation, *, tell: Callable[[str], None], details: Sequence[Detail] = DETAILS
) -> Personalisation:
    """Have the details told, learned by the rules, and asked for, in a temporary profile.

    Args:
        installation: Settings and models are the person's own.
        tell: Is told of progress.
        details: What is told and asked.

    Raises:
        ProviderError: If there is no model, or it fails.
        ChatMemError: If the temporary profile could not be written.
    """
    with TemporaryDirectory() as folder:
        elsewhere = replace(installation, flags={**installation.flags, "data_dir": Path(folder)})
        with open_product(elsewhere, extractor="rules") as product:
            model = product.choice().name
            _told(product, details)
            asked = tuple(_asked(product, detail, tell) for detail in details)
    return Personalisation(model=model, asked=asked)


def shows(text: str, detail: Detail) -> bool:
    """Whether one of the words that make a detail stands in a text."""
    words = "|".join(re.escape(normalised(word)) for word in detail.shown)
    return re.search(rf"\b(?:{words})\b", normalised(text)) is not None


def _told(product: Product, details: Sequence[Detail]) -> None:
    """Have the details said in earlier conversations, and learn from these."""
    for first in range(0, len(details), IN_A_SESSION):
        session_id = SessionId(f"told-{first}")
        product.log.open_session(Session(id=session_id, title=f"Told {first}", started_at=product.clock.now()))
        for seq, detail in enumerate(details[first : first + IN_A_SESSION]):
            for role, text in ((Role.USER, detail.told), (Role.ASSISTANT, "I see.")):
                number = 2 * seq + (1 if role is Role.USER else 2)
                turn_id = TurnId(f"{session_id}-{number}")
                said_at = product.clock.now()
                product.log.append(
                    Turn(id=turn_id, session_id=session_id, seq=number, role=role, text=text, said_at=said_at)
                )
    product.prepare_recall()
    product.queue.enqueue_all()
    product.consolidator.run_queue(product.background.gate, lambda _: None)


def _asked(product: Product, detail: Detail, tell: Callable[[str], None]) -> Asked:
    without, _ = asyncio.run(_answer(product, detail, recall=False))
    with_memory, recalled = asyncio.run(_answer(product, detail, recall=True))
    asked = Asked(
        detail=detail, recalled=recalled, without=shows(without, detail), with_memory=shows(with_memory, detail)
    )
    marks = {True: "shows", False: "does not show"}
    tell(f"{detail.shown[0]}: {marks[asked.without]} without memory, {marks[asked.with_memory]} with it")
    return asked


async def _answer(product: Product, detail: Detail, *, recall: bool) -> tuple[str, bool]:
    """The answer in a conversation of its own, and whether the model was shown the detail."""
    conversation = product.conversations.begin(product.choice())
    recalled, reply = False, None
    async with aclosing(conversation.send(detail.question, recall=recall)) as events:
        async for event in events:
            match event:
                case MemoriesRecalled(items=items):
                    recalled = any(shows(item.text, detail) for item in items if item.injected)
                case ReplyEnded(turn=turn):
                    reply = turn
    if reply is None or reply.status is not TurnStatus.COMPLETE:
        raise ProviderError((reply and reply.error) or "The model did not answer.")
    return reply.text, recalled
