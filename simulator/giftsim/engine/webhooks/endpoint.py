"""Endpoints: subscriptions of a URL to events, each with a signing secret (P-4.12 to P-4.15, B28)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from giftsim.engine.kernel.index import Derived
from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.outgoing import require_signing_key
from giftsim.engine.webhooks.receiver import addresses_of
from giftsim.engine.webhooks.url_rules import UrlParts, check_addresses, check_url
from giftsim.engine.webhooks.webhook_settings import URL_PORTS

MAX_PER_KEY = 10
ENABLED, DISABLED = "active", "disabled"

ENDPOINT_CREATED: Signal[Callable[[State, Endpoint], None]] = Signal("endpoint_created", ignore)


class Endpoint(Record, frozen=True, gc=False):
    """One subscription, visible to its `owner` such as `account 3`.

    `key` is the name of the API key that created it; the number of endpoints per key is limited (G26). `path` is the
    path and query of requests. `pending` and `dead` count its deliveries in these states.
    """

    owner: str
    key: str
    url: str
    host: str
    port: int
    path: str
    kinds: tuple[str, ...]
    secret: str
    created_ms: int
    status: str = ENABLED
    pending: int = 0
    dead: int = 0

    @property
    def id(self) -> int:
        return self.n + 1


class InvalidEvents(Problem, status=400, code="invalid_events"):
    """The event kinds are not a list, are empty, or contain an unknown kind."""


class TooManyEndpoints(Problem, status=409, code="too_many_endpoints"):
    """The API key already has the maximum number of active endpoints."""


class EndpointNotFound(Problem, status=404, code="endpoint_not_found"):
    """The owner has no such endpoint, or it is disabled and the call needs an enabled one."""


def _active_owner(endpoint: Endpoint) -> str | None:
    return endpoint.owner if endpoint.status == ENABLED else None


def _active_key(endpoint: Endpoint) -> str | None:
    return endpoint.key if endpoint.status == ENABLED else None


ENDPOINT: TableSpec[Endpoint] = TableSpec(
    "webhooks.endpoint",
    Endpoint,
    groups={"owner": "owner"},
    moving={"active": Derived(("status",), _active_owner), "held": Derived(("status",), _active_key)},
)


def create_endpoint(
    state: State,
    *,
    owner: str,
    key: str,
    url: object,
    kinds: object,
    known: Sequence[str],
    max_endpoints: int = MAX_PER_KEY,
) -> Endpoint:
    """Create an endpoint with a new secret, for some of the `known` kinds.

    InvalidUrl, InvalidEvents, TooManyEndpoints or WebhooksUnavailable: nothing is created (P-6.21 to P-6.24, P-8.3).
    """
    target = check_target(state, url)
    subscribed_kinds = parse_event_types(kinds, known)
    if len(state[ENDPOINT].slots_in("held", key)) >= max_endpoints:
        raise TooManyEndpoints(
            f"This key already has {max_endpoints} webhook endpoints, which is the maximum. Disable one first."
        )
    require_signing_key(state)
    endpoint = Endpoint(
        n=state[ENDPOINT].next_n,
        owner=owner,
        key=key,
        url=target.url,
        host=target.host,
        port=target.port,
        path=target.path_and_query,
        kinds=subscribed_kinds,
        secret=f"whsec_{state.token('webhook secret', 32)}",
        created_ms=state.now_ms,
    )
    state[ENDPOINT].add(endpoint)
    state.handler(ENDPOINT_CREATED)(state, endpoint)
    return endpoint


def check_target(state: State, url: object) -> UrlParts:
    """The parts of a URL that is allowed in this world, whose host resolves to public addresses; else InvalidUrl."""
    target = check_url(url, ports=state.setting(URL_PORTS))
    check_addresses(target.host, addresses_of(state, target.host))
    return target


def parse_event_types(kinds: object, known: Sequence[str]) -> tuple[str, ...]:
    """The kinds without duplicates; InvalidEvents unless they are a list of at least one known kind."""
    if not isinstance(kinds, list | tuple) or not kinds:
        raise InvalidEvents(f"events must be a list of at least one of: {', '.join(known)}.")
    for kind in kinds:
        if kind not in known:
            raise InvalidEvents(f"events has an unknown kind {kind!r}; the known ones are: {', '.join(known)}.")
    return tuple(dict.fromkeys(kinds))


def find_endpoint(state: State, owner: str, endpoint_id: int) -> Endpoint:
    """The owner's endpoint with that public id, enabled or disabled; EndpointNotFound otherwise."""
    endpoint = state[ENDPOINT].at(endpoint_id - 1)
    if endpoint is None or endpoint.owner != owner:
        raise EndpointNotFound(f"There is no webhook endpoint {endpoint_id}.")
    return endpoint


def find_enabled(state: State, owner: str, endpoint_id: int) -> Endpoint:
    """The owner's enabled endpoint with that public id; EndpointNotFound otherwise (B28)."""
    endpoint = find_endpoint(state, owner, endpoint_id)
    if endpoint.status != ENABLED:
        raise EndpointNotFound(f"Webhook endpoint {endpoint_id} is disabled.")
    return endpoint


def list_endpoints(state: State, owner: str) -> list[Endpoint]:
    """All endpoints of an owner in order of creation, including disabled ones."""
    return state[ENDPOINT].rows_in("owner", owner)


def subscribed_endpoints(state: State, owner: str, kind: str) -> tuple[int, ...]:
    """Slots of the owner's enabled endpoints that are subscribed to a kind (P-6.9)."""
    table = state[ENDPOINT]
    slots = table.slots_in("active", owner)
    return tuple([n for n in slots if kind in table.get(n).kinds]) if slots else ()


def add_to_counts(state: State, n: int, *, pending: int = 0, dead: int = 0) -> None:
    """Add to an endpoint's counts of pending and dead deliveries."""
    endpoint = state[ENDPOINT].get(n)
    state[ENDPOINT].put(
        msgspec.structs.replace(endpoint, pending=endpoint.pending + pending, dead=endpoint.dead + dead)
    )
