"""The child process: serves one model in the OpenAI protocol on loopback, for as long as any window lives."""

import argparse
import os
import secrets
import time
from pathlib import Path
from typing import Any

from filelock import Timeout

from chatmem.adapters.llamacpp.den import Den
from chatmem.domain.model import Endpoint

_LOOK_S = 1.0
_PROMPT_CACHE_MIB = 512
_BATCH_TOKENS = 64
"""Read at once. A cancelled prompt goes on to the end of its batch: 1.5 s with 64, 20 s and more with the usual 2,048.

It costs 4 % of the speed on two cores of a CPU.
"""


def main() -> None:
    """Load the model, say where it is served, and wait until no window is left."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("name")
    parser.add_argument("context_tokens", type=int)
    parser.add_argument("threads", type=int)
    options = parser.parse_args()
    den = Den(options.folder)
    den.server_lock.acquire(timeout=5)  # a window may be looking whether it is free
    key = secrets.token_urlsafe(32)
    server = _serve(options, key)
    den.publish(Endpoint(base_url=f"{server.listening_address}/v1", api_key=key))
    while not _may_go(den):
        time.sleep(_LOOK_S)


def _serve(options: argparse.Namespace, key: str) -> Any:
    os.environ["OMP_WAIT_POLICY"] = "passive"  # read at import; without it, 20 times slower when cores are busy
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(options.model)
    params.model_alias = {options.name}
    params.n_ctx = options.context_tokens
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.cpuparams.n_threads = options.threads or _physical_cores()
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.cors_origins = ""
    params.cors_credentials = False
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = 0
    return xllamacpp.Server(params)


def _may_go(den: Den) -> bool:
    try:
        with den.start_lock.acquire(blocking=False):
            if den.has_clients():
                return False
            den.withdraw()
            os._exit(0)  # still holding both locks, and without waiting for a reply that nobody reads
    except Timeout:
        return False  # a window is just starting


def _physical_cores() -> int:
    """Cores this process may use, hyper-threads counted once where the kernel tells; 8 at most."""
    if not hasattr(os, "sched_getaffinity"):
        return min(8, os.cpu_count() or 1)
    usable = os.sched_getaffinity(0)
    siblings = (Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/core_cpus_list") for cpu in usable)
    cores = {path.read_text() for path in siblings if path.is_file()}
    return min(8, len(cores) or len(usable))


if __name__ == "__main__":
    main()
