"""What can be asked of a turn: one table for its keys, the hint line, the command palette and the help."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from chatmem.domain.turn import Role
from chatmem.ui.widgets.turn_words import can_go_on
from chatmem.ui.widgets.turns import ReplyTurn, TurnBox, UserTurn


class Wish(StrEnum):
    """What the person may ask of a turn."""

    AGAIN = "again"
    OTHER_MODEL = "other_model"
    EDIT = "edit"
    COPY = "copy"
    COPY_CODE = "copy_code"
    QUOTE = "quote"
    GO_ON = "go_on"
    PREVIOUS = "previous"
    NEXT = "next"
    THOUGHTS = "thoughts"
    WHY = "why"
    LET_THROUGH = "let_through"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAction:
    """How a wish is told and asked for.

    Attributes:
        label: In the hint line of a selected turn, behind the key; empty where another one's tells it too.
        title: In the command palette.
        meaning: In the command palette.
        told: In the help, where the title does not do.
        applies: Whether it can be asked of a turn.
        missing: What to say where no turn is such.
    """

    wish: Wish
    key: str
    shown_key: str
    label: str
    title: str
    meaning: str
    applies: Callable[[TurnBox], bool]
    missing: str
    told: str = ""


def _answered(box: TurnBox) -> bool:
    return box.turn.role is Role.ASSISTANT and not box.arriving


def _has_code(box: TurnBox) -> bool:
    return "```" in box.words or "~~~" in box.words


ACTIONS = (
    TurnAction(
        wish=Wish.AGAIN,
        key="r",
        shown_key="r",
        label="again",
        title="Regenerate the answer",
        told="regenerate the answer; both stay, side by side",
        meaning="Ask again; the answer before stays beside the new one",
        applies=_answered,
        missing="There is no answer to regenerate yet.",
    ),
    TurnAction(
        wish=Wish.OTHER_MODEL,
        key="m",
        shown_key="m",
        label="model",
        title="Regenerate with another model",
        meaning="Pick a model for this one answer; both answers stay side by side",
        applies=_answered,
        missing="There is no answer to regenerate yet.",
    ),
    TurnAction(
        wish=Wish.EDIT,
        key="e",
        shown_key="e",
        label="edit",
        title="Edit and send again",
        told="edit what you said and send it again, as a branch",
        meaning="Your turn comes into the prompt; sending it branches off, and nothing is lost",
        applies=lambda box: box.turn.role is Role.USER,
        missing="There is no turn of yours to edit yet.",
    ),
    TurnAction(
        wish=Wish.COPY,
        key="c",
        shown_key="c",
        label="copy",
        title="Copy the turn",
        meaning="To the clipboard, as Markdown",
        applies=lambda box: bool(box.words),
        missing="There is no turn to copy yet.",
    ),
    TurnAction(
        wish=Wish.COPY_CODE,
        key="b",
        shown_key="b",
        label="code",
        title="Copy a code block",
        told="copy a code block; of several you pick one",
        meaning="The only one at once; of several you pick one",
        applies=_has_code,
        missing="There is no code block here.",
    ),
    TurnAction(
        wish=Wish.QUOTE,
        key="q",
        shown_key="q",
        label="quote",
        title="Quote the turn",
        told="quote the turn, or what the mouse has marked of it",
        meaning="Into the prompt; where the mouse has marked something, only that",
        applies=lambda box: bool(box.words),
        missing="There is no turn to quote yet.",
    ),
    TurnAction(
        wish=Wish.GO_ON,
        key="n",
        shown_key="n",
        label="continue",
        title="Continue the answer",
        told="continue an answer that was cut off",
        meaning="Where it was cut off, stopped or broken off",
        applies=lambda box: can_go_on(box.turn),
        missing="No answer here was cut off.",
    ),
    TurnAction(
        wish=Wish.PREVIOUS,
        key="left",
        shown_key="←→",
        label="{place}",
        title="Previous alternative",
        told="previous, next alternative",
        meaning="The answer, or your wording, that stands before this one",
        applies=lambda box: box.place.of > 1,
        missing="No turn here has alternatives: regenerate an answer, or edit a turn.",
    ),
    TurnAction(
        wish=Wish.NEXT,
        key="right",
        shown_key="",
        label="",
        title="Next alternative",
        meaning="The answer, or your wording, that stands after this one",
        applies=lambda box: box.place.of > 1,
        missing="No turn here has alternatives: regenerate an answer, or edit a turn.",
    ),
    TurnAction(
        wish=Wish.THOUGHTS,
        key="t",
        shown_key="t",
        label="thoughts",
        title="Show or hide the thoughts",
        meaning="What a reasoning model thought before it answered",
        applies=lambda box: isinstance(box, ReplyTurn) and box.thoughts is not None,
        missing="No answer here was thought over aloud.",
    ),
    TurnAction(
        wish=Wish.WHY,
        key="w",
        shown_key="w",
        label="why",
        title="Explain the answer",
        told="why it says that: what was recalled, shown to the model, and used",
        meaning="What was recalled for it, what the model was shown, and what it used",
        applies=_answered,
        missing="There is no answer to explain yet.",
    ),
    TurnAction(
        wish=Wish.LET_THROUGH,
        key="l",
        shown_key="l",
        label="let through",
        title="Let secrets through once",
        told="show the model, for once, the secrets that were taken out",
        meaning="The model sees what was taken out of your turn and answers again; it is not kept this time either",
        applies=lambda box: isinstance(box, UserTurn) and bool(box.said),
        missing="Nothing was taken out of a turn here since this conversation was opened.",
    ),
    TurnAction(
        wish=Wish.GOOD,
        key="+",
        shown_key="+-",
        label="rate",
        title="The answer is good",
        told="the answer is good, or bad: it counts for the instructions it followed",
        meaning="It counts for the standing instructions that it was given under",
        applies=_answered,
        missing="There is no answer yet.",
    ),
    TurnAction(
        wish=Wish.BAD,
        key="-",
        shown_key="",
        label="",
        title="The answer is bad",
        meaning="It counts against the standing instructions that it was given under",
        applies=_answered,
        missing="There is no answer yet.",
    ),
)

BY_WISH = {action.wish: action for action in ACTIONS}
LETTERS = frozenset(action.key for action in ACTIONS if len(action.key) == 1)
