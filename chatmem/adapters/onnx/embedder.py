"""The embedder."""

import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from chatmem.adapters.onnx import exported
from chatmem.adapters.onnx.encoder import Encoder
from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Vector

logger = logging.getLogger(__name__)

_VISIBLE = 4_000
"""Characters of a text that are looked at. The model sees 256 tokens, about 1,200 characters of English."""


class OnnxEmbedder:
    """Embeds texts in this process and in the caller's thread; onnxruntime holds no interpreter lock meanwhile.

    Vectors are `array("f")`, as those of the original are, and so like them (cosine .98 at least) that both may lie
    in one index.

    Attributes:
        model: Name of the model; vectors of different models are never compared.
        dimension: Length of its vectors; 0 before the model was first loaded, where it was not told.
    """

    def __init__(
        self, original: Callable[[], Path | None], *, model: str = "all-MiniLM-L6-v2", dimension: int = 384
    ) -> None:
        """Build an embedder; loads nothing.

        Args:
            original: The folder of the model whose export is used; `None` while it was not fetched.
            model: Name of the model.
            dimension: Length of its vectors.
        """
        self.model = model
        self.dimension = dimension
        self._original = original
        self._encoder: Encoder | None = None
        self._loading = Lock()

    def exported(self) -> bool:
        """Whether there is an export to be used. Does not block, loads nothing."""
        folder = self._original()
        made = exported.read(folder) if folder else None
        return made is not None and made.sha256 is not None and self.dimension in {0, made.dimension}

    def ready(self) -> bool:
        """Whether `embed` would answer at once. Does not block, loads nothing."""
        return self._encoder is not None

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait for a load that is under way, at most so long; whether `embed` would then answer at once."""
        if self._loading.acquire(timeout=timeout_s):
            self._loading.release()
        return self.ready()

    def warm_up(self) -> None:
        """Load the model and return when it is ready: 0.3 s. A damaged export is thrown away.

        Raises:
            EmbedderError: If there is no export, or it is damaged.
        """
        self._loaded()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts, in order; loads the model first where needed.

        Raises:
            EmbedderError: If the model can't be had or failed.
        """
        if not texts:
            return []
        encoder = self._loaded()
        try:
            return [encoder.encode(_visible(text)) for text in texts]
        except Exception as error:  # onnxruntime's errors have no name of their own
            raise EmbedderError(f"The embedder failed: {type(error).__name__}.") from error

    def close(self) -> None:
        """Let go of the model; it is loaded again where needed."""
        self._encoder = None

    def _loaded(self) -> Encoder:
        with self._loading:
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder

    def _load(self) -> Encoder:
        folder = self._original()
        made = exported.read(folder) if folder else None
        if folder is None or made is None or made.sha256 is None:
            raise EmbedderError("The embedding model was not exported yet; `chatmem models pull minilm` does it.")
        file = folder / exported.FOLDER / exported.MODEL
        try:
            exported.check(file, made)
            encoder = Encoder(file, folder / "tokenizer.json", tokens=made.tokens, pooling=made.pooling)
        except (ImportError, MemoryError, OSError) as error:  # that says nothing of the model
            raise EmbedderError(f"The exported embedding model could not be loaded: {type(error).__name__}.") from error
        except Exception as error:  # onnxruntime's errors have no name of their own
            shutil.rmtree(file.parent, ignore_errors=True)
            logger.warning("the exported embedder was thrown away: %s", type(error).__name__)
            raise EmbedderError("The exported embedding model could not be loaded, and will be made again.") from error
        self.dimension = made.dimension
        return encoder


def _visible(text: str) -> str:
    # A lone surrogate can't be tokenised.
    return text[:_VISIBLE].encode("utf-8", "replace").decode()
