"""One text at a time through an exported model."""

from array import array
from pathlib import Path
from typing import Any

from chatmem.ports.embedder import Vector

MEAN, CLS = "mean", "cls"

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Encoder:
    """An exported model and its tokenizer, loaded: 60 MB, 0.3 s with the libraries. Any number of threads may use it.

    Texts go through one by one. A batch would save little (148 texts a CPU-second in place of 141), and int8 scales
    what it computes by the largest number in the batch, so that a text's vector would depend on its neighbours.
    """

    def __init__(self, model: Path, tokenizer: Path, *, tokens: int, pooling: str = MEAN) -> None:
        """Load both files.

        Args:
            model: The exported model.
            tokenizer: The `tokenizer.json` of the original.
            tokens: How many tokens of a text the model looks at.
            pooling: What becomes of the vectors of the tokens: `mean`, or `cls` to take the first.
        """
        import onnxruntime
        from tokenizers import Tokenizer

        onnxruntime.set_default_logger_severity(4)  # it writes warnings over the screen
        self._session = onnxruntime.InferenceSession(model, _options(), providers=["CPUExecutionProvider"])
        self._inputs = {node.name for node in self._session.get_inputs()}
        self._pooling = pooling
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(tokens)
        self._tokenizer.no_padding()

    def encode(self, text: str) -> Vector:
        """The vector of the text, brought to length 1."""
        import numpy as np

        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        given = dict(zip(_INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True))
        (hidden,) = self._session.run(None, {name: given[name] for name in self._inputs})
        pooled = hidden[0][0] if self._pooling == CLS else hidden[0].mean(axis=0, dtype=np.float32)
        return array("f", (pooled / max(float(np.linalg.norm(pooled)), 1e-9)).astype(np.float32).tobytes())


def _options() -> Any:
    from onnxruntime import SessionOptions

    options = SessionOptions()
    # The caller's thread computes alone: a question is 2 to 5 ms, and two threads take half as much again in all.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return options
