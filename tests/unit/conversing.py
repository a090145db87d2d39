"""Conversations in tests: carrying turns out, and chat models that do one thing."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from chatmem.conversation import Conversation, ReplyEnded, TurnEvent
from chatmem.domain.model import ChatRequest, ModelChoice, ModelFacts, ReplyPart
from tests.fakes.chat_model import ScriptedChatModel


async def all_of(arriving: AsyncGenerator[TurnEvent, None]) -> list[TurnEvent]:
    """Every event of a turn."""
    return [event async for event in arriving]


async def ended(arriving: AsyncGenerator[TurnEvent, None]) -> ReplyEnded:
    """How a turn ended."""
    *_, end = await all_of(arriving)
    assert isinstance(end, ReplyEnded)
    return end


async def say(conversation: Conversation, *texts: str) -> list[ReplyEnded]:
    """Say several things, one after the other."""
    return [await ended(conversation.send(text)) for text in texts]


def kinds(events: list[TurnEvent]) -> list[str]:
    """The names of events, each run of one kind once."""
    names = [type(event).__name__ for event in events]
    return [name for place, name in enumerate(names) if names[place - 1 : place] != [name]]


def shown(request: ChatRequest) -> list[str]:
    """What a model was shown of the conversation."""
    return [message.text for message in request.messages[1:]]


@dataclass
class PartsModel(ScriptedChatModel):
    """Answers with the parts it was given."""

    parts: tuple[ReplyPart, ...] = ()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ReplyPart, None]:
        """Yield the parts."""
        self.requests.append(request)
        for part in self.parts:
            yield part


@dataclass
class SightedModel(ScriptedChatModel):
    """Looks at images, unless it is asked as `blind`; of `unknown`, nothing is known."""

    def facts(self, choice: ModelChoice) -> ModelFacts:
        """What is known of a model."""
        return ModelFacts(vision={"blind": False, "unknown": None}.get(choice.name, True))
