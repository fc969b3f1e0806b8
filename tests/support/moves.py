"""The moves of random work, in one table: what clients, recipients, the outside world and the clock do to a world.

A maker of work (the mixed workload, the simulation, the soak, the benchmarks) picks moves in its own way, sends their
requests by its own client, and judges the answers by what it knows. A move is ready once the
maker knows what it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from giftsim.engine.url_paths import CONTROL
from tests.support.museum import basic_auth
from tests.support.orders import RENO, address_recipients, email_recipients, order_body

T = TypeVar("T")
WORLDS: Final = f"{CONTROL}/worlds"
ORDERS, WEBHOOKS, SETTLE = "/api/external/team-orders", "/api/external/webhooks", "/api/external/billing/settle"
TEAM_ORDERS, PEOPLE = "/api/teams/v1/team-orders", "/api/teams/v1/people"
TICKETS = "/v1.1/tickets"
PREPAID, NET_TERMS, APPROVER, MUSEUM = "prepaid", "netterms", "approver", "museum"
SPANS = ("0s", "7m", "1h", "5h", "26h", "3d", "9d")
KEPT = "kept"
ORDER: Final = "one of the orders"
PARCEL_STATES = ("in_production", "shipped", "delivered", "delayed", "rejected")
PARCEL_NEWS = (
    "exception", "lost", "returned", "refused", "found", "delivered_elsewhere", "tracking_replaced", "tracking_missing",
    "tracking_late", "scans_out_of_order",
)  # fmt: skip
NEXT_DOOR = {**RENO, "address1": "3 Main St"}
TEAM_ORDER = {"collection": "welcome-kit", "headcount": 1, "recipients": email_recipients(1)}
TICKET = {"ticketType": "general", "ticketDate": "2027-01-07", "email": "todd@example.com"}
TEE = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022], "quantity": 1}
MUG = {"sku_code": "MUG-01", "quantity": 2}
# The members of orders. The last two are refused.
SHAPES: Final[tuple[dict[str, Any], ...]] = (
    {"recipients": email_recipients(3), "return_claim_links": True},
    {"recipients": email_recipients(2), "open_seats": 2, "claim_expiry_days": 4},
    {"recipients": address_recipients(2, quantity=2), "reference": "REF", "po_number": "=1+1"},
    {"items": [TEE, MUG], "card": {"message": "Hello", "sender": "Ada"}, "destination_countries": ["US", "GB"]},
    {"recipients": address_recipients(1), "items": [{"sku_code": "NO-SUCH"}]},
    {"recipients": email_recipients(1, email="nobody")},
)


class Pick(Protocol):
    """Chooses one of several, by the maker's own random stream."""

    def __call__(self, choices: Sequence[T], /) -> T: ...


class Request(NamedTuple):
    """A request of a move. `credential` is one of PREPAID, NET_TERMS, APPROVER and MUSEUM, or "" for none."""

    method: str
    path: str
    body: Any = None
    credential: str = ""


@dataclass
class Known:
    """What a maker knows of a world, from which moves choose."""

    world: str
    orders: list[int] = field(default_factory=list)
    links: list[str] = field(default_factory=list)  # paths of claim pages
    endpoints: list[int] = field(default_factory=list)
    team_orders: list[int] = field(default_factory=list)
    tickets: list[str] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    keys: int = 0

    def next_key(self) -> str:
        """An idempotency key that no order of this maker has."""
        self.keys += 1
        return f"move-{self.keys}"


class One(NamedTuple):
    """One of several values, which the maker picks."""

    of: tuple[Any, ...]


class Move(NamedTuple):
    """A move: the form of its request.

    In the path `{world}` is the world, and the name of a list of `Known`, as in `{orders}`, one of the list.
    A body may have ORDER for one of the orders, and One. With `key` it is an order with a new idempotency key.
    """

    method: str
    path: str
    body: Any = None
    credential: str = ""
    key: bool = False

    def ready(self, known: Known) -> bool:
        """Whether the maker knows all that the move needs."""
        return all(getattr(known, name) for name in self._lists())

    def make(self, known: Known, pick: Pick) -> Request:
        """The request in a world."""
        path = self.path.format(world=known.world, **{name: pick(getattr(known, name)) for name in self._lists()})
        body = _filled(self.body, known, pick)
        if self.key:
            body = order_body(**{"idempotency_key": known.next_key(), **body})
        return Request(self.method, path, body, self.credential)

    def _lists(self) -> list[str]:
        named = [name for _, name, _, _ in Formatter().parse(self.path) if name and name != "world"]
        return named + (["orders"] if isinstance(self.body, dict) and self.body.get("team_order_id") == ORDER else [])


def _filled(body: Any, known: Known, pick: Pick) -> Any:
    if isinstance(body, One):
        return _filled(pick(body.of), known, pick)
    if isinstance(body, dict):
        return {
            name: pick(known.orders) if value == ORDER else _filled(value, known, pick) for name, value in body.items()
        }
    return body


_VERB = WORLDS + "/{world}/simulate/"
_WORLD = WORLDS + "/{world}"

MOVES: Final[Mapping[str, Move]] = {
    # a partner
    "create": Move("POST", ORDERS, {}, PREPAID, key=True),
    "create_shaped": Move("POST", ORDERS, One(SHAPES), PREPAID, key=True),
    "refuse": Move("POST", ORDERS, {"items": []}, PREPAID),
    "read": Move("GET", ORDERS + "/{orders}", None, PREPAID),
    "read_links": Move("GET", ORDERS + "/{orders}?include=claim_links", None, PREPAID),
    "manifest": Move("GET", ORDERS + "/{orders}/manifest.csv", None, PREPAID),
    "list_orders": Move("GET", ORDERS + "?limit=25", None, PREPAID),
    "cancel": Move("POST", ORDERS + "/{orders}/cancel", {}, PREPAID),
    "settle": Move("POST", SETTLE, One(({}, {"amount_cents": 900})), NET_TERMS),
    "read_endpoint": Move("GET", WEBHOOKS + "/{endpoints}", None, PREPAID),
    "ping": Move("POST", WEBHOOKS + "/{endpoints}/test", None, PREPAID),
    # a team, and visitors of the museum
    "create_for_team": Move("POST", TEAM_ORDERS, TEAM_ORDER, APPROVER),
    "read_for_team": Move("GET", TEAM_ORDERS + "/{team_orders}", None, APPROVER),
    "list_people": Move("GET", PEOPLE, None, APPROVER),
    "buy_ticket": Move("POST", TICKETS, TICKET, MUSEUM),
    "read_ticket": Move("GET", TICKETS + "/{tickets}/qr", None, MUSEUM),
    # recipients
    "open_claim_page": Move("GET", "{links}"),
    "claim_on_page": Move("POST", "{links}", {"address": RENO}),
    # the outside world
    "claim": Move("POST", _VERB + "claim", {"team_order_id": ORDER, "recipient": 0, "address": RENO}),
    "ship": Move("POST", _VERB + "shipment", {"team_order_id": ORDER, "to": One(PARCEL_STATES)}),
    "fund": Move("POST", _VERB + "account", {"key": "partner.prepaid", "add_cents": 10**9}),
    # what goes wrong outside
    "carry": Move("POST", _VERB + "parcel", {"team_order_id": ORDER, "event": One(PARCEL_NEWS)}),
    "correct_address": Move("POST", _VERB + "address", {"team_order_id": ORDER, "recipient": 0, "address": NEXT_DOOR}),
    "bounce": Move("POST", _VERB + "mail", {"team_order_id": ORDER, "recipient": 0, "event": "bounced"}),
    "end_refund": Move("POST", _VERB + "refund", {"team_order_id": ORDER, "outcome": One(("done", "failed"))}),
    "stock": Move("POST", _VERB + "stock", {"product": "mug-01", "on_sale": One((True, True, False))}),
    "bank_errs": Move("POST", _VERB + "bank", {"event": "unreferenced", "amount_cents": One((1, 700))}),
    "release": Move("DELETE", _WORLD + "/faults"),
    # time, and ways to another state
    "advance": Move("POST", _WORLD + "/clock/advance", {"by": One(SPANS)}),
    "undo": Move("POST", _WORLD + "/undo", {"count": One((1, 1, 2))}),
    "redo": Move("POST", _WORLD + "/redo"),
    "snapshot": Move("POST", _WORLD + "/snapshots", {"name": KEPT}),
    "restore": Move("POST", _WORLD + "/snapshots/{snapshots}/restore"),
    "reset": Move("POST", _WORLD + "/reset"),
    "fork": Move("POST", _WORLD + "/fork", {}),
    "delete": Move("DELETE", _WORLD),
}


def credentials(world: str, name: str) -> dict[str, str]:
    """The headers of a credential of a world; none for ""."""
    if not name:
        return {}
    if name == MUSEUM:
        return basic_auth(f"museum.{world}", "museum-pass")
    return {"Authorization": f"Bearer {'ptk' if name == APPROVER else 'pk'}_live_{world}_{name}"}


def learn(known: Known, move: str, answer: Any) -> None:
    """Note what the JSON of a successful answer tells: an order with its claim links, a ticket, a snapshot."""
    match move:
        case "create" | "create_shaped":
            known.orders.append(answer["team_order"]["id"])
            links = [row["claim"]["link"] for row in answer["recipients"] if "link" in row["claim"]]
            known.links += ["/" + link.split("/", 3)[3] for link in links]
        case "create_for_team":
            known.team_orders.append(answer["id"])
        case "buy_ticket":
            known.tickets.append(answer["ticketId"])
        case "snapshot":
            known.snapshots = [KEPT]
        case "reset":
            known.__init__(known.world, keys=known.keys)  # type: ignore[misc]
