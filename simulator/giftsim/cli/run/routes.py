"""The routes of `run`: what `--route` says, and the router for a URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from giftsim.testing.clients import Clients
from giftsim.testing.routing import Origin, Router, origin_of

EXAMPLE = "https://gifts.vendor.example=partner.prepaid"


class InvalidRoute(ValueError):
    """The text of `--route` is not a route; the message says what one looks like."""


class Route(NamedTuple):
    """What `route(base, credential, to=..., replace_key=...)` takes in Python, as one text on the command line."""

    base: str
    credential: str | None
    to: str = ""
    replace_key: bool = False


def read_route(text: str) -> Route:
    """The route of `URL[=CREDENTIAL][,to=PATH][,replace_key]`. InvalidRoute."""
    target, *details = text.split(",")
    base, _, credential = target.partition("=")
    to, replace_key = "", False
    for detail in details:
        if detail == "replace_key" and credential:
            replace_key = True
        elif detail.startswith("to=/"):
            to = detail.removeprefix("to=")
        else:
            raise InvalidRoute(
                f"{detail!r} is not a part of a route: {EXAMPLE},to=/api/external,replace_key has all there are"
            )
    if origin_of(base) is None:
        raise InvalidRoute(f"{text!r} is not a route like {EXAMPLE}")
    return Route(base, credential or None, to, replace_key)


class Routes:
    """The routers of a run, to one world of a simulator."""

    def __init__(self, routes: Sequence[Route], clients: Clients) -> None:
        """InvalidRoute if the world lacks a credential."""
        simulator = origin_of(clients.transport.origin)
        assert simulator is not None
        self.simulator: Origin = simulator
        try:
            self._routers = [
                clients.router(each.credential, each.base, each.to, replace_key=each.replace_key) for each in routes
            ]
        except KeyError as error:
            raise InvalidRoute(str(error.args[0])) from None

    @property
    def bases(self) -> list[str]:
        """The base URLs."""
        return [router.base for router in self._routers]

    def names(self, *schemes: str) -> list[str]:
        """The hosts that are answered here, in each spelling by which clients look them up."""
        routed = [router.names for router in self._routers if router.origin.scheme in schemes]
        return list(dict.fromkeys(name for names in routed for name in names))

    @property
    def hosts(self) -> str:
        """The routed hosts, for a message."""
        return ", ".join(dict.fromkeys(router.origin.host for router in self._routers))

    def has_https(self, host: str | None) -> bool:
        """Whether a route of a host, or of any, begins with `https://`."""
        return any(router.origin.scheme == "https" and host in (None, router.origin.host) for router in self._routers)

    @property
    def notes(self) -> list[str]:
        """What was wrong with calls that arrived."""
        return list(dict.fromkeys(note for router in self._routers for note in router.notes))

    def router(self, url: str) -> Router | None:
        """The router that takes a URL, or None."""
        return next((router for router in self._routers if router.matches(url)), None)

    def owns(self, origin: Origin | None) -> bool:
        """Whether calls to an origin stay here. A routed host is never called, at no port."""
        return origin is not None and any(origin.host == router.origin.host for router in self._routers)
