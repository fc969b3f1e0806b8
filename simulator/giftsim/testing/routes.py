"""The routes that are active in this process, and what is refused because it would leave it (G103)."""

from __future__ import annotations

import ipaddress

from giftsim.testing.own_frames import expected_errors
from giftsim.testing.router import Router
from giftsim.testing.web_address import Origin, host_name, origin_of

__tracebackhide__ = expected_errors


class CallNotRouted(RuntimeError):
    """A call to a routed host that cannot be led to the world. It did not leave the machine.

    This is no OSError, so that no client takes it for a broken connection and tries again.
    """


ACTIVE: list[Router] = []  # the latest first


def router_for(url: str) -> Router | None:
    """The route for a URL; None for URLs of other hosts. CallNotRouted for others of a routed host."""
    for router in ACTIVE:
        if router.matches(url):
            return router
    origin = origin_of(url)
    owner = None if origin is None else owner_of(origin.host, origin.port)
    if owner is None:
        return None
    raise refusal(
        owner, f"{url.partition('?')[0]} was not called: route() leads only URLs below {owner.base} to the world"
    )


def is_routed(origin: Origin) -> bool:
    """Whether calls to an origin are led away."""
    return any(router.origin == origin for router in ACTIVE)


def owner_of(host: str, port: int | None) -> Router | None:
    """The route whose host this is. Of this machine only the same port is: it has other servers."""
    for router in ACTIVE:
        if router.origin.host == host and not router.leads_home and (port == router.origin.port or not _is_local(host)):
            return router
    return None


def check_address(host: object, port: object) -> None:
    """CallNotRouted for the name or address of a routed host, which is about to be resolved or connected to."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not isinstance(host, str):
        return
    number = port if isinstance(port, int) else int(port) if isinstance(port, str) and port.isdigit() else None
    owner = owner_of(host_name(host), number)
    if owner is not None:
        raise refusal(owner, NOT_LED.format(host=host, base=owner.base))


NOT_LED = (
    "{host} was not called: route({base!r}) leads calls of requests, httpx, aiohttp, urllib, urllib3 and http.client to"
    " the world, and this client is none of them. Give it the address of a world on a server (giftsim_server.url, with"
    " giftsim_server.headers()), or connect it by giftsim.router()"
)


def refusal(owner: Router, text: str) -> CallNotRouted:
    """The error, which the report of a failed test shows too, in case the application swallows it."""
    owner.notes[text] += 1
    return CallNotRouted(text)


def _is_local(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost"
