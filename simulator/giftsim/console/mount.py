"""The console in front of the other pages: its paths go to it, all others go on to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from http.cookies import CookieError, SimpleCookie
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from giftsim.console.control_client import NOT_TRUSTED, SESSION_COOKIE, Sessions
from giftsim.engine.client.control import CONTROL
from giftsim.engine.client.in_process import InProcessClient

if TYPE_CHECKING:
    from flask import Flask

BUILDING: Final = Lock()  # one console is built at a time: Python 3.11 makes no syntax trees in two threads at once
PATHS = ("/w/", "/console/")
CHANGES = re.compile(r"/w/([^/]+)/changes")
Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]


def with_console(
    pages: Wsgi, application: Wsgi, version: str, begin_session: Callable[[], str], origin: Callable[[], str]
) -> Wsgi:
    """The pages with the console before them. `application` is the whole simulator, which the console calls.

    The console is made by its first request. A browser gets its home at `/`, and any other client gets the pages'.
    `/w/{world}/changes` is the stream of the control API, for which a browser can send a cookie and no header.
    """

    @cache
    def console() -> Flask:
        from giftsim.console.app import console_app

        return console_app(InProcessClient(application, environ=NOT_TRUSTED), version, Sessions(begin_session, origin))

    def answer(environ: Environ, start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if match := CHANGES.fullmatch(path):
            return application(_with_session(environ, f"{CONTROL}/worlds/{match[1]}/changes"), start_response)
        if path.startswith(PATHS) or (path == "/" and _is_browser(environ)):
            with BUILDING:
                app = console()
            return app(environ, start_response)
        return pages(environ, start_response)

    return answer


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
