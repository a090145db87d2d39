"""Which embedder a name means: the built-in one, one of the hub, a folder, or a server behind litellm."""

import hashlib
import os
from contextlib import suppress
from functools import partial
from pathlib import Path

from chatmem.adapters.litellm.embedder import LitellmEmbedder
from chatmem.adapters.model_store.store import FolderModelStore
from chatmem.bootstrap.choosing import EMBEDDER
from chatmem.bootstrap.embedders import OwnedEmbedder
from chatmem.bootstrap.embedding import ChosenEmbedder
from chatmem.bootstrap.profiles import profiles_of
from chatmem.config.schema import Settings
from chatmem.domain.errors import SettingsError
from chatmem.domain.model import ModelChoice
from chatmem.ports.keys import Keys

LITELLM = "litellm:"

_MODEL = "all-MiniLM-L6-v2"
_DIMENSION = 384
_OF_PROFILE, _OF_FOLDER = " = ", " @ "
"""Between the name that the person uses and what it stood for when vectors were made with it."""


def embedder_of(store: FolderModelStore, settings: Settings, keys: Keys) -> OwnedEmbedder:
    """The embedder that the settings ask for; nothing is loaded.

    Raises:
        SettingsError: If `embedding.model` names none.
    """
    return _opened(settings.embedding.model, store, settings, keys)


def former_embedder(model: str, store: FolderModelStore, settings: Settings, keys: Keys) -> OwnedEmbedder | None:
    """The embedder of a model that the settings asked for once; `None` where it can't be had as it was."""
    name = model.partition(_OF_PROFILE)[0].partition(_OF_FOLDER)[0]
    with suppress(SettingsError):
        embedder = _opened(name, store, settings, keys)
        if embedder.model == model and embedder.here():
            return embedder
        embedder.close()
    return None


def _opened(name: str, store: FolderModelStore, settings: Settings, keys: Keys) -> OwnedEmbedder:
    backend = settings.embedding.backend
    if name in {EMBEDDER, _MODEL}:
        return ChosenEmbedder(
            lambda: store.entry(EMBEDDER).path,
            backend,
            model=_MODEL,
            dimension=_DIMENSION,
            pull=lambda progress: store.pull(EMBEDDER, progress),
        )
    if name.startswith(LITELLM):
        return _served(name, settings, keys)
    if name.startswith((".", "~", os.sep)) or Path(name).is_absolute():
        return _in_folder(Path(name).expanduser(), store, settings)
    if name.count("/") == 1 and all(name.split("/")):
        return ChosenEmbedder(
            partial(store.hub_folder, name),
            backend,
            model=name,
            dimension=0,
            pull=partial(store.pull_from_hub, name),
            missing=f"The embedding model {name} is not on this machine; chatmem fetches it when it has a network.",
        )
    raise SettingsError(
        f"embedding.model is {name!r}, which names no embedder. It may be {EMBEDDER}, a model of the Hugging Face hub "
        "such as BAAI/bge-small-en-v1.5, the path of a folder, or litellm:MODEL, such as "
        "litellm:openai/text-embedding-3-small or litellm: and the name of a profile."
    )


def _served(name: str, settings: Settings, keys: Keys) -> LitellmEmbedder:
    called = name.removeprefix(LITELLM)
    profiles = {profile.name: profile.choice for profile in profiles_of(settings)}
    if (choice := profiles.get(called)) is not None:
        return LitellmEmbedder(choice, model=f"{name}{_OF_PROFILE}{choice.model}", keys=keys)
    if "/" not in called:
        raise SettingsError(
            f"embedding.model is {name!r}, but there is no profile {called!r}; a model is written provider/model."
        )
    return LitellmEmbedder(ModelChoice(name=called, model=called), model=name, keys=keys)


def _in_folder(folder: Path, store: FolderModelStore, settings: Settings) -> ChosenEmbedder:
    print_ = _fingerprint(folder)
    return ChosenEmbedder(
        lambda: store.linked(folder, print_) if (folder / "modules.json").exists() else None,
        settings.embedding.backend,
        model=f"{folder}{_OF_FOLDER}{print_}",
        dimension=0,
        missing=f"There is no sentence-transformers model in {folder}. Correct embedding.model in the settings.",
    )


def _fingerprint(folder: Path) -> str:
    """Tells by names, sizes and times whether the files are those that they were."""
    found = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            told = path.stat()
            found.update(f"{path.relative_to(folder)} {told.st_size} {told.st_mtime_ns}\n".encode())
    return found.hexdigest()
