"""The child process that exports a model, once: drawn by torch, quantised by onnxruntime, compared with its original.

It takes 15 s and 1 GB, at the lowest priority. What it makes lies in a folder of its own until it is whole. It ends
when its standard input does: when its parent has gone.
"""

import os
import shutil
import signal
import sys
from pathlib import Path
from threading import Thread
from typing import Any

from filelock import FileLock

from chatmem.adapters.onnx import exported
from chatmem.adapters.onnx.encoder import CLS, MEAN, Encoder
from chatmem.adapters.onnx.exported import Exported

_TEXTS = Path(__file__).with_name("texts.txt").read_text(encoding="utf-8").splitlines()
"""Several languages, lengths and kinds."""

_LIKE_ENOUGH = 0.98
_SPARED = ("layer.0/", "layer.1/output/", "layer.2/output/", "layer.2/intermediate/")
"""What loses most stays as it is: the least cosine is .984 where it would be .973, for a seventh of the time."""

_OPSET = 17
_WHOLE = "whole.onnx"


def main() -> None:
    """Export the model in the folder that the command line names, unless another process did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(19)
    original = Path(sys.argv[1])
    with FileLock(original / "onnx.lock", mode=0o600):
        if exported.read(original) is None:
            _export(original)
    os._exit(0)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _export(original: Path) -> None:
    partial = original / "onnx.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700)
    try:
        made = _make(original, partial)
    except (OSError, MemoryError):  # another time there may be room
        raise
    except Exception as error:  # torch and onnxruntime raise all sorts; the original then serves
        if "memory" in str(error):
            raise
        made = Exported(makers=exported.makers(), failure=type(error).__name__)
    made.save(partial)
    _put_in_place(partial, original / exported.FOLDER)


def _make(original: Path, partial: Path) -> Exported:
    expected, tokens, pooling = _draw(original, partial / _WHOLE)
    file = partial / exported.MODEL
    _quantise(partial / _WHOLE, file)
    cosine = _likeness(Encoder(file, original / "tokenizer.json", tokens=tokens, pooling=pooling), expected)
    (partial / _WHOLE).unlink()
    return Exported(
        makers=exported.makers(),
        cosine=round(cosine, 4),
        sha256=exported.digest(file) if cosine >= _LIKE_ENOUGH else None,
        tokens=tokens,
        dimension=expected.shape[1],
        pooling=pooling,
    )


def _draw(original: Path, file: Path) -> tuple[Any, int, str]:
    """Export the model; its own vectors of the built-in texts, how many tokens it looks at, and how it pools them.

    A model that does something else with the vectors of the tokens fails the comparison, and is used as it is.
    """
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(
        str(original), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
    ).eval()
    expected = model.encode(_TEXTS, batch_size=1, normalize_embeddings=True, show_progress_bar=False)
    inputs = dict(model.tokenizer(["two texts", "of unlike length"], padding=True, return_tensors="pt"))
    with torch.no_grad():
        torch.onnx.export(
            _drawn(model[0].auto_model, tuple(inputs)),
            tuple(inputs.values()),
            str(file),
            input_names=list(inputs),
            output_names=["hidden"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in [*inputs, "hidden"]},
            opset_version=_OPSET,
            dynamo=False,  # the newer way wants one more library
        )
    pools_first = getattr(model[1], "pooling_mode", MEAN) == CLS
    return expected, int(model.max_seq_length), CLS if pools_first else MEAN


def _drawn(model: Any, names: tuple[str, ...]) -> Any:
    """The part that is exported: from tokens to a vector for each."""
    import torch

    class Drawn(torch.nn.Module):  # type: ignore[misc]  # mypy is not shown torch
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *values: Any) -> Any:
            return self.model(**dict(zip(names, values, strict=True))).last_hidden_state

    return Drawn().eval()


def _quantise(whole: Path, file: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    names = [node.name for node in onnx.load(whole).graph.node]
    quantize_dynamic(
        whole,
        file,
        weight_type=QuantType.QInt8,
        per_channel=True,  # one scale for a whole matrix loses five times as much
        nodes_to_exclude=[name for name in names if any(spared in name for spared in _SPARED)],
    )


def _likeness(encoder: Encoder, expected: Any) -> float:
    import numpy as np

    return min(float(np.dot(encoder.encode(text), vector)) for text, vector in zip(_TEXTS, expected, strict=True))


def _put_in_place(partial: Path, folder: Path) -> None:
    for path in partial.iterdir():
        with path.open("rb+") as whole:
            os.fsync(whole.fileno())
    shutil.rmtree(folder, ignore_errors=True)
    partial.replace(folder)


if __name__ == "__main__":
    main()
