"""What lies behind an error of litellm."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_IN_WORDS = re.compile(r"(?:retryDelay\W+|try again in )(\d+(?:\.\d+)?)\s*(ms|s|m)", re.IGNORECASE)
_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0}
_TIMEOUTS = ("TimeoutException", "TimeoutError", "Timeout", "APITimeoutError")


def causes(error: BaseException) -> tuple[BaseException, ...]:
    """The error and what it came from, without litellm's wrapper around errors in the middle of a reply."""
    found: list[BaseException] = []
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        wrapped = getattr(following, "original_exception", None)
        if wrapped is None:
            found.append(following)
        following = wrapped or following.__cause__ or following.__context__
    return tuple(found) or (error,)


def has(chain: Iterable[BaseException], *names: str) -> bool:
    """Whether an error of one of these class names is among the causes; the classes would have to be imported."""
    return any(kind.__name__ in names for error in chain for kind in type(error).__mro__)


def is_timeout(chain: Iterable[BaseException]) -> bool:
    """Whether somebody was silent for too long."""
    return has(chain, *_TIMEOUTS)


def asked_to_wait_s(chain: Iterable[BaseException]) -> float:
    """Seconds that the provider asked to be left alone, in a header or in words; 0 if it didn't."""
    chain = tuple(chain)
    for headers in _headers(chain):
        if value := headers.get("retry-after-ms"):
            return _number(value) / 1000
        if value := headers.get("retry-after"):
            return _number(value) or _until(value)
    said = _IN_WORDS.search(str(chain[0]))
    return float(said[1]) * _UNITS_S[said[2].lower()] if said else 0.0


def _headers(chain: tuple[BaseException, ...]) -> Iterator[Mapping[str, str]]:
    for error in chain:
        for holder in (error, getattr(error, "response", None)):
            for name in ("litellm_response_headers", "headers"):
                headers = getattr(holder, name, None)
                if isinstance(headers, Mapping):
                    yield headers


def _number(value: str) -> float:
    try:
        return max(0.0, float(value))
    except ValueError:
        return 0.0


def _until(value: str) -> float:
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):  # no date, or one without a zone
        return 0.0
