"""Every error chatmem expects.

The message of each is one sentence (or two) for the person: what is wrong, and what to do.
"""


class ChatMemError(Exception):
    """The root of all expected errors.

    ::

        ChatMemError
        ├── UsageError            the request makes no sense as it was written
        │   └── SettingsError     the settings file or a variable is wrong
        ├── NotFoundError         no such session, turn, memory or model
        ├── RefusedError          a policy, or a lock held elsewhere, forbids it
        ├── StoreError            the session log or the memory store could not be read or written
        ├── ModelError            a model could not do its part
        │   ├── ProviderError     the provider failed; `retryable` says whether trying again can help
        │   │   └── PromptTooLongError   the prompt is longer than the model takes in
        │   ├── NonsenseError     the model answered, but not in the form it was asked for
        │   └── EmbedderError     there is no embedder, or it failed
        └── ModelStoreError       a model file could not be fetched or checked
    """


class UsageError(ChatMemError):
    """The request makes no sense as it was written."""


class SettingsError(UsageError):
    """The settings file or a variable is wrong; the message names the file and the key."""


class NotFoundError(ChatMemError):
    """There is no session, turn, memory or model of that name."""


class RefusedError(ChatMemError):
    """A policy, or a lock held elsewhere, forbids it."""


class StoreError(ChatMemError):
    """The session log or the memory store could not be read or written."""


class ModelError(ChatMemError):
    """A model could not do its part."""


class ProviderError(ModelError):
    """A provider failed.

    Attributes:
        retryable: Whether the same request may succeed later.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class PromptTooLongError(ProviderError):
    """The prompt is longer than the model takes in; a shorter one may succeed."""


class NonsenseError(ModelError):
    """The model answered, but not in the form it was asked for."""


class EmbedderError(ModelError):
    """There is no embedder, or it failed."""


class ModelStoreError(ChatMemError):
    """A model file could not be fetched or checked."""
