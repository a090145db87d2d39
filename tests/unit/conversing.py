"""Conversations in tests: carrying turns out, and what came of them."""

from collections.abc import AsyncGenerator

from chatmem.conversation import Conversation, ReplyEnded, TurnEvent
from chatmem.domain.model import ChatRequest


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
