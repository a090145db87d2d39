from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from chatmem.adapters.litellm.causes import asked_to_wait_s, causes, has


class WithHeadersError(Exception):
    def __init__(self, message: str = "", **headers: str) -> None:
        super().__init__(message)
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (WithHeadersError(retry_after="7"), 7.0),
        (WithHeadersError(retry_after="-7"), 0.0),
        (WithHeadersError(retry_after="soon"), 0.0),
        (WithHeadersError(retry_after_ms="350", retry_after="1"), 0.35),
        (WithHeadersError(retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), 0.0),
        (WithHeadersError('{"retryDelay": "34s"}'), 34.0),
        (Exception("Rate limit reached. Please try again in 250ms."), 0.25),
        (Exception("slow down"), 0.0),
    ],
)
def test_how_long_a_provider_asks_to_wait_is_read_from_headers_and_words(error: Exception, seconds: float) -> None:
    assert asked_to_wait_s(causes(error)) == seconds


def test_a_date_to_wait_for_is_understood() -> None:
    error = WithHeadersError(retry_after=format_datetime(datetime.now(UTC) + timedelta(minutes=1), usegmt=True))

    assert 50 < asked_to_wait_s(causes(error)) <= 60


def test_the_first_cause_is_found_behind_wrappers() -> None:
    inner = ConnectionError("refused")
    wrapper = RuntimeError("in the middle")
    wrapper.original_exception = inner  # type: ignore[attr-defined]  # as litellm does
    inner.__context__ = wrapper

    assert causes(wrapper) == (inner,)
    assert has(causes(wrapper), "OSError")
