"""One turn, from what was typed to what was stored."""

from chatmem.conversation.conversation import Conversation, Spending
from chatmem.conversation.conversations import Conversations
from chatmem.conversation.directory import Known, Listed, ModelDirectory, Origin, to_begin_with
from chatmem.conversation.events import (
    FellOver,
    MemoriesRecalled,
    ReasoningGrew,
    Refitted,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    Retrying,
    Timings,
    TurnEvent,
    TurnRecorded,
)
from chatmem.conversation.importing import Imported, Importer
from chatmem.conversation.parts import Limits, Parts
from chatmem.conversation.profiles import Profile, ProviderProfiles
from chatmem.conversation.working_memory import Gauge, Strategy

__all__ = [
    "Conversation",
    "Conversations",
    "FellOver",
    "Gauge",
    "Imported",
    "Importer",
    "Known",
    "Limits",
    "Listed",
    "MemoriesRecalled",
    "ModelDirectory",
    "Origin",
    "Parts",
    "Profile",
    "ProviderProfiles",
    "ReasoningGrew",
    "Refitted",
    "ReplyBegun",
    "ReplyEnded",
    "ReplyGrew",
    "Retrying",
    "Spending",
    "Strategy",
    "Timings",
    "TurnEvent",
    "TurnRecorded",
    "to_begin_with",
]
