"""Commands about what chatmem does: consolidate, stats."""

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import typer

from chatmem.bootstrap import Product, open_memories, open_product
from chatmem.bootstrap.choosing import BACKGROUND, CHAT
from chatmem.cli.options import Json, installation
from chatmem.cli.output import NO_MODEL, memory_json, print_json, say, stamp, tell
from chatmem.consolidation.consolidator import Tally
from chatmem.consolidation.news import (
    ConsolidationFailed,
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    ImportLearned,
    InstructionReplaced,
    SessionConsolidated,
)
from chatmem.domain.change import ChangeSet
from chatmem.domain.memory import Kind, Status
from chatmem.domain.turn import SessionId
from chatmem.ports.memory_store import MemoryFilter

LOOK_S = 0.5
IMPORTS_A_LINE = 10

ExtractorName = Literal["rules", "model"]


def consolidate(  # noqa: PLR0917 typer reads the options off the arguments
    context: typer.Context,
    wait: Annotated[bool, typer.Option("--wait", help="Also wait for what another window is working on.")] = False,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    extractor: Annotated[ExtractorName | None, typer.Option(help="By default the model, where it can.")] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print what would be learned, write nothing; each session is looked at by itself."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Learn from what was said, now."""
    session_id = SessionId(session) if session else None
    with open_product(installation(context), extractor=extractor) as product:
        if session_id:
            product.log.session(session_id)
        product.prepare_recall()
        if dry_run:
            newest_first = [session_id] if session_id else [session.id for session in product.log.sessions()]
            would = [(id_, product.consolidator.dry_run(id_)) for id_ in reversed(newest_first)]
            print_changes(would, as_json=as_json)
            return
        news = News()
        product.consolidate(session_id)
        tally = product.consolidator.run_queue(product.background.gate, news.take, session_id)
        product.indexer.embed_missing(product.background.gate.stop)
        if wait:
            tally += wait_for_rest(product, news, session_id)
        pending = product.queue.pending(session_id)
    report(tally, pending, news.problem, as_json=as_json)
    if pending and news.problem:
        raise typer.Exit(NO_MODEL)


class News:
    """Tells what happens on standard error, and keeps the last problem."""

    def __init__(self) -> None:
        self.problem: str | None = None

    def take(self, news: ConsolidationNews) -> None:
        """Take one piece of news."""
        match news:
            case ConsolidationStarted(session_id=session_id):
                tell(f"reading session {session_id}")
            case ImportLearned(done=done, sessions=sessions) if done % IMPORTS_A_LINE == 0 or done == sessions:
                tell(f"learning from imports: {done:,} of {sessions:,} sessions")
            case InstructionReplaced(kept=kept, retired=retired):
                tell(
                    f"“{kept}” did better than “{retired}”, which was retired; `chatmem memory restore` brings it back"
                )
            case SessionConsolidated(note=note) if note:
                tell(note)
            case ConsolidationPostponed(reason=reason) | ConsolidationFailed(reason=reason):
                self.problem = reason


def wait_for_rest(product: Product, news: News, session_id: SessionId | None) -> Tally:
    """Wait for jobs that another window holds; jobs that were postponed are due later, and not waited for."""
    tally = Tally()
    while product.queue.pending(session_id) and news.problem is None:
        product.background.gate.stop.wait(LOOK_S)
        tally += product.consolidator.run_queue(product.background.gate, news.take, session_id)
    return tally


def report(tally: Tally, pending: int, problem: str | None, *, as_json: bool) -> None:
    """Print what a run through the queue came to."""
    if as_json:
        figures = {"jobs": tally.jobs, "added": tally.added, "strengthened": tally.strengthened}
        print_json(figures | {"pending": pending, "problem": problem})
    else:
        say(f"{tally.jobs} jobs done: {tally.added} new memories, {tally.strengthened} told again.")
    if pending and problem:
        tell(f"chatmem: {pending} jobs wait: {problem}")


def print_changes(would: list[tuple[SessionId, ChangeSet]], *, as_json: bool) -> None:
    """Print what sessions would change, each by itself."""
    changes = [(session_id, change) for session_id, change_set in would for change in change_set.changes]
    if as_json:
        print_json(
            [
                {
                    "session_id": session_id,
                    "before": memory_json(change.before) if change.before else None,
                    "after": memory_json(change.after) if change.after else None,
                }
                for session_id, change in changes
            ]
        )
        return
    for session_id, change in changes:
        say(f"{session_id}  {'~' if change.before else '+'} {change.memory.kind.word:<9} {change.memory.text}")
    if not changes:
        tell("Nothing new would be learned.")


def stats(context: typer.Context, as_json: Json = False) -> None:
    """Count what there is and how it does."""
    with open_memories(installation(context)) as product:
        figures = statistics(product)
    if as_json:
        print_json(figures)
        return
    today, blocked, postponed = (figures.pop(name) for name in ("today", "blocked", "jobs_postponed"))
    for name, value in figures.items():
        say(f"{name.replace('_', ' '):<16} {value}")
    say(f"{'secrets blocked':<16} {', '.join(f'{count:,} x {kind}' for kind, count in blocked.items()) or 'none'}")
    for role in today:
        say(f"{role['role'] + ' today':<16} {spent_words(role)}")
    for job in postponed:
        tried = f"{job['error']}, attempt {job['attempts']}"
        say(f"{'postponed':<16} session {job['session_id']} until {job['until']}: {tried}")


def spent_words(role: dict[str, Any]) -> str:
    """What a role consumed today, and of how much."""
    tokens = f"{role['tokens']:,}" + (f" of {role['tokens_per_day']:,}" if role["tokens_per_day"] is not None else "")
    usd = f"${role['usd']:,.2f}" + (f" of ${role['usd_per_day']:,.2f}" if role["usd_per_day"] is not None else "")
    return f"{tokens} tokens, {usd}"


def spending(product: Product) -> list[dict[str, Any]]:
    """What each role consumed today, and its budget; `None` for no limit."""
    roles = []
    for role, purposes in (("chat", CHAT), ("background", BACKGROUND)):
        spent, budget = product.choosing.spent(purposes), product.choosing.budgets[purposes]
        roles.append(
            {
                "role": role,
                "tokens": spent.prompt_tokens + spent.completion_tokens,
                "usd": spent.cost_usd or 0.0,
                "tokens_per_day": budget.tokens,
                "usd_per_day": budget.usd,
            }
        )
    return roles


def statistics(product: Product) -> dict[str, Any]:
    """The figures of `chatmem stats`."""
    by_kind = Counter((memory.kind.value, memory.status.value) for memory in product.memories.select(MemoryFilter()))
    sessions, turns = product.meter.sizes()
    recall = product.meter.recall_figures()
    return {
        "memories": {
            kind.value: {status.value: by_kind[kind.value, status.value] for status in Status} for kind in Kind
        },
        "sessions": sessions,
        "turns": turns,
        "disk_bytes": sum(file.stat().st_size for file in product.paths.profile.rglob("*") if file.is_file()),
        "recall": {
            "count": recall.recalls,
            "p50_ms": recall.p50_ms,
            "p95_ms": recall.p95_ms,
            "average_score": recall.average_score,
        },
        "llm_calls": [asdict(call) for call in product.meter.calls()],
        "today": spending(product),
        "jobs_waiting": product.queue.pending(),
        "jobs_postponed": [
            {"session_id": job.session_id, "attempts": job.attempts, "until": stamp(job.until), "error": job.error}
            for job in product.queue.postponed(datetime.now(UTC))
        ],
        "tombstones": len(product.journal.tombstones()),
        "blocked": dict(product.meter.blocked()),
    }
