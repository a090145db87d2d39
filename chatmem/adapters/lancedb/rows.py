"""The tables' columns, and how memories and turns become rows."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec

from chatmem.adapters.lancedb.words import indexable
from chatmem.domain.memory import Memory
from chatmem.domain.turn import Turn, indexed_text
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, object]

_unpack = msgspec.msgpack.Decoder(Memory).decode


def memory_schema(dimension: int) -> "pa.Schema":
    """Columns of the memories: the fields of `Memory`, and what is searched."""
    import pyarrow as pa

    text, time = pa.string(), pa.timestamp("us", "UTC")
    quote = pa.struct([("session_id", text), ("turn_id", text), ("text", text), ("said_at", time)])
    happening = pa.struct(
        [("situation", text), ("actions", text), ("outcome", text), ("why", text), ("sentiment", pa.float64())]
    )
    practice = pa.struct(
        [("trigger", text), ("steps", pa.list_(text)), ("successes", pa.int64()), ("failures", pa.int64())]
    )
    return pa.schema(
        [
            pa.field("id", text, nullable=False),
            ("kind", text),
            ("text", text),
            ("extractor", text),
            ("created_at", time),
            ("updated_at", time),
            ("valid_from", time),
            ("quotes", pa.list_(quote)),
            ("subject", text),
            ("slot", text),
            ("event_date", text),
            ("status", text),
            ("importance", pa.float64()),
            ("confidence", pa.float64()),
            ("pinned", pa.bool_()),
            ("model", text),
            ("prompt_version", text),
            ("valid_to", time),
            ("superseded_by", text),
            ("waits_for", text),
            ("sensitivity", text),
            ("expires_at", time),
            ("links", pa.list_(pa.struct([("to", text), ("relation", text), ("reason", text)]))),
            ("tags", pa.list_(text)),
            ("doubt", text),
            ("happening", happening),
            ("practice", practice),
            ("imported_from", text),
            ("words", text),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def turn_schema(dimension: int) -> "pa.Schema":
    """Columns of the turns."""
    import pyarrow as pa

    text, time = pa.string(), pa.timestamp("us", "UTC")
    return pa.schema(
        [
            pa.field("id", text, nullable=False),
            ("session_id", text),
            ("role", text),
            ("said_at", time),
            ("text", text),
            ("words", text),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def memory_row(memory: Memory, vector: Vector | None) -> Row:
    """A memory as a row."""
    values = {name: _storable(value) for name, value in asdict(memory).items()}
    return values | {"words": indexable(memory.text), "vector": None if vector is None else list(vector)}


def turn_row(turn: Turn, vector: Vector | None) -> Row:
    """A turn as a row."""
    return {
        "id": turn.id,
        "session_id": turn.session_id,
        "role": turn.role,
        "said_at": turn.said_at,
        "text": storable(turn.text),
        "words": indexable(indexed_text(turn)),
        "vector": None if vector is None else list(vector),
    }


def memory_of(row: Mapping[str, Any]) -> Memory:
    """The memory that a row holds."""
    return msgspec.convert(row, Memory)


def unpacked(record: bytes) -> Memory:
    """The memory whose columns were packed (MessagePack)."""
    return _unpack(record)


def storable(text: str) -> str:
    """The text with lone surrogates, which cannot be written as UTF-8, replaced."""
    return text.encode("utf-8", "replace").decode()


def _storable(value: object) -> object:
    match value:
        case str():
            return storable(value)
        case dict():
            return {key: _storable(item) for key, item in value.items()}
        case list() | tuple():
            return [_storable(item) for item in value]
        case _:
            return value
