"""Asking again after what may pass: too many requests, an error of the server, a lost connection."""

import logging
from collections.abc import Callable

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from chatmem.adapters.litellm.causes import asked_to_wait_s, causes, is_timeout
from chatmem.adapters.litellm.failures import NotRunningError
from chatmem.adapters.litellm.patience import Patience
from chatmem.domain.errors import ProviderError
from chatmem.domain.model import RetryPart

logger = logging.getLogger(__name__)


def retrying(patience: Patience, may_retry: Callable[[], bool], announce: Callable[[RetryPart], None]) -> AsyncRetrying:
    """Calls a coroutine function again while that can help; `announce` is told before each wait."""

    def wait_s(state: RetryCallState) -> float:
        pauses_s = patience.pauses_s[state.attempt_number - 1 :]  # tenacity asks after the last attempt, too
        return max(pauses_s[0], _asked_s(_error(state))) if pauses_s else 0.0

    def tell(state: RetryCallState) -> None:
        pause_s = state.next_action.sleep if state.next_action else 0.0
        following = state.attempt_number + 1
        logger.info("attempt %d of %d begins in %.1f s", following, patience.attempts, pause_s)
        why = f"{str(_error(state)).partition('. ')[0].rstrip('.')}."
        announce(RetryPart(error=why, wait_s=pause_s, attempt=following, attempts=patience.attempts))

    return AsyncRetrying(
        stop=stop_after_attempt(patience.attempts),
        retry=retry_if_exception(lambda error: may_retry() and _may_pass(error, patience)),
        wait=wait_s,
        before_sleep=tell,
        reraise=True,
    )


def _may_pass(error: BaseException, patience: Patience) -> bool:
    """Whether it may have passed by itself in a moment, unlike a wrong key, a silent server, or one nobody started."""
    if not isinstance(error, ProviderError) or isinstance(error, NotRunningError):
        return False
    if not error.retryable or error.__cause__ is None or is_timeout(causes(error.__cause__)):
        return False
    return _asked_s(error) <= patience.longest_pause_s


def _asked_s(error: BaseException) -> float:
    return asked_to_wait_s(causes(error.__cause__)) if error.__cause__ else 0.0


def _error(state: RetryCallState) -> BaseException:
    error = state.outcome.exception() if state.outcome else None
    assert error is not None, "only failures are tried again"  # noqa: S101
    return error
