"""giftsim behind other HTTP servers, to choose its own by: the same application, the same calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import GIFTSIM, Peer
from benchmarks.peers.wrk import Request

MODULE = "benchmarks.peers.front_app"
ADDRESS = "127.0.0.1"
MANY = 300  # threads: giftsim holds up to 256 calls, which take that many threads of a server that cannot lend them
CHEROOT = (
    f"from cheroot.wsgi import Server; from {MODULE} import app;"
    f" Server(('{ADDRESS}', {{port}}), app, numthreads={{threads}}).start()"
)
UVICORN = (
    f"import uvicorn; from a2wsgi import WSGIMiddleware; from {MODULE} import app;"
    f" uvicorn.run(WSGIMiddleware(app, workers={MANY}), host='{ADDRESS}', port={{port}}, log_level='critical')"
)
TRIVIAL = Request("GET", "/")


def _behind(name: str, does: str, command: Callable[[int], list[str]]) -> Peer:
    return replace(GIFTSIM, name=name, does=does, command=lambda port, _: command(port))


def _waitress(port: int, threads: int) -> list[str]:
    return ["waitress-serve", f"--listen={ADDRESS}:{port}", f"--threads={threads}", f"{MODULE}:app"]


def _cheroot(port: int, threads: int) -> list[str]:
    return ["python", "-c", CHEROOT.format(port=port, threads=threads)]


def _granian(port: int, app: str, threads: int) -> list[str]:
    return [
        "granian", "--interface", "wsgi", "--host", ADDRESS, "--port", str(port), "--workers", "1", "--no-ws",
        "--blocking-threads", str(threads), "--log-level", "error", f"{MODULE}:{app}",
    ]  # fmt: skip


FRONTS = (
    replace(GIFTSIM, name="its own", does="the thread that reads a call answers it; llhttp"),
    _behind("waitress, 2 threads", "a thread that polls and workers, in Python", lambda port: _waitress(port, 2)),
    _behind("waitress, 300 threads", "enough threads for held calls", lambda port: _waitress(port, MANY)),
    _behind("cheroot, 10 threads", "workers, in Python", lambda port: _cheroot(port, 10)),
    _behind("cheroot, 300 threads", "enough threads for held calls", lambda port: _cheroot(port, MANY)),
    _behind("granian, 1 thread", "in Rust; no held calls", lambda port: _granian(port, "app", 1)),
    _behind("granian, 8 threads", "in Rust; cannot lend threads", lambda port: _granian(port, "app", 8)),
    _behind("granian, 300 threads", "enough threads for held calls", lambda port: _granian(port, "app", MANY)),
    _behind("uvicorn, 300 threads", "an event loop, and workers behind a2wsgi",
            lambda port: ["python", "-c", UVICORN.format(port=port)]),
    Peer("granian, bare", "the floor: two bytes, no application",
         lambda port, _: _granian(port, "trivial", 1), TRIVIAL, TRIVIAL),
)  # fmt: skip


def trivial(_environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """An application that does nothing."""
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return (b"ok",)


def python_path() -> str:
    """Where other environments find giftsim and what it needs."""
    root = Path(__file__).parents[2]
    return ":".join(
        [str(root / "simulator"), str(root), *(entry for entry in sys.path if entry.endswith("site-packages"))]
    )
