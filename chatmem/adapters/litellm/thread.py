"""An event loop on a thread of its own."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_CLOSE_S = 5.0


class LoopThread:
    """Runs coroutines away from the caller's event loop; the thread starts with the first of them.

    Args:
        name: The thread's name.
        at_close: Awaited on the loop when it closes, after all that was running was cancelled.
    """

    def __init__(self, name: str, at_close: Callable[[], Awaitable[None]]) -> None:
        self._name = name
        self._at_close = at_close
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine; cancelling the future cancels it.

        Raises:
            RuntimeError: If the thread was closed.
        """
        with self._lock:
            if self._closed:
                work.close()
                raise RuntimeError(f"{self._name} is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Cancel what runs, and end the thread; waits a few seconds at most."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._wind_down(), loop)
        thread.join(_CLOSE_S)
        if not thread.is_alive():
            loop.close()

    async def _wind_down(self) -> None:
        try:
            running = asyncio.all_tasks() - {asyncio.current_task()}
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await self._at_close()
            await asyncio.get_running_loop().shutdown_asyncgens()
        finally:
            asyncio.get_running_loop().stop()
