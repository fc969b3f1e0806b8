"""What kind of application a test hands over: WSGI, ASGI, or neither."""

from __future__ import annotations

import inspect
from typing import Any, Literal

TAKES = "a WSGI application, an ASGI application, the URL of a server on this machine, or handler=, a callable"


def app_kind(app: Any) -> Literal["wsgi", "asgi"]:
    """The kind of an application, by what it takes. TypeError says what else it is."""
    if isinstance(app, type):
        raise _refusal(f"{app.__qualname__} is a class; pass an instance of it")
    if inspect.ismodule(app):
        raise _refusal(f"{app.__name__} is a module; pass the application in it")
    if not callable(app):
        raise _refusal(f"{_named(app)} is none of these")
    is_async = inspect.iscoroutinefunction(app) or inspect.iscoroutinefunction(type(app).__call__)
    try:
        signature = inspect.signature(app)
    except ValueError:  # some callables in C do not show theirs
        return "asgi" if is_async else "wsgi"
    if is_async or not _takes(signature, 2):
        if _takes(signature, 3):  # scope, receive, send
            return "asgi"
        hint = "; a callable that takes a webhook is passed as handler=" if _takes(signature, 1) else ""
        raise _refusal(f"{_named(app)} takes {signature}, which is neither (environ, start_response) nor"
                       f" (scope, receive, send){hint}")  # fmt: skip
    return "wsgi"


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def _named(app: Any) -> str:
    return str(getattr(app, "__qualname__", repr(app)))


def _refusal(text: str) -> TypeError:
    return TypeError(f"deliver_to takes {TAKES}: {text}")
