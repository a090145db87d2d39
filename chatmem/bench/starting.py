"""The child process of `chatmem bench speed`: starts, asks one question, tells what that took, and ends."""

import json
import sys
from pathlib import Path
from time import process_time

from chatmem.bootstrap import Installation, open_product

BUDGET_TOKENS = 1_500


def main() -> None:
    """Recall by meaning as early as can be, and print a JSON line with the processor time and the memory it took."""
    given = json.loads(sys.argv[1])
    config_file = Path(given["config_file"]) if given["config_file"] else None
    with open_product(Installation(config_file=config_file, flags=given["flags"])) as product:
        product.load_embedder()
        found = product.recall.find(given["question"], budget_tokens=BUDGET_TOKENS)
        told = {"found": len(found), "processor_s": process_time(), "resident_mb": _resident_mb()}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _resident_mb() -> float | None:
    """The most memory this process ever held; `None` where the system does not tell it of one process alone."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), None)


if __name__ == "__main__":
    main()
