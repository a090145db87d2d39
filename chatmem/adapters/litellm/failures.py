"""What went wrong at a provider, in a sentence with its cure."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from chatmem.adapters.litellm.causes import is_timeout
from chatmem.adapters.litellm.failure import Failure, failure_of
from chatmem.adapters.litellm.near_names import near_names
from chatmem.adapters.litellm.route import Route, named
from chatmem.domain.errors import PromptTooLongError, ProviderError

_QUOTA = re.compile(r"quota|billing|credit|balance|insufficient", re.IGNORECASE)
_FILTER = re.compile(r"content.?(filter|policy|management)|safety", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.?(length|size|window)|too many (input )?tokens|(prompt|input) is too long|maximum.{0,20}number of tokens"
    r"|reduce the length",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(r"model.{0,80}(not found|does not exist)", re.IGNORECASE | re.DOTALL)
_BAD_KEY = re.compile(r"api.?key.{0,20}(not valid|invalid|expired)|invalid.{0,4}api.?key", re.IGNORECASE)
_GARBLED = re.compile(r"Unterminated string|Error parsing chunk|Expecting .{0,40}: line \d")
_BROKEN = ("ClientPayloadError", "TransferEncodingError", "ReadError", "RemoteProtocolError", "ServerDisconnectedError")


class NotRunningError(ProviderError):
    """Nobody listens at the address of a server on this machine; the person has to start it."""


class _Rule(NamedTuple):
    """A kind of failure: whether it is one, what to say, whether trying again can help, what is raised."""

    applies: Callable[[Failure], bool]
    says: Callable[[Failure], str]
    retryable: bool = False
    kind: type[ProviderError] = ProviderError


async def provider_error(error: Exception, way: Route) -> ProviderError:
    """Say what an error of litellm means; no key ever shows. A server may be asked for the names of its models."""
    failure = failure_of(error, way)
    rule = next(rule for rule in _RULES if rule.applies(failure))
    if rule is _UNKNOWN_MODEL:
        failure = replace(failure, near=tuple(await near_names(way)))
    return rule.kind(rule.says(failure), retryable=rule.retryable)


def _is_too_long(failure: Failure) -> bool:
    return failure.has("ContextWindowExceededError") or (
        failure.status in (400, 413, 422, 500) and bool(_TOO_LONG.search(failure.text))
    )


def _is_refused_here(failure: Failure) -> bool:
    return failure.way.here and failure.has("ConnectError", "ConnectionRefusedError", "ClientConnectorError")


def _how_to_get(failure: Failure) -> str:
    if failure.way.model.startswith("ollama"):
        has = f" It has {_listed(failure.near)}." if failure.near else ""
        return f"{has} Get it with `ollama pull {failure.model}`, or choose another model."
    if failure.near:
        return f" Did you mean {_listed(failure.near)}?"
    return " Check the model's name and the address in the settings, or choose another model."


def _listed(names: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def no_provider(model: str) -> str:
    """What to say of a model whose name names no provider."""
    return (
        f"“{model}” names no provider that is known: write it as provider/model, "
        "such as openai/gpt-6.1-sol or ollama_chat/llama3.2."
    )


_NO_PROVIDER = _Rule(
    lambda f: "LLM Provider NOT provided" in f.text,
    lambda f: no_provider(f.way.choice.model),
)


def _without_password(address: str | None) -> str:
    return re.sub(r"//[^/@]*@", "//", address or "")


_NO_ADDRESS = _Rule(
    lambda f: f.has("InvalidURL", "UnsupportedProtocol"),
    lambda f: (
        f"“{_without_password(f.way.api_base)}” is no address of a server: set api_base to something like http://localhost:8000/v1."
    ),
)
_NO_PACKAGE = _Rule(
    lambda f: f.has("ImportError"),
    lambda f: f"{f.server} needs a package that is not installed: {f.said()}",
)
_UNREACHED_IN_TIME = _Rule(
    lambda f: f.has("ConnectTimeout", "ConnectionTimeoutError"),
    lambda f: f"{f.server} could not be reached in time. {f.how_to_start()}",
    retryable=True,
)
_SILENT = _Rule(
    lambda f: is_timeout(f.chain),
    lambda f: f"{f.server} was silent for too long, so the answer was given up. Try again later.",
    retryable=True,
)
_NOT_RUNNING = _Rule(
    _is_refused_here,
    lambda f: f"{f.server} could not be reached. {f.how_to_start()}",
    retryable=True,
    kind=NotRunningError,
)
_UNREACHED = _Rule(
    lambda f: f.has("ConnectError", "ConnectionRefusedError", "ClientConnectorError", "gaierror"),
    lambda f: f"{f.server} could not be reached. {f.how_to_start()}",
    retryable=True,
)
_LONG = _Rule(
    _is_too_long,
    lambda f: (
        f"The prompt is longer than {f.way.choice.name} can take in. Shorten it, set context_tokens of the "
        "model in the settings to its real size, or choose a model with a larger context."
    ),
    kind=PromptTooLongError,
)
_FILTERED = _Rule(
    lambda f: f.has("ContentPolicyViolationError") or (f.status == 400 and bool(_FILTER.search(f.text))),
    lambda f: (
        f"{f.server} refused to answer because of its content filter. Say it in another way, or choose another model."
    ),
)
_WRONG_KEY = _Rule(
    lambda f: f.status == 401 or (f.status in (400, 403) and bool(_BAD_KEY.search(f.text))),
    lambda f: (
        f"{f.server} refused {named(f.way.choice.key)}: it is missing or wrong. Set the right one and start chatmem "
        "again, or choose another model."
    ),
)
_NOT_ALLOWED = _Rule(
    lambda f: f.status == 403,
    lambda f: (
        f"{f.server} does not let {named(f.way.choice.key)} use {f.model}. Choose another model, "
        "or ask the provider for access."
    ),
)
_UNKNOWN_MODEL = _Rule(
    lambda f: f.status == 404 or bool(_NOT_FOUND.search(f.text)),
    lambda f: f"{f.server} has no model “{f.model}”.{_how_to_get(f)}",
)
_USED_UP = _Rule(
    lambda f: f.status == 402 or (f.status == 429 and bool(_QUOTA.search(f.text))),
    lambda f: (
        f"{f.server} says that the quota or credit of this account is used up. "
        "Add credit there, or choose another model."
    ),
)
_TOO_MANY = _Rule(
    lambda f: f.status == 429,
    lambda f: f"{f.server} takes no more requests for the moment. Try again {f.wait()}, or choose another model.",
    retryable=True,
)
_BROKE_OFF = _Rule(
    lambda f: f.has(*_BROKEN) or "payload is not completed" in f.text,
    lambda f: f"The connection to {f.it} broke off in the middle of the answer. Ask again.",
    retryable=True,
)
_UNREADABLE = _Rule(
    lambda f: f.has("JSONDecodeError", "APIResponseValidationError") or bool(_GARBLED.search(f.text)),
    lambda f: f"{f.server} sent something that could not be read. Does it speak {f.protocol}'s protocol?",
    retryable=True,
)
_ITS_OWN = _Rule(
    lambda f: f.status >= 500 or "Got unexpected response from Ollama" in f.text,  # an error in the middle of a reply
    lambda f: f"{f.server} had an error of its own: {f.said()}",
    retryable=True,
)
_NOT_ACCEPTED = _Rule(
    lambda f: f.status in (400, 422),
    lambda f: f"{f.server} did not accept the request: {f.said()}",
)
_OTHER = _Rule(
    lambda _: True,
    lambda f: f"{f.server} could not answer: {f.said()}",
)

_RULES = (
    _NO_PROVIDER,
    _NO_ADDRESS,
    _NO_PACKAGE,
    _UNREACHED_IN_TIME,
    _SILENT,
    _NOT_RUNNING,
    _UNREACHED,
    _LONG,
    _FILTERED,
    _WRONG_KEY,
    _NOT_ALLOWED,
    _UNKNOWN_MODEL,
    _USED_UP,
    _TOO_MANY,
    _BROKE_OFF,
    _UNREADABLE,
    _ITS_OWN,
    _NOT_ACCEPTED,
    _OTHER,
)
"""The first that applies holds."""
