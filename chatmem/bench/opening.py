"""How long it takes until the memory screen shows its first rows: the real app without a terminal, on a real store."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from textual.pilot import Pilot

from chatmem.bench import workload
from chatmem.bench.figures import Figure
from chatmem.bootstrap import Installation, Product, open_product
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.ui.app import ChatMemApp
from chatmem.ui.widgets.memory_list import MemoryList
from chatmem.ui.widgets.status_line import StatusLine

SIZE = (150, 45)
OPENINGS = 10
BATCH = 25_000
LIMIT_S = 300.0

SETTINGS = """
model = "one"
[embedding]
enabled = false
[consolidation]
extractor = "rules"
[providers.one]
model = "openai/one"
api_base = "http://127.0.0.1:9/v1"
context_tokens = 32768
"""


def measure_opening(memories: int) -> Iterator[Figure]:
    """Fill a temporary profile, without vectors as none is looked at, and open the screen again and again.

    Raises:
        StoreError: If the store could not be written.
    """
    with TemporaryDirectory() as folder:
        config = Path(folder) / "config.toml"
        config.write_text(SETTINGS, encoding="utf-8")
        installation = Installation(config_file=config, flags={"data_dir": Path(folder) / "data"})
        with open_product(installation) as product:
            _fill(product, memories)
        with open_product(installation) as product:
            app = ChatMemApp(product, choice=product.choice())
            first, *more = asyncio.run(_drive(app))
    name = f"F2 -> first rows of {memories:,} memories"
    yield Figure(name=f"{name}, first time", unit="ms", values=(first,))
    yield Figure(name=name, unit="ms", values=tuple(more), goal=300.0)


def _fill(product: Product, count: int) -> None:
    learned = workload.memories(count)
    for number in range(0, count, BATCH):
        some = list(islice(learned, BATCH))
        changes = ChangeSet(
            id=ChangeSetId(f"c{number}"),
            made_at=some[-1].created_at,
            cause=Cause.ADD,
            changes=tuple(Change(before=None, after=memory) for memory in some),
        )
        product.journal.record(changes)
        product.memories.put(some, [None] * len(some))
        product.journal.mark_applied(changes.id)


async def _drive(app: ChatMemApp) -> list[float]:
    """Milliseconds from the key to the screen showing the list."""
    times = []
    async with app.run_test(size=SIZE) as pilot:
        status = app.query_one(StatusLine)
        await _until(lambda: bool(status.activity))
        await _until(lambda: not status.activity)
        for _ in range(1 + OPENINGS):
            times.append(await _opened(pilot))
            app.simulate_key("escape")
            await _until(lambda: len(app.screen_stack) == 1)
            await pilot.pause()
    return times


async def _opened(pilot: Pilot[None]) -> float:
    app, drawn = pilot.app, asyncio.Event()
    started_at = monotonic()
    app.simulate_key("f2")  # `press` would wait until all is drawn
    await _until(lambda: any(shown.row_count for shown in app.screen.query(MemoryList)))
    app.screen.call_after_refresh(drawn.set)
    await drawn.wait()
    return (monotonic() - started_at) * 1000


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not true():  # noqa: ASYNC110 what is waited for is a screen, which tells of nothing
            await asyncio.sleep(0.002)
