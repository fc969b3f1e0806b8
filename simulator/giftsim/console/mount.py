"""The console in front of the other pages: its paths go to it, all others go on to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from giftsim.console.control_client import NOT_TRUSTED, SESSION_COOKIE, Sessions
from giftsim.engine.client.control import CONTROL
from giftsim.engine.client.in_process import InProcessClient

if TYPE_CHECKING:
    from flask import Flask

BUILDING: Final = Lock()  # one console is built at a time: Python 3.11 makes no syntax trees in two threads at once
PATHS = ("/w/", "/console/")
LLMS, LIST = "/llms.txt", "/console/docs/llms.txt"  # where agents look for the list of pages, and where it is
CHANGES = re.compile(r"/w/([^/]+)/changes")
Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]


class WithConsole:
    """The pages with the console before them. `application` is the whole simulator, which the console calls.

    The console is made by its first request. A browser gets its home at `/`, and any other client gets the pages'.
    `/w/{world}/changes` is the stream of the control API, for which a browser can send a cookie and no header.
    """

    def __init__(
        self,
        pages: Wsgi,
        application: Wsgi,
        version: str,
        begin_session: Callable[[], str],
        origin: Callable[[], str],
    ) -> None:
        self._pages, self._application, self._version = pages, application, version
        self._sessions = Sessions(begin_session, origin)
        self._made: Flask | None = None

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if match := CHANGES.fullmatch(path):
            return self._application(_with_session(environ, f"{CONTROL}/worlds/{match[1]}/changes"), start_response)
        if path == LLMS:
            environ = {**environ, "PATH_INFO": LIST}
            path = LIST
        if path.startswith(PATHS) or (path == "/" and _is_browser(environ)):
            with BUILDING:
                console = self._console()
            return console(environ, start_response)
        return self._pages(environ, start_response)

    def prepare(self) -> None:
        """Make the home once, so that all that it imports and compiles is there for the first browser, which waits."""
        host = urlsplit(self._sessions.origin()).netloc
        with BUILDING:
            client = InProcessClient(self._console())
            client.call("GET", "/", headers={"Accept": "text/html", "Host": host}, environ=NOT_TRUSTED)

    def _console(self) -> Flask:
        """The console. BUILDING is held."""
        if self._made is None:
            from giftsim.console.app import console_app

            client = InProcessClient(self._application, environ=NOT_TRUSTED)
            self._made = console_app(client, self._version, self._sessions)
        return self._made


def _with_session(environ: Environ, path: str) -> Environ:
    """The request for a path of the control API, with the session of the browser's cookie as a header."""
    try:
        session = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(SESSION_COOKIE)
    except CookieError:
        session = None
    header = {"HTTP_AUTHORIZATION": f"Bearer {session.value}"} if session else {}
    return {**environ, **NOT_TRUSTED, "PATH_INFO": path, **header}


def _is_browser(environ: Environ) -> bool:
    accepted = parse_accept_header(environ.get("HTTP_ACCEPT"), MIMEAccept)
    return accepted.best_match(["application/json", "text/html"]) == "text/html"
