"""Change sets in words: what caused them, and what was before and after."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import clean
from chatmem.ui.widgets.memory_words import MARKS, Kept, day, differences, moment
from chatmem.ui.wording import counted

CAUSES = {
    Cause.CONSOLIDATION: "learned from talk",
    Cause.EDIT: "edited by you",
    Cause.ADD: "added by you",
    Cause.IMPORT: "taken over",
    Cause.ACCEPT: "accepted by you",
    Cause.REJECT: "rejected by you",
    Cause.RETIRE: "retired by you",
    Cause.RESTORE: "brought back",
    Cause.MERGE: "merged by you",
    Cause.SPLIT: "split by you",
    Cause.WRONG: "called wrong by you",
    Cause.BARRED: "called wrong for good",
    Cause.CONFIRM: "confirmed by you",
    Cause.FEEDBACK: "from what you think of answers",
    Cause.PRUNE: "pruned",
    Cause.UPKEEP: "daily upkeep",
    Cause.UNDO: "taken back",
}

NOTHING_CHANGED = (
    "Nothing has changed yet.\n\nTalk with the model: what is learned from it stands here, change by change, and each "
    "can be taken back."
)

SHOWN = 200
"""Of one change set; more changes are only counted."""

NEW, GONE, MUTED = "$text-success", "$text-error", "$foreground-muted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A change set as the list shows it.

    Attributes:
        taken_back: Whether another change set undid it, and that one still stands.
    """

    change_set: ChangeSet
    taken_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many memories are new, changed, and taken back."""

    new: int
    changed: int
    gone: int


def entries(change_sets: Sequence[ChangeSet]) -> list[Entry]:
    """Change sets, the newest first, with what became of them since."""
    undone: set[ChangeSetId] = set()
    for one in change_sets:
        if one.undoes and one.id not in undone:
            undone.add(one.undoes)
    return [Entry(change_set=one, taken_back=one.id in undone) for one in change_sets]


def counts(change_set: ChangeSet) -> Counts:
    """How many memories a change set makes, changes and takes back."""
    kinds = Counter((change.before is None, change.after is None) for change in change_set.changes)
    return Counts(new=kinds[True, False], changed=kinds[False, False], gone=kinds[False, True])


def row(entry: Entry) -> Content:
    """A change set in a line."""
    number = counts(entry.change_set)
    at = entry.change_set.made_at.astimezone()
    muted = MUTED if entry.taken_back else "$foreground"
    marked = [(f" +{number.new}", NEW), (f" ~{number.changed}", "$text-warning"), (f" -{number.gone}", GONE)]
    return Content.assemble(
        (f"{at:%Y-%m-%d %H:%M}  ", MUTED),
        (CAUSES.get(entry.change_set.cause, entry.change_set.cause.value), muted),
        (" (undone)" if entry.taken_back else "", MUTED),
        *(part for part in marked if part[0][2:] != "0"),
    )


def told(change_set: ChangeSet) -> Content:
    """A change set in full: its heading, and each change as a diff."""
    number = counts(change_set)
    named = [
        *([f"{number.new:,} new"] if number.new else []),
        *([f"{number.changed:,} changed"] if number.changed else []),
        *([f"{number.gone:,} taken back"] if number.gone else []),
    ]
    cause = CAUSES.get(change_set.cause, change_set.cause.value)
    names = {change.memory_id: change.memory.text for change in change_set.changes}
    parts = [
        Content.assemble(
            (f"{cause[:1].upper()}{cause[1:]}, {moment(change_set.made_at)}", "bold"),
            (f"\n{', '.join(named) or 'Its memories were forgotten since'} · {change_set.id}", MUTED),
        ),
        *(Content("\n").join(difference(change, names)) for change in change_set.changes[:SHOWN]),
    ]
    if (more := len(change_set.changes) - SHOWN) > 0:
        parts.append(Content.styled(f"… and {counted(more, 'more change', 'more changes')}", MUTED))
    return Content("\n\n").join(parts)


def difference(change: Change, names: dict[MemoryId, str]) -> Iterator[Content]:
    """A change as the lines of a diff: `+` for what is new, `-` for what is gone, `~` for what is otherwise now.

    Args:
        change: The change.
        names: Texts of memories that may be spoken of.
    """
    before, after = change.before, change.after
    if before is None or after is None:
        sign, style = ("-", GONE) if after is None else ("+", NEW)
        yield Content.styled(f"{sign} {_named(change.memory)}", style)
        yield from _first_state(change.memory)
        return
    if before.text == after.text:
        yield Content.styled(f"~ {_named(after)}", "$text-warning")
    else:
        yield from _reworded(before, after)
    for name, value in FIELDS.items():
        old, new = value(before), value(after)
        if old != new:
            yield Content.assemble((f"    {name}: ", MUTED), (old or "none", GONE), " → ", (new or "none", NEW))
    if after.superseded_by and after.superseded_by != before.superseded_by:
        successor = names.get(after.superseded_by, after.superseded_by)
        yield Content.assemble(("    replaced by: ", MUTED), clean(successor))
    if more := len(after.quotes) - len(before.quotes):
        yield Content.styled(f"    told again: {more:+d} {'quote' if abs(more) == 1 else 'quotes'}", MUTED)


FIELDS: dict[str, Callable[[Memory], str]] = {
    "status": lambda memory: memory.status.value,
    "waits for": lambda memory: memory.waits_for.value if memory.waits_for else "",
    "kind": lambda memory: memory.kind.word,
    "about": lambda memory: clean(memory.subject),
    "slot": lambda memory: clean(memory.slot or ""),
    "pinned": lambda memory: "yes" if memory.pinned else "no",
    "holds until": lambda memory: day(memory.valid_to) if memory.valid_to else "",
    "expires": lambda memory: day(memory.expires_at) if memory.expires_at else "",
    "to check": lambda memory: clean(memory.doubt),
}
"""What is told of a memory that changed, besides its text; times and quotes change with nearly everything."""


def _named(memory: Memory) -> str:
    return f"{MARKS[memory.kind]} {clean(memory.text)}"


def _first_state(memory: Memory) -> Iterator[Content]:
    waits = f", waits for {memory.waits_for.value}" if memory.waits_for else ""
    quoted = f" · “{clean(memory.quotes[0].text)}”" if memory.quotes else ""
    yield Content.styled(f"    {memory.kind.word}, {memory.status.value}{waits}{quoted}", MUTED)


def _reworded(before: Memory, after: Memory) -> Iterator[Content]:
    """Two wordings, the words that differ marked in each."""
    pieces = list(differences(before.text, after.text))
    old = [(one.text, GONE if isinstance(one, Kept) else f"bold underline {GONE}") for one in pieces]
    new = [(one.text, NEW) if isinstance(one, Kept) else (one.instead, f"bold underline {NEW}") for one in pieces]
    yield Content.assemble((f"- {MARKS[before.kind]} ", GONE), *(part for part in old if part[0]))
    yield Content.assemble((f"+ {MARKS[after.kind]} ", NEW), *(part for part in new if part[0]))
