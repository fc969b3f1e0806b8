"""Which line of the user's code made each call, for the trace of a test.

A note is made with each call while a test is traced; nothing else of a call is kept. The frames of libraries are passed
over: those of giftsim, of Python and of installed packages.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.url_paths import CONTROL
from giftsim.testing.transport import InProcess, Transport

if TYPE_CHECKING:
    from giftsim.build import Simulator

PACKAGE = str(Path(__file__).parents[1])
INSTALLED = ("site-packages", "dist-packages")
READS = ("GET", "HEAD")
MOST = 20_000  # the newest calls; an event log keeps as many


Lines = tuple[CodeType, int]  # a line of a function


class Note(NamedTuple):
    """A call with the lines that made it: the innermost of the user's code, and that of the test function."""

    method: str
    path: str
    source: Lines | None
    test_source: Lines | None
    during: int | None
    request_id: str | None


class CallNotes:
    """The notes of one test. `root` is the folder of the user's code, `test` the code of the test function.

    `delivering` is the number of the delivery that the user's app is handling.
    """

    def __init__(self, root: Path, test: CodeType | None) -> None:
        self.rows: deque[tuple[Any, ...]] = deque(maxlen=MOST)
        self.root = f"{root}/"
        self._test = test
        self._is_users: dict[CodeType, bool] = {}
        self.delivering: int | None = None

    def notes(self) -> Iterator[Note]:
        """The notes, in the order in which the calls ended."""
        return (Note(*row) for row in self.rows)

    def begin(self, method: str, path: str) -> tuple[Any, ...] | None:
        """A note of a call that is about to be made; None for a call that only reads the control API."""
        if method in READS and path.startswith(CONTROL):
            return None
        source = None
        frame: FrameType | None = sys._getframe(2)
        known, test = self._is_users, self._test
        while frame is not None:
            code = frame.f_code
            if code is test:
                own = code, frame.f_lineno
                return method, path, source or own, own if source else None, self.delivering
            if source is None and (known[code] if code in known else self._has(code)):
                source = code, frame.f_lineno
                if test is None:
                    break
            frame = frame.f_back
        return method, path, source, None, self.delivering

    def end(self, note: tuple[Any, ...] | None, response: Response | None) -> None:
        """Keep a note once its call has ended."""
        if note is not None:
            self.rows.append((*note, response.headers.get("x-request-id") if response is not None else None))

    @contextmanager
    def during(self, delivery: int) -> Iterator[None]:
        """A block in which the user's app handles a delivery."""
        self.delivering = delivery
        try:
            yield
        finally:
            self.delivering = None

    def _has(self, code: CodeType) -> bool:
        """Whether code is the user's own."""
        self._is_users[code] = found = is_users(code, self.root)
        return found


def is_users(code: CodeType, root: str) -> bool:
    """Whether code is that of a user whose project is in this folder, and not of a library."""
    file = code.co_filename
    return file.startswith(root) and not file.startswith(PACKAGE) and not any(one in file for one in INSTALLED)


class NotedInProcess(InProcess):
    """Calls a simulator in this process, and notes who does."""

    def __init__(self, simulator: Simulator, notes: CallNotes) -> None:
        super().__init__(simulator)
        self.notes = notes

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        environ: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Make one call, and note the lines that made it."""
        note, response = self.notes.begin(method, path), None
        try:
            response = super().call(method, path, body=body, headers=headers, environ=environ, timeout_s=timeout_s)
            return response
        finally:
            self.notes.end(note, response)


class NotedOverHttp:
    """Calls a server over a transport that others share, and notes who does."""

    def __init__(self, transport: Transport, notes: CallNotes) -> None:
        self.inner, self.notes = transport, notes

    @property
    def origin(self) -> str:
        """The server's origin."""
        return self.inner.origin

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Response:
        """Make one call, and note the lines that made it."""
        note, response = self.notes.begin(method, path), None
        try:
            response = self.inner.call(method, path, body=body, headers=headers, timeout_s=timeout_s)
            return response
        finally:
            self.notes.end(note, response)


NOTES_KEY = pytest.StashKey[CallNotes]()


def noted(item: pytest.Item, transport: Transport) -> Transport:
    """The transport, which notes for the trace of a test who makes each call."""
    notes = item.stash.setdefault(NOTES_KEY, CallNotes(item.config.rootpath, code_of(item)))
    if isinstance(transport, InProcess):
        return NotedInProcess(transport.simulator, notes)
    return NotedOverHttp(transport, notes)


def unnoted(transport: Transport) -> Transport:
    """The transport without notes, for calls to a world that is not the test's."""
    if isinstance(transport, NotedInProcess):
        return InProcess(transport.simulator)
    return transport.inner if isinstance(transport, NotedOverHttp) else transport


def code_of(item: pytest.Item) -> CodeType | None:
    """The code of a test function, below its decorators."""
    function: Any = getattr(item, "obj", None)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, CodeType) else None
