"""What the transcript says around the words of a turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from chatmem.conversation import FellOver, Refitted, Retrying, TurnRecorded
from chatmem.domain.model import Usage
from chatmem.domain.policy import told
from chatmem.domain.turn import Attachment, Role, Turn, TurnStatus
from chatmem.ui.wording import clock_time, counted, money, size

SHOWN_CHARACTERS = 4_000
SHOWN_LINES = 60
"""Of a user's turn; a paste of a megabyte is not drawn in full."""

KEPT = " What had arrived is kept."
LET_THROUGH = "Select this turn with Ctrl+Up, then l lets the model see it for once."
GO_ON = " Ctrl+Up, then n continues it."

FILTERED = {"content_filter", "safety", "refusal"}
"""Words by which providers say that their filter ended an answer."""

CUT = "length"
CONTINUABLE = {TurnStatus.STOPPED, TurnStatus.FAILED, TurnStatus.INTERRUPTED}


@dataclass(frozen=True, slots=True)
class Place:
    """Which of its alternatives a turn is, counted from 1."""

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        """The second of three, in angles; empty where there is no other."""
        return f"‹ {self.number}/{self.of} ›" if self.of > 1 else ""  # noqa: RUF001 the marks point to both sides


def can_go_on(turn: Turn) -> bool:
    """Whether a reply was cut, and the model could continue it."""
    return turn.role is Role.ASSISTANT and bool(turn.text) and (turn.status in CONTINUABLE or turn.finish_reason == CUT)


def mark(turn: Turn) -> str:
    """How a reply ended, where it did not end well."""
    return _end(turn) + (GO_ON if can_go_on(turn) else "")


def _end(turn: Turn) -> str:
    match turn.status:
        case TurnStatus.STOPPED:
            return "Stopped by you." + KEPT
        case TurnStatus.FAILED:
            return f"Failed: {turn.error or 'the provider gave no reason.'}" + (KEPT if turn.text else "")
        case TurnStatus.INTERRUPTED:
            return "Interrupted: chatmem ended while this answer was arriving." + KEPT
        case TurnStatus.COMPLETE if turn.finish_reason == CUT:
            return "Cut off: the answer reached the limit of its length."
        case TurnStatus.COMPLETE if turn.finish_reason in FILTERED:
            return "Ended by the provider's content filter."
        case _:
            return ""


def user_header(turn: Turn, place: Place) -> Content:
    """Who said it and when."""
    return _joined([(turn.speaker or "You", ""), (clock_time(turn.said_at), ""), (str(place), "$accent")])


def reply_header(turn: Turn, place: Place, recalled: int, usage: Usage | None) -> Content:
    """Who answered and when, on what it rests, and what it took; the least important stands last, where it is cut."""
    who = "Tool" if turn.role is Role.TOOL else turn.model or "Assistant"
    return _joined(
        [
            (who, "$primary"),
            (clock_time(turn.said_at), ""),
            (str(place), "$accent"),
            (f"{counted(recalled, 'memory', 'memories')} recalled" if recalled else "", "$accent"),
            (consumed(usage) if usage else "", ""),
        ]
    )


def consumed(usage: Usage) -> str:
    """Tokens of prompt and reply, and what they cost: `1,240 + 310 tokens · $0.0042`; empty where unknown."""
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    known = usage.prompt_tokens or usage.completion_tokens
    return " · ".join(
        part for part in (tokens if known else "", money(usage.cost_usd) if usage.cost_usd else "") if part
    )


def chips(attachments: Sequence[Attachment]) -> str:
    """The images of a turn, in a line."""
    return "  ".join(f"▣ {attachment.name} ({size(attachment.size)})" for attachment in attachments)


def recorded(event: TurnRecorded) -> str:
    """What to know of a turn of the person's as it is kept and sent; empty as a rule."""
    cut = counted(event.cut_tokens, "token")
    return "\n".join(
        (
            *(
                (f"taken out before it was kept or sent: {told(event.removed)}. {LET_THROUGH}",)
                if event.removed
                else ()
            ),
            *((f"too long for this model: {cut} at its end stay out",) if event.cut_tokens else ()),
        )
    )


def asking_again(event: Retrying, seconds: int) -> str:
    """That the model is asked again, and when."""
    when = f"asking again in {seconds} s" if seconds > 0 else "asking again"
    return f"{event.error.rstrip('. ')}… {when} ({event.attempt} of {event.attempts}) · Esc stops"


def fell_over(before: str, event: FellOver) -> str:
    """That another model answers."""
    return f"{before} failed: {event.error.rstrip('. ')}; {event.choice.name} answers instead"


def refitted(event: Refitted) -> str:
    """What the model no longer sees."""
    fate = (
        "folded into the summary" if event.summarised else "left out, and only recalled where they bear on your words"
    )
    verb = "fits" if event.left_out == 1 else "fit"
    return f"{counted(event.left_out, 'earlier turn')} no longer {verb} this model: {fate}"


def beginning(text: str) -> str:
    """As much of a user's words as is drawn."""
    lines = text.split("\n", SHOWN_LINES)
    shown = "\n".join(lines[:SHOWN_LINES])[:SHOWN_CHARACTERS]
    hidden = len(text) - len(shown)
    return shown if hidden <= 0 else f"{shown}\n… and {size(hidden)} more"


def _joined(parts: Sequence[tuple[str, str]]) -> Content:
    return Content(" · ").join([Content.styled(text, style) for text, style in parts if text])
