"""One turn, from what was typed to what was stored."""

from chatmem.conversation.conversation import Conversation, Limits, Parts
from chatmem.conversation.conversations import Conversations
from chatmem.conversation.directory import Known, Listed, ModelDirectory, Origin
from chatmem.conversation.events import (
    MemoriesRecalled,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    Timings,
    TurnEvent,
    TurnRecorded,
)
from chatmem.conversation.importing import Imported, Importer
from chatmem.conversation.profiles import Profile, ProviderProfiles
from chatmem.conversation.working_memory import Gauge, Strategy

__all__ = [
    "Conversation",
    "Conversations",
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
    "ReplyBegun",
    "ReplyEnded",
    "ReplyGrew",
    "Strategy",
    "Timings",
    "TurnEvent",
    "TurnRecorded",
]
