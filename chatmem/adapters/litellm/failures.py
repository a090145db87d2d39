"""What went wrong at a provider, in a sentence with its cure."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from chatmem.adapters.litellm import library, providers
from chatmem.adapters.litellm.route import Route
from chatmem.domain.errors import ProviderError
from chatmem.domain.text import shortened

_LONGEST_WAIT_S = 10.0
_QUOTA = re.compile(r"quota|billing|credit|balance|insufficient", re.IGNORECASE)
_FILTER = re.compile(r"content.?(filter|policy|management)|safety", re.IGNORECASE)
_TOO_LONG = re.compile(r"context.?(length|size|window)|too many tokens|prompt is too long", re.IGNORECASE)
_NOT_FOUND = re.compile(r"model.{0,80}not found", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    error: Exception
    chain: tuple[BaseException, ...]
    text: str
    status: int
    way: Route

    @property
    def server(self) -> str:
        if self.way.choice.builtin is not None:
            return f"The built-in model {self.way.choice.builtin}"
        title = providers.title(self.way.model)
        if self.way.api_base is None:
            return title
        # What speaks OpenAI's protocol at another address need not be OpenAI.
        return f"{'The server' if title == 'OpenAI' else title} at {_address(self.way.api_base)}"

    @property
    def model(self) -> str:
        return self.way.model.partition("/")[2] or self.way.model

    def said(self) -> str:
        """What the provider said, on one line, without keys."""
        text = self.text
        if self.way.api_key and len(self.way.api_key) > 4:
            text = text.replace(self.way.api_key, "***")
        masked: str = library.load()._logging.redact_secrets(text)  # named a public function there
        masked = re.sub(r"^(litellm\.)?(\w+(Error|Exception)( - |: ))+", "", masked)
        return shortened(masked, 200)

    def has(self, *names: str) -> bool:
        """Whether an error of one of these class names is among the causes."""
        return any(kind.__name__ in names for error in self.chain for kind in type(error).__mro__)


def provider_error(error: Exception, way: Route) -> ProviderError:
    """Say what an error of litellm means; the key never shows."""
    chain = tuple(_causes(error))
    status = next((code for cause in chain if isinstance(code := getattr(cause, "status_code", None), int)), 0)
    failure = _Failure(error=error, chain=chain, text=str(chain[0]), status=status, way=way)
    for applies, sentence, retryable in _RULES:
        if applies(failure):
            return ProviderError(sentence(failure), retryable=retryable)
    return ProviderError(f"{failure.server} could not answer: {failure.said()}", retryable=failure.status >= 500)


def retry_after_s(error: ProviderError, pause_s: float) -> float | None:
    """Seconds to wait before trying again, at least `pause_s`; `None` when one should not try at once."""
    cause = error.__cause__
    if not error.retryable or cause is None or _is_timeout(tuple(_causes(cause))):
        return None
    asked = _asked_to_wait_s(cause)
    return None if asked > _LONGEST_WAIT_S else max(asked, pause_s)


def _asked_to_wait_s(error: BaseException) -> float:
    for cause in _causes(error):
        headers = getattr(cause, "litellm_response_headers", None) or {}
        try:
            return max(0.0, float(headers.get("retry-after", "")))
        except ValueError:
            continue
    return 0.0


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        wrapped = getattr(following, "original_exception", None)  # litellm's MidStreamFallbackError
        if wrapped is None:
            yield following
        following = wrapped or following.__cause__ or following.__context__


def _is_timeout(chain: tuple[BaseException, ...]) -> bool:
    names = {kind.__name__ for error in chain for kind in type(error).__mro__}
    return bool(names & {"TimeoutException", "TimeoutError", "Timeout", "APITimeoutError"})


def _address(api_base: str | None) -> str:
    parts = urlsplit(api_base or "")
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip("/")


def _start_hint(failure: _Failure) -> str:
    if failure.way.choice.builtin is not None:
        return "Ask again, and it is started anew."
    if failure.way.model.startswith("ollama"):
        return "Start it with `ollama serve`."
    if failure.way.api_base is not None:
        return "Is it running?"
    return "Check the network, or choose a model that runs on this machine."


def _key_name(failure: _Failure) -> str:
    if failure.way.variable is not None:
        return f"the key in {failure.way.variable}"
    return "the key"


def _pull_hint(failure: _Failure) -> str:
    if failure.way.model.startswith("ollama"):
        return f"Get it with `ollama pull {failure.model}`, or choose another model."
    return "Check the model's name and the address in the settings, or choose another model."


_Rule = tuple[Callable[[_Failure], bool], Callable[[_Failure], str], bool]
"""Whether it applies, what to say, and whether trying again can help."""

_RULES: tuple[_Rule, ...] = (
    (
        lambda f: "LLM Provider NOT provided" in f.text,
        lambda f: (
            f"“{f.way.choice.model}” names no provider that is known: write it as provider/model, "
            "such as openai/gpt-6.1-sol or ollama_chat/llama3.2."
        ),
        False,
    ),
    (
        lambda f: f.has("InvalidURL", "UnsupportedProtocol"),
        lambda f: (
            f"“{f.way.api_base}” is no address of a server: set api_base to something like http://localhost:8000/v1."
        ),
        False,
    ),
    (
        lambda f: f.has("ConnectTimeout"),
        lambda f: f"{f.server} could not be reached in time. {_start_hint(f)}",
        True,
    ),
    (
        lambda f: _is_timeout(f.chain),
        lambda f: f"{f.server} was silent for too long, so the answer was given up. Try again later.",
        True,
    ),
    (
        lambda f: f.has("ConnectError", "ConnectionRefusedError", "gaierror"),
        lambda f: f"{f.server} could not be reached. {_start_hint(f)}",
        True,
    ),
    (
        lambda f: (
            f.has("ContextWindowExceededError") or (f.status in (400, 413, 500) and bool(_TOO_LONG.search(f.text)))
        ),
        lambda f: (
            f"The prompt is longer than {f.way.choice.name} can take in. Shorten it, set context_tokens of the "
            "model in the settings to its real size, or choose a model with a larger context."
        ),
        False,
    ),
    (
        lambda f: f.has("ContentPolicyViolationError") or (f.status == 400 and bool(_FILTER.search(f.text))),
        lambda f: (
            f"{f.server} refused to answer because of its content filter. Say it in another way, "
            "or choose another model."
        ),
        False,
    ),
    (
        lambda f: f.status == 401,
        lambda f: (
            f"{f.server} refused {_key_name(f)}: it is missing or wrong. Set the right one and start chatmem "
            "again, or choose another model."
        ),
        False,
    ),
    (
        lambda f: f.status == 403,
        lambda f: (
            f"{f.server} does not let {_key_name(f)} use {f.model}. Choose another model, "
            "or ask the provider for access."
        ),
        False,
    ),
    (
        lambda f: f.status == 404 or bool(_NOT_FOUND.search(f.text)),
        lambda f: f"{f.server} has no model “{f.model}”. {_pull_hint(f)}",
        False,
    ),
    (
        lambda f: f.status == 402 or (f.status == 429 and bool(_QUOTA.search(f.text))),
        lambda f: (
            f"{f.server} says that the quota or credit of this account is used up. "
            "Add credit there, or choose another model."
        ),
        False,
    ),
    (
        lambda f: f.status == 429,
        lambda f: f"{f.server} takes no more requests for the moment. Try again in a minute.",
        True,
    ),
    (
        lambda f: (
            f.has("ClientPayloadError", "TransferEncodingError", "ReadError", "RemoteProtocolError")
            or "payload is not completed" in f.text
        ),
        lambda f: f"The connection to {f.server} broke off in the middle of the answer. Ask again.",
        True,
    ),
    (
        lambda f: f.has(json.JSONDecodeError.__name__) or "Unterminated string" in f.text,
        lambda f: f"{f.server} sent something that could not be read. Is it a server that speaks the OpenAI protocol?",
        True,
    ),
    (
        lambda f: f.status >= 500,
        lambda f: f"{f.server} had an error of its own: {f.said()}",
        True,
    ),
    (
        lambda f: f.status in (400, 422),
        lambda f: f"{f.server} did not accept the request: {f.said()}",
        False,
    ),
)
