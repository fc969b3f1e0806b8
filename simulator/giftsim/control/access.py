"""Who may call the control plane: whoever sits at this machine, or holds the control token (G20)."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from giftsim.control.problem import ForeignHost, ForeignOrigin, TokenMissing
from giftsim.gateway.call import Call

IN_PROCESS = "giftsim.in_process"  # set by the client library, which no request over a socket can do
IN_PROCESS_NAME = "giftsim.example"

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.ASCII)
_LOOPBACK_4 = re.compile(r"127(?:\.[0-9]{1,3}){3}", re.ASCII)


@dataclass(frozen=True)
class Access:
    """With a `token` it is wanted of every caller, and that is all. Without one the simulator is bound to loopback, and
    a `Host` must be its own or among `host_names`, an `Origin` the caller's own. In-process callers need no token.
    """

    token: str | None = None
    host_names: tuple[str, ...] = ()
    in_process: bool = False

    def check(self, call: Call) -> None:
        """TokenMissing, ForeignHost or ForeignOrigin unless the caller may."""
        within = self.in_process or bool(call.environ.get(IN_PROCESS))
        if self.token is not None and not within:
            _check_token(call, self.token)
            return
        host = call.header("Host") or ""
        names = (*self.host_names, IN_PROCESS_NAME) if within else self.host_names
        if not is_own(host, names):
            raise ForeignHost(
                f"the host {host[:100]!r} is not the simulator's own; start it with --host-name to add one"
            )
        origin = call.header("Origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise ForeignOrigin(f"pages of {origin[:100]!r} may not call the control plane")


def is_own(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether a `Host` header is localhost, below it, of 127.0.0.0/8, [::1] or one of the names; at any port."""
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return False
    name = found[1]
    if name in ("localhost", "[::1]") or name.endswith(".localhost") or _LOOPBACK_4.fullmatch(name):
        return True
    return name in [given.lower() for given in names]


def _check_token(call: Call, token: str) -> None:
    scheme, _, given = (call.header("Authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), token.encode()):
        call.headers["WWW-Authenticate"] = 'Bearer realm="giftsim control"'
        raise TokenMissing("the control plane is reached from elsewhere: send Authorization: Bearer <control token>")
