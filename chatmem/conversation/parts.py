"""What every conversation works with, and how a model's context is shared out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chatmem.conversation.screening import Screening
from chatmem.domain.model import ModelChoice, ModelFacts
from chatmem.domain.turn import SessionId, Turn
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.clock import Clock
from chatmem.ports.meter import Meter
from chatmem.ports.session_log import SessionLog
from chatmem.ports.token_counter import TokenCounter

if TYPE_CHECKING:
    from chatmem.recall.recall import Recall

REASONING_FACTOR = 8
"""How much longer the reply of a model that thinks may be: thinking counts as reply, and is most of it."""


RECALLED_HERE = 500
"""Tokens of recalled memories that the built-in model is shown at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a model's context is shared out, in tokens.

    Attributes:
        reply: Kept free for the reply.
        recalled: For recalled memories; less where the context is small.
        summary: For the running summary.
    """

    reply: int = 1024
    recalled: int = 1500
    summary: int = 600

    def of(self, choice: ModelChoice, facts: ModelFacts) -> "Limits":
        """The same, with a reply as long as the person set it for this model, or as a model that thinks needs it.

        For a model that runs on this machine less is recalled, as it reads a prompt slowly.
        """
        usual = self.reply * REASONING_FACTOR if facts.reasoning else self.reply
        recalled = min(self.recalled, RECALLED_HERE) if choice.builtin else self.recalled
        return replace(self, reply=choice.parameters.reply_tokens or usual, recalled=recalled)

    def within(self, context_tokens: int) -> "Limits":
        """The same, scaled down so that at least half of the context is left for the window."""
        scale = min(1.0, context_tokens / 2 / (self.reply + self.recalled + self.summary))
        return Limits(
            reply=int(self.reply * scale), recalled=int(self.recalled * scale), summary=int(self.summary * scale)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What every conversation works with.

    Attributes:
        screening: Takes secrets out of what is kept and sent.
        said: Called with each turn of the user's once it is recorded and before it is answered, from a worker thread;
            must not raise.
        ended: Called with the session after each turn, from a worker thread, to have it consolidated.
        recalls: Whether anything is recalled at all; not in an incognito conversation.
        answering: Told when a model begins to answer and when it has ended; must not block.
        chat_budget: What of today's budget for chat is used up for this model, in words (`$0.50`); empty while
            something is left, and for a model that costs nothing if only the money is used up. May block.
        background: The model that folds turns into the running summary; `None` to fold without one. May block.
        resolve: The model of a name that stands in the log. May block.
    """

    log: SessionLog
    recall: "Recall"
    chat_model: ChatModel
    counter: TokenCounter
    clock: Clock
    meter: Meter
    screening: Screening
    ended: Callable[[SessionId], object]
    said: Callable[[Turn], object] = lambda _: None
    recalls: bool = True
    answering: Callable[[bool], object] = lambda _: None
    limits: Limits = Limits()
    chat_budget: Callable[[ModelChoice], str] = lambda _: ""
    background: Callable[[], ModelChoice | None] = lambda: None
    resolve: Callable[[str], ModelChoice] = lambda name: ModelChoice(name=name, model=name)
