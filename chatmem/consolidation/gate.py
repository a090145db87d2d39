"""When the consolidation may call a model, and when it must end."""

import threading
from collections.abc import Callable
from time import monotonic

_LOOK_S = 0.1


class Gate:
    """Holds consolidation back while answers have priority, and lets it be stopped from another thread.

    Attributes:
        stop: Set once consolidation must end; a running call is then given up.
    """

    def __init__(self, may_call_model: Callable[[], bool] = lambda: True) -> None:
        """Keep what it asks.

        Args:
            may_call_model: Whether a call may begin now, or run on; false while an answer comes from the same local
                model. Called from the consolidation thread; must not block.
        """
        self.stop = threading.Event()
        self._may_call_model = may_call_model

    def is_open(self) -> bool:
        """Whether a call may run on. Does not block."""
        return not self.stop.is_set() and self._may_call_model()

    def wait(self, timeout_s: float) -> bool:
        """Wait until a call may begin; false when time ran out or consolidation was stopped."""
        until = monotonic() + timeout_s
        while not self.stop.is_set() and not self._may_call_model():
            if monotonic() >= until:
                return False
            self.stop.wait(_LOOK_S)
        return not self.stop.is_set()
