"""Access to the control API: callers on this machine, or callers with the control token (G20).

Also the host names by which browsers may reach the assistant endpoint (G91).
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.control.control_errors import ForeignHost, ForeignOrigin, TokenMissing
from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.cors import is_from_own_page
from giftsim.engine.url_paths import as_utf8
from giftsim.engine.worlds import system_clock

IN_PROCESS = "giftsim.in_process"  # environ key set by the in-process client; no request over a socket can set it
IN_PROCESS_NAME = "giftsim.example"

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.ASCII)
_ADDRESS = re.compile(r"\[[0-9a-f:.]+\]|[0-9]{1,3}(?:\.[0-9]{1,3}){3}", re.ASCII)
_LOOPBACK_4 = re.compile(r"127(?:\.[0-9]{1,3}){3}", re.ASCII)


class Access(msgspec.Struct, frozen=True):
    """The rules for callers of the control API.

    With a `token`, every caller over a socket must send it, or a session of the console that it began, and nothing
    else is checked. Without a token the simulator
    listens on loopback: the `Host` must be its own or one of `host_names`, and an `Origin` must be the same host.
    In-process callers need no token. With `closed`, which needs a token, callers over a socket need it for everything
    but the simulated interfaces and the pages of the services (G394).
    """

    token: str | None = None
    host_names: tuple[str, ...] = ()
    in_process: bool = False
    closed: bool = False

    def __post_init__(self) -> None:
        if self.closed and not self.token:
            raise ValueError("a closed simulator needs a token")

    def check(self, call: Call) -> None:
        """Raise TokenMissing, ForeignHost or ForeignOrigin if the caller has no access."""
        in_process = self.in_process or bool(call.environ.get(IN_PROCESS))
        if self.token is not None and not in_process:
            _check_token(call, self.token)
            return
        host = call.header("Host") or ""
        names = (*self.host_names, IN_PROCESS_NAME) if in_process else self.host_names
        if not is_own_host(host, names):
            shown = as_utf8(host)[:100]
            raise ForeignHost(
                f"the host name {shown!r} is not one of the simulator's; start it with --host-name to add one"
            )
        if not is_from_own_page(call.environ):
            shown = as_utf8(call.header("Origin") or "")[:100]
            raise ForeignOrigin(
                f"pages of the origin {shown!r} may not call the control API; start it with --cors-allow to let them"
            )

    def begin_session(self) -> str:
        """The session that a browser keeps in place of the token: an id, and a tag that only the token can make.

        So every process with the same token accepts it (G347), and another token ends it.
        """
        session = system_clock.fresh_id()
        return f"{session}.{_tag(session, self.token or '')}"

    def knows_host(self, environ: Mapping[str, Any], origin: str) -> bool:
        """Whether the `Host` of a call is one of the simulator's names, the host of `origin`, or an IP address.

        Any other name may belong to someone who points it at this machine, to call it from a page of theirs.
        """
        if environ.get(IN_PROCESS):
            return True
        host = environ.get("HTTP_HOST", "").lower()
        match = _HOST.fullmatch(host)
        is_address = match is not None and _ADDRESS.fullmatch(match[1]) is not None
        return is_address or is_own_host(host, (*self.host_names, urlsplit(origin).hostname or ""))


def is_host_name(name: str) -> bool:
    """Whether a `Host` header can be this name, with or without a port after it."""
    match = _HOST.fullmatch(name.lower())
    return match is not None and match[1] == name.lower()


def is_own_host(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether a `Host` header is localhost, a subdomain of it, in 127.0.0.0/8, [::1] or one of `names`, at any port."""
    match = _HOST.fullmatch(host.lower())
    if match is None:
        return False
    name = match[1]
    if name in ("localhost", "[::1]") or name.endswith(".localhost") or _LOOPBACK_4.fullmatch(name):
        return True
    return name in [own.lower() for own in names]


def _tag(session: str, token: str) -> str:
    return hmac.digest(token.encode(), f"session of the console {session}".encode(), "sha256").hex()


def _is_session(text: str, token: str) -> bool:
    session, _, tag = text.partition(".")
    return hmac.compare_digest(tag.encode(), _tag(session, token).encode())


def _check_token(call: Call, token: str) -> None:
    scheme, _, sent = (call.header("Authorization") or "").partition(" ")
    is_token = hmac.compare_digest(sent.strip().encode(), token.encode())
    if scheme.lower() != "bearer" or not (is_token or _is_session(sent.strip(), token)):
        call.headers["WWW-Authenticate"] = 'Bearer realm="giftsim control"'
        raise TokenMissing("the control API needs its token: send Authorization: Bearer <control token>")
