"""What chatmem adds to a turn: the real app without a terminal, on a real store, against a server on loopback."""

import asyncio
from collections.abc import Callable
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from time import monotonic
from typing import ClassVar

from textual.pilot import Pilot

from chatmem.bench.figures import Figure
from chatmem.bench.loopback import LoopbackServer
from chatmem.bootstrap import Installation, open_product
from chatmem.ui import app as ui_app
from chatmem.ui.app import ChatMemApp
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.prompt import PromptBox
from chatmem.ui.widgets.status_line import StatusLine

SIZE = (150, 45)
WARM_UP = 3
"""Turns before the first that counts: connections are opened, and what a first turn imports is imported."""

WORDS = ("Here ", "is ", "an ", "answer ", "of ", "a ", "few ", "words.")
LIMIT_S = 30.0

PAUSE_S = 1.0
"""Between two turns, in which the turn before is indexed; people take longer to type the next."""

SETTINGS = """
model = "one"
[recall]
budget_tokens = 0
[embedding]
enabled = false
[consolidation]
extractor = "rules"
[providers.one]
model = "openai/one"
api_base = "{base}"
context_tokens = 32768
[providers.two]
model = "openai/two"
api_base = "{base}"
context_tokens = 32768
"""


class _Watched(ChatMemApp):
    """The app, which knows when it was first drawn with something to be seen on it."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [Path(ui_app.__file__).parent / name for name in ChatMemApp.CSS_PATH]

    def shown(self, true: Callable[[], bool]) -> "asyncio.Future[float]":
        """`monotonic` of the end of the first drawing at which this is true."""
        self._true = true
        self._drawn_at: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        return self._drawn_at

    def post_display_hook(self) -> None:
        """Look, each time the screen was drawn."""
        if hasattr(self, "_drawn_at") and not self._drawn_at.done() and self._true():
            self._drawn_at.set_result(monotonic())


def measure_turns(count: int) -> list[Figure]:
    """Say `count` turns in the app, and switch the model as often.

    Recall is off, so that what is left is the conversation's own part: recording, assembling, the provider's library,
    the screen.
    """
    with TemporaryDirectory() as folder, LoopbackServer(WORDS) as server:
        config = Path(folder) / "config.toml"
        config.write_text(SETTINGS.format(base=server.base_url), encoding="utf-8")
        installation = Installation(config_file=config, flags={"data_dir": Path(folder) / "data"})
        with open_product(installation) as product:
            app = _Watched(product, choice=product.choice())
            return asyncio.run(_drive(app, server, count))


async def _drive(app: _Watched, server: LoopbackServer, count: int) -> list[Figure]:
    leaving, shown, switching = [], [], []
    async with app.run_test(size=SIZE) as pilot:
        status = app.query_one(StatusLine)
        await _until(lambda: bool(status.activity))
        await _until(lambda: not status.activity)
        for number in range(WARM_UP + count):
            await asyncio.sleep(PAUSE_S)
            left, drawn = await _turn(app, pilot, server)
            switched = await _switch(app, pilot, "two" if number % 2 == 0 else "one")
            if number >= WARM_UP:
                leaving.append(left)
                shown.append(drawn)
                switching.append(switched)
    return [
        Figure(name="a bare request of the HTTP library, to compare", unit="ms", values=await _bare(server, count)),
        Figure(name="Enter -> request at the server, without recall", unit="ms", values=tuple(leaving), goal=10.0),
        Figure(name="first word sent -> shown", unit="ms", values=tuple(shown), goal=100.0),
        Figure(name="Enter in the picker -> model switched and shown", unit="ms", values=tuple(switching), goal=50.0),
    ]


async def _turn(app: _Watched, pilot: Pilot[None], server: LoopbackServer) -> tuple[float, float]:
    """Milliseconds from Enter to the request, and from the first word sent to the screen showing it."""
    asked, answered = len(server.asked_at), len(server.answered_at)
    app.query_one(PromptBox).insert("What is there to say about this?")
    await pilot.pause()
    entered_at = monotonic()
    app.simulate_key("enter")  # `press` would wait until all is drawn
    await _until(lambda: len(server.asked_at) > asked)
    shown_at = await app.shown(
        # A text has a size once it is laid out, which is right before it is drawn.
        lambda: len(server.answered_at) > answered and app.query(MarkdownText).last().size.height > 0
    )
    await _until(lambda: not app.query_one(ConversationPane).answering)
    return (server.asked_at[asked] - entered_at) * 1000, (shown_at - server.answered_at[answered]) * 1000


async def _switch(app: _Watched, pilot: Pilot[None], name: str) -> float:
    await pilot.press("f5")
    await pilot.press(*name)
    await pilot.pause()
    entered_at = monotonic()
    switched = app.shown(lambda: len(app.screen_stack) == 1 and app.query_one(StatusLine).model == name)
    app.simulate_key("enter")  # `press` would wait until all is drawn
    return (await switched - entered_at) * 1000


async def _bare(server: LoopbackServer, count: int) -> tuple[float, ...]:
    """Milliseconds that a request takes on an open connection when nobody does anything else."""
    import httpx

    times = []
    async with httpx.AsyncClient(base_url=server.base_url) as client:
        for number in range(WARM_UP + count):
            asked, started_at = len(server.asked_at), monotonic()
            await client.post("/chat/completions", json={"messages": [{"role": "user", "content": "What?"}]})
            await _until(lambda asked=asked: len(server.asked_at) > asked)  # type: ignore[misc]  # mypy sees no default
            if number >= WARM_UP:
                times.append((server.asked_at[asked] - started_at) * 1000)
    return tuple(times)


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not true():  # noqa: ASYNC110 what is waited for is a screen, which tells of nothing
            await asyncio.sleep(0.002)
