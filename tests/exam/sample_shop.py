"""The sample shop as a module, so that apps with a mistake are small subclasses of it, and servers for them."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 0.3


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_shop", ROOT / "examples" / "shop.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLE = _example()
Shop: Any = EXAMPLE.Shop
Broken: Any = EXAMPLE.Broken


def serve(shop: Any, port: int) -> None:
    """Serve a shop at a port of this machine until the process ends."""
    with _server(shop, port, EXAMPLE.Handler) as server:
        server.serve_forever()


@contextmanager
def serving(shop: Any, handler: Any = EXAMPLE.Handler) -> Iterator[str]:
    """The URL of a shop that is served while the block runs."""
    with _server(shop, 0, handler) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def _server(shop: Any, port: int, handler: Any) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.shop = shop  # type: ignore[attr-defined]
    return server
