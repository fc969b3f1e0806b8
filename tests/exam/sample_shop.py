"""The sample shop as a module, so that apps with a mistake are small subclasses of it, and a server for them."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_shop", ROOT / "examples" / "shop.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


EXAMPLE = _example()
Shop: Any = EXAMPLE.Shop
Handler: Any = EXAMPLE.Handler
Broken: Any = EXAMPLE.Broken


def serve(shop: Any, port: int, handler: Any = Handler) -> None:
    """Serve a shop at a port of this machine until the process ends."""
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        server.shop = shop  # type: ignore[attr-defined]
        server.serve_forever()


@contextmanager
def serving(shop: Any, handler: Any = Handler) -> Iterator[str]:
    """The address of a shop that is served in this process meanwhile."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.shop = shop  # type: ignore[attr-defined]
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
