"""The child process: loads a model, then answers texts with vectors until its standard input ends.

It is run as a script, so that nothing of chatmem is imported here. A request is a JSON list of texts on one line. An
answer is a JSON object on one line: `bytes`, the length of the float32 vectors that follow, or `error`. The first
answer, given unasked when the model is loaded, has its `dimension`.
"""

import json
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

_THREADS = 2


def main() -> None:
    """Serve the model in the folder that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _own_stdout()
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(requests,), daemon=True).start()
    try:
        _serve(sys.argv[1], requests, answers)
    except Exception as error:  # what went wrong is for the parent to tell
        _answer(answers, {"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]})
    os._exit(1)


def _own_stdout() -> BinaryIO:
    """The pipe to the parent, out of reach of libraries that print."""
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 a device
        os.dup2(nowhere.fileno(), 1)
    return answers


def _read(requests: "SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)  # the parent has gone: nothing is worth finishing, not even an import


def _serve(path: str, requests: "SimpleQueue[bytes]", answers: BinaryIO) -> None:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(_THREADS)
    model = SentenceTransformer(path, device="cpu", local_files_only=True)
    _answer(answers, {"dimension": _embed(model, [""]).shape[1]})
    while True:
        vectors = _embed(model, json.loads(requests.get())).tobytes()
        _answer(answers, {"bytes": len(vectors)}, vectors)


def _embed(model: Any, texts: list[str]) -> Any:
    return model.encode(texts, normalize_embeddings=True, show_progress_bar=False).astype("float32")


def _answer(answers: BinaryIO, header: dict[str, object], content: bytes = b"") -> None:
    answers.write(json.dumps(header).encode() + b"\n" + content)
    answers.flush()


if __name__ == "__main__":
    main()
