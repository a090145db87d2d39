"""Assembling the prompt: what is stable first, so that the provider's prompt cache hits; what was recalled last."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from chatmem.conversation.attachments import worded
from chatmem.conversation.working_memory import Window
from chatmem.domain.model import Image, PromptMessage
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.text import clean
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.prompts import prompt


class Label(StrEnum):
    """What a piece of a prompt is, in the order in which they stand."""

    SYSTEM = "system"
    PROCEDURES = "procedures"
    SUMMARY = "summary"
    WINDOW = "window"
    """An earlier turn of the conversation, word for word."""

    RECALLED = "recalled"
    TURN = "turn"
    """The new turn."""

    GO_ON = "go_on"
    """What asks for a reply to be continued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a prompt; neighbours of one role make one message."""

    label: Label
    message: PromptMessage


def pieces(
    window: Window,
    *,
    recalled: Sequence[Recalled],
    summary: str,
    today: datetime,
    images: Mapping[TurnId, tuple[Image, ...]] = MappingProxyType({}),
) -> tuple[Piece, ...]:
    """The prompt for the newest turn of the window; where that is a reply, for going on with it.

    Order: system, standing instructions, summary, window, recalled memories, the new turn.

    Args:
        window: The turns.
        recalled: What recall found; shown where it was injected.
        summary: The running summary; empty for none.
        today: The present.
        images: Of the turns whose images are shown.
    """
    injected = [item for item in recalled if item.injected]
    stable = [_piece(Label.SYSTEM, "system", prompt("system").fill(today=f"{today:%A}, {day(today)}"))]
    if procedures := [item for item in injected if item.source is Source.PROCEDURE]:
        told = "\n".join(f"- {one_line(p.text)}" for p in procedures)
        stable.append(_piece(Label.PROCEDURES, "system", f"How the user wants things done:\n{told}"))
    if summary:
        stable.append(_piece(Label.SUMMARY, "system", "Earlier in this conversation:\n" + summary))
    said = [
        Piece(
            label=Label.WINDOW,
            message=PromptMessage(role=role_of(turn), text=text, images=images.get(turn.id, ())),
        )
        for turn in window.kept
        if (text := worded(turn, images))
    ]
    if said and said[-1].message.role == "assistant":
        return (*stable, *said, _piece(Label.GO_ON, "user", prompt("go_on").text))
    newest = [replace(piece, label=Label.TURN) for piece in said[-1:]]
    items = [memory_line(item) for item in injected if item.source is not Source.PROCEDURE]
    notes = [_piece(Label.RECALLED, "user", prompt("memory").fill(items="\n".join(items)))] if items else []
    return (*stable, *said[:-1], *notes, *newest)


def assembled(parts: Iterable[Piece]) -> tuple[PromptMessage, ...]:
    """The prompt that pieces make."""
    return tuple(merged(piece.message for piece in parts))


def _piece(label: Label, role: str, text: str) -> Piece:
    return Piece(label=label, message=PromptMessage(role=role, text=text))


def merged(messages: Iterable[PromptMessage]) -> Iterator[PromptMessage]:
    """Join neighbours of one role, which some providers refuse; they come from answers that failed."""
    for _, run in groupby(messages, key=lambda message: message.role):
        first, *others = run
        yield _joined(first, *others) if others else first


def _joined(*messages: PromptMessage) -> PromptMessage:
    return PromptMessage(
        role=messages[0].role,
        text="\n\n".join(message.text for message in messages),
        images=tuple(image for message in messages for image in message.images),
    )


def memory_line(item: Recalled) -> str:
    """One recalled item as the model reads it.

    Angle brackets become lookalikes, so that no remembered text can close the memory part and speak outside it.
    """
    text = one_line(item.text).replace("<", "‹").replace(">", "›")  # noqa: RUF001 lookalikes are the point
    date = day(item.said_at) + (f", of {item.event_date}" if item.event_date else "")
    match item.source:
        case Source.TURN:
            return f'- On {date}, earlier, {item.speaker or "the user"} said: "{text}"'
        case Source.SUMMARY:
            return f'- An earlier conversation, which ended on {date}, in short: "{text}"'
        case Source.REMOTE:
            return f'- From a shared store of notes, as of {date}: "{text}"'
        case Source.EPISODE:
            return f'- What happened, as the user told it on {date}: "{text}"'
        case _:
            until = f", and it held until {day(item.valid_to)}" if item.valid_to else ""
            return f'- The user told you on {date}{until}: "{text}"'


def day(moment: datetime) -> str:
    """A date as people write it, `4 March 2026`."""
    return f"{moment.day} {moment:%B %Y}"


def one_line(text: str) -> str:
    """A text without line breaks, and without what no model should get: it may be older than the rule."""
    return " ".join(clean(text).split())


def role_of(turn: Turn) -> str:
    """The prompt's role for a turn."""
    return "assistant" if turn.role is Role.ASSISTANT else "user"
