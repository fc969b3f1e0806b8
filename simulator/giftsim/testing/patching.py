"""Routes an application's own calls to worlds, by replacing the connections of its client libraries.

A library is patched once the application has imported it. One that it has not costs nothing. An audit hook refuses what
other clients do: it sees every name that Python resolves and every address that it connects to. It cannot be removed,
so it does nothing while no route is active. It cannot see clients that are written in C and do both themselves.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from giftsim.testing import http_client_patch
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import ACTIVE, NOT_BY_URLLIB3_FUTURE, Router, check_address

__tracebackhide__ = expected_errors
Patch = tuple[type, str, Any]

_lock = threading.RLock()
_installed = ExitStack()
_patched: dict[str, ModuleType] = {}
_entered: list[Router] = []
_watching: list[bool] = []


@contextmanager
def routed(router: Router) -> Iterator[None]:
    """Inside the block, send URLs below the router's base to its world, in all threads and for existing clients too.

    Other hosts are unaffected. Blocks may overlap; of two for one URL, the later one counts.
    """
    with _lock:
        if not _entered:
            _watch_process()
            _install(http_client_patch.patches(_install))
            sys.meta_path.insert(0, _Imports)
        _entered.append(router)
    try:
        for library in LIBRARIES:
            if sys.modules.get(library) is not None:
                _patch(library, import_module(library))  # without the lock: another thread may be importing it
        ACTIVE.insert(0, router)
        yield
    finally:
        with _lock:
            if router in ACTIVE:
                ACTIVE.remove(router)
            _entered.remove(router)
            http_client_patch.disconnect()
            if not _entered:
                sys.meta_path.remove(_Imports)
                _installed.close()
                _patched.clear()


class _Imports:
    """Patches a library that is imported inside a block, by a statement or by importlib, once it is there."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The place of a library as the other finders have it; None for all other modules."""
        if name not in LIBRARIES:
            return None
        finders = [finder for finder in sys.meta_path if finder is not _Imports]
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in finders)), None)
        loader: Any = spec and spec.loader
        if hasattr(loader, "exec_module"):
            execute = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                if _entered:
                    _patch(name, module)

            loader.exec_module = exec_module
        return spec


def _patch(library: str, module: ModuleType) -> None:
    with _lock:
        if _patched.get(library) is not module:
            _patched[library] = module
            _install(LIBRARIES[library](module))


def _install(patches: Iterator[Patch]) -> None:
    with _lock:
        for owner, name, method in patches:
            _installed.enter_context(patch.object(owner, name, method))


def _aiohttp(_module: ModuleType) -> Iterator[Patch]:
    from giftsim.testing import aiohttp_patch

    return aiohttp_patch.patches()


def _httpx(module: ModuleType) -> Iterator[Patch]:
    from giftsim.testing import httpx_patch

    return httpx_patch.patches(module)


def _httpcore(module: ModuleType) -> Iterator[Patch]:
    from giftsim.testing import httpcore_patch

    return httpcore_patch.patches(module)


def _pyreqwest(module: ModuleType) -> Iterator[Patch]:
    from giftsim.testing import pyreqwest_patch

    return pyreqwest_patch.patches(module)


def _urllib3(module: ModuleType) -> Iterator[Patch]:
    """Refuse calls of urllib3-future, which speaks HTTP/2 and 3 by itself. urllib3 is built on http.client."""
    if not hasattr(module, "AsyncPoolManager"):
        return
    for name in ("connection", "_async.connection"):
        connections = import_module(f"{module.__name__}.{name}")
        for kind in (each for each in vars(connections).values() if isinstance(each, type)):
            for method in ("connect", "putrequest"):
                if kind.__name__.endswith("Connection") and hasattr(kind, method):
                    yield kind, method, _refusing(getattr(kind, method))


def _refusing(original: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        for host, port in ((self.host, self.port), (self._tunnel_host, self._tunnel_port)):
            check_address(host, port, NOT_BY_URLLIB3_FUTURE)
        return original(self, *args, **options)

    return method


# Classes built on http.client need no entry. The audit hook refuses the calls of all other clients.
LIBRARIES: Final[Mapping[str, Callable[[ModuleType], Iterator[Patch]]]] = {
    "httpx": _httpx,
    "httpx2": _httpx,
    "httpcore": _httpcore,
    "httpcore2": _httpcore,
    "aiohttp": _aiohttp,
    "pyreqwest.request": _pyreqwest,
    "urllib3": _urllib3,
    "urllib3_future": _urllib3,
}


def _watch_process() -> None:
    """Watch this process, from the first route on."""
    if not _watching:
        _watching.append(True)
        sys.addaudithook(_watch)


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not ACTIVE:
        return
    check = CHECKS.get(event)
    if check is not None:
        check(args)


def _check_connect(args: tuple[Any, ...]) -> None:
    address = args[1]
    if isinstance(address, tuple) and len(address) >= 2:
        check_address(address[0], address[1])


CHECKS: Final[Mapping[str, Callable[[tuple[Any, ...]], None]]] = {
    "socket.getaddrinfo": lambda args: check_address(args[0], args[1]),
    "socket.gethostbyname": lambda args: check_address(args[0], None),
    "socket.connect": _check_connect,
    "socket.sendto": _check_connect,
    "socket.sendmsg": _check_connect,
}
