"""What can be set, and its defaults."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

Tokens = Annotated[int, Meta(ge=0)]
Dollars = Annotated[float, Meta(ge=0)]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the settings file; keys that it does not name are errors."""


class WorkingMemorySettings(Section, frozen=True):
    """`[working_memory]`: how the context is shared out, in tokens."""

    strategy: Literal["sliding", "summarising"] = "summarising"
    reply_tokens: Annotated[int, Meta(ge=16)] = 1024
    summary_tokens: Tokens = 600


class RemoteSettings(Section, frozen=True):
    """`[recall.remote]`: a LanceDB elsewhere, asked where nothing here answers a question; without `uri` there is none.

    `uri` is `db://DATABASE`, a bucket (`s3://`, `gs://`, `az://`) or a folder, and `table` a table there with a column
    `text`. Its key is named, never written here; a bucket's credentials come from the environment. Then the question's
    embedding and its words without grammar leave the machine. A question waits `wait_s` seconds for it, no longer.
    """

    uri: str = ""
    table: Annotated[str, Meta(min_length=1)] = "memories"
    api_key_env: str | None = None
    api_key_command: str | None = None
    api_key_keyring: str | None = None
    region: str = "us-east-1"
    endpoint: str | None = None
    options: dict[str, str] = {}
    wait_s: Annotated[float, Meta(gt=0)] = 1.0


class RecallSettings(Section, frozen=True):
    """`[recall]`: what may be added to a prompt, and `edge` for small machines.

    With `edge` nothing is held in memory to be searched: LanceDB's indexes on disk are asked, by words and by 1-bit
    codes of the vectors, the best of which are compared exactly. That takes 0.1 s more a question, and saves about 1 kB
    a turn and a memory: nothing that shows at 20,000 of them.

    `card_tokens` puts so much of the profile card before every question, of what `budget_tokens` allows: who the user
    is, whatever the question. Without it the model is told what bears on the question.
    """

    budget_tokens: Tokens = 1500
    card_tokens: Tokens = 0
    edge: bool = False
    remote: RemoteSettings = RemoteSettings()


class ConsolidationSettings(Section, frozen=True):
    """`[consolidation]`: when a session is queued, and who extracts.

    `write = "now"` learns from each turn by rules before it is answered; `imports = false` lets imported sessions wait.

    `conflicts` says what becomes of two memories that contradict one another; with `review` all that is learned
    waits until it is accepted.
    """

    after_turns: Annotated[int, Meta(ge=1)] = 10
    idle_s: Annotated[float, Meta(ge=1)] = 90
    extractor: Literal["auto", "model", "rules"] = "auto"
    conflicts: Literal["newest", "both", "ask"] = "newest"
    review: bool = False
    write: Literal["later", "now"] = "later"
    imports: bool = True


class PolicySettings(Section, frozen=True):
    """`[policy]`: what becomes of memories of sensitive kinds, and after how many days a temporary one expires."""

    medical: Literal["always", "ask", "temporary", "never"] = "ask"
    financial: Literal["always", "ask", "temporary", "never"] = "ask"
    others_private: Literal["always", "ask", "temporary", "never"] = "ask"
    temporary_days: Annotated[int, Meta(ge=1)] = 30


class BuiltinSettings(Section, frozen=True):
    """`[builtin]`: the built-in model; 0 threads means one per physical core, up to 8."""

    context_tokens: Annotated[int, Meta(ge=512)] = 8192
    threads: Annotated[int, Meta(ge=0)] = 0


class EmbeddingSettings(Section, frozen=True):
    """`[embedding]`: off means recall by words alone; `fetch` lets the app pull the model by itself.

    `model` is minilm, a sentence-transformers model of the Hugging Face hub (`BAAI/bge-small-en-v1.5`) or in a folder
    of one's own (its path), or an embedding model behind litellm (`litellm:openai/text-embedding-3-small`, or
    `litellm:` and the name of a profile). With another one, what is remembered is embedded anew in the background.
    `onnx` makes a small copy of the model once, which needs a quarter of the memory of `torch`, the original.
    """

    enabled: bool = True
    model: Annotated[str, Meta(min_length=1)] = "minilm"
    fetch: bool = True
    backend: Literal["onnx", "torch"] = "onnx"


class ChatSettings(Section, frozen=True):
    """`[chat]`: what talking may consume in a day; unset for no limit."""

    tokens_per_day: Tokens | None = None
    usd_per_day: Dollars | None = None


class BackgroundSettings(Section, frozen=True):
    """`[background]`: which model learns and sums up, if not the one talked to, and what it may consume in a day."""

    model: str | None = None
    tokens_per_day: Tokens | None = None
    usd_per_day: Dollars | None = None


class PromptSettings(Section, frozen=True):
    """`[prompt]`: what Enter does, vi keys, and the editor; empty for `$VISUAL` or `$EDITOR`."""

    enter: Literal["send", "newline"] = "send"
    vi: bool = False
    editor: str = ""


class ProviderSettings(Section, frozen=True):
    """`[providers.NAME]`: a model under a name of the person's own. Keys are named, never written here."""

    model: Annotated[str, Meta(min_length=1)]
    api_base: str | None = None
    api_key_env: str | None = None
    api_key_command: str | None = None
    api_key_keyring: str | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    reasoning_effort: str | None = None
    context_tokens: Annotated[int, Meta(ge=256)] | None = None
    fallback: str | None = None
    headers: dict[str, str] = {}


class Settings(Section, frozen=True):
    """All settings, with their defaults."""

    model: str | None = None
    profile: str = "default"
    data_dir: Path | None = None
    cache_dir: Path | None = None
    theme: str = "chatmem-dark"
    working_memory: WorkingMemorySettings = WorkingMemorySettings()
    recall: RecallSettings = RecallSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    policy: PolicySettings = PolicySettings()
    builtin: BuiltinSettings = BuiltinSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    chat: ChatSettings = ChatSettings()
    background: BackgroundSettings = BackgroundSettings()
    prompt: PromptSettings = PromptSettings()
    providers: dict[str, ProviderSettings] = {}

    def with_extractor(self, extractor: Literal["auto", "model", "rules"]) -> "Settings":
        """The same, with another extractor."""
        return replace(self, consolidation=replace(self.consolidation, extractor=extractor))
