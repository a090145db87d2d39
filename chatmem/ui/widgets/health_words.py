"""The figures of the health screen in words."""

from collections.abc import Iterator
from datetime import timedelta

from textual.content import Content

from chatmem.consolidation.hygiene import UNUSED, Stale
from chatmem.domain.memory import Kind, Status
from chatmem.domain.text import clean
from chatmem.ui.widgets.health_report import GROWTH_DAYS, HealthReport
from chatmem.ui.widgets.memory_words import MARKS, memories
from chatmem.ui.wording import counted, money, size

MUTED = "$foreground-muted"

NOTHING_YET = "There is nothing to count yet. Talk with the model (Escape goes back), and look again."

PLURALS = {Kind.FACT: "facts", Kind.EPISODE: "episodes", Kind.PROCEDURE: "procedures"}

NAME_CELLS = 14
NUMBER_CELLS = 12


def counts(report: HealthReport) -> Content:
    """Memories by kind and status, as a table."""
    lines = [Content.styled(_cells("Memories", *(status.value for status in Status)), "bold $accent")]
    for kind in Kind:
        numbers = (f"{report.counts.get((kind, status), 0):,}" for status in Status)
        lines.append(Content(_cells(PLURALS[kind], *numbers)))
    said = f"{counted(report.sessions, 'session')}, {counted(report.turns, 'turn')}"
    lines.append(Content.styled(f"from {said}", MUTED))
    if not report.counts:
        lines.append(Content.styled(NOTHING_YET, MUTED))
    return Content("\n").join(lines)


def growth(report: HealthReport) -> Content:
    """What stands above the line of growth."""
    most = max(report.learned)
    told = f"{memories(sum(report.learned))} in {GROWTH_DAYS} days"
    if most:
        # Of several such days the last.
        ago = report.learned[::-1].index(most)
        at = report.last_day - timedelta(days=ago)
        told += f", most on {at.day} {at:%B}: {most:,}"
    return Content.assemble(("Learned ", "bold $accent"), told)


def figures(report: HealthReport) -> Content:
    """All figures but the counts and the growth, section by section."""
    sections = (("Recall", _recall(report)), ("Care", _care(report)), ("Kept out", _blocked(report)))
    parts = [_section(title, list(lines)) for title, lines in sections]
    return Content("\n\n").join([*parts, _calls(report), _section("On disk", [_disk(report)])])


def stale_heading(number: int) -> Content:
    """What stands above the stale memories."""
    return Content.styled(f"Not used for {UNUSED.days} days ({number:,})", "bold $accent")


def stale_row(stale: Stale) -> Content:
    """A stale memory in a line."""
    return Content.assemble(
        (f" {stale.days:4.0f} d  {stale.retention:.2f} ", MUTED),
        (f"{MARKS[stale.memory.kind]} ", "$primary"),
        " ".join(clean(stale.memory.text).split()),
    )


def _recall(report: HealthReport) -> Iterator[str]:
    recall = report.recall
    if recall.p50_ms is None or recall.p95_ms is None:
        yield "Nothing was recalled yet."
        return
    yield f"{counted(recall.recalls, 'time')}, p50 {recall.p50_ms:,.0f} ms, p95 {recall.p95_ms:,.0f} ms"
    if recall.average_score is not None:
        yield f"average score {recall.average_score:.2f} of what was shown to the model"


def _care(report: HealthReport) -> Iterator[str]:
    yield f"{memories(len(report.stale))} stale" + ("; k keeps one, d retires it" if report.stale else "")
    yield f"{memories(report.repeated)} repeated" + ("; daily upkeep merges them" if report.repeated else "")
    yield f"{memories(report.doubtful)} to check"


def _blocked(report: HealthReport) -> Iterator[str]:
    for kind, number in report.blocked.items():
        yield f"{number:,} × {kind.replace('_', ' ')}"  # noqa: RUF001 it is a times sign
    if not report.blocked:
        yield "Nothing so far: no secret was said, and no rule refused a memory."


def _calls(report: HealthReport) -> Content:
    heading = Content.styled(_cells("Model calls", "calls", "tokens in", "tokens out", "cost"), "bold $accent")
    lines = [
        _cells(
            call.purpose,
            f"{call.calls:,}",
            f"{call.prompt_tokens:,}",
            f"{call.completion_tokens:,}",
            _cost(call.cost_usd),
        )
        for call in report.calls
    ]
    return Content("\n").join([heading, *(Content(line) for line in lines or ["No model was asked yet."])])


def _disk(report: HealthReport) -> str:
    dead = f", {size(report.disk.dead)} of it dead: upkeep or the next erasure frees it" if report.disk.dead else ""
    return f"{size(report.disk.total)}{dead}"


def _cost(usd: float) -> str:
    return money(usd) if usd else "free"


def _section(title: str, lines: list[str]) -> Content:
    return Content("\n").join([Content.styled(title, "bold $accent"), *(Content(line) for line in lines)])


def _cells(name: str, *numbers: str) -> str:
    return name.ljust(NAME_CELLS) + "".join(number.rjust(NUMBER_CELLS) for number in numbers)
