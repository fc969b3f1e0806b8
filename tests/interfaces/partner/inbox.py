"""What endpoints hear: every request that a world sent to them, each held against the contract's section `webhooks`."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from giftsim.gateway.in_process_client import Answer
from giftsim.gateway.schema import Shape
from giftsim.kernel.instants import HOUR, SECOND, format_instant, parse_duration, parse_instant
from tests.harness import HOOKS, PARTNER, Face, World, addressed

KINDS = (
    "team_order.claimed",
    "team_order.shipped",
    "team_order.delivered",
    "team_order.needs_attention",
    "order.shipped",
    "order.delivered",
)

# When a delivery that always fails is tried, counted from its first attempt (B44).
RUNGS = ("0s", "5m", "20m", "80m", "260m", "620m", "1340m", "2780m", "5660m")


class Post(msgspec.Struct, frozen=True):
    """One request that an endpoint got, or would have got, and what came back."""

    seq: int
    at: str
    url: str
    event_id: str
    type: str
    attempt: int
    mark: str | None
    headers: dict[str, str]
    text: str
    outcome: str | None
    status: int | None
    next_attempt_at: str | None

    @property
    def body(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)

    @property
    def data(self) -> Any:
        """What the body tells of the fact."""
        return self.body["data"]

    @property
    def signed_at_s(self) -> int:
        """The `t` of the signature."""
        return int(self.headers["X-Service-Signature"].partition(",")[0].removeprefix("t="))


def inbox(world: World, *, kind: str | None = None, host: str | None = None) -> list[Post]:
    """Every attempt so far, in order; all of them are as the contract says."""
    query = "".join(f"&{name}={value}" for name, value in (("type", kind), ("host", host)) if value)
    return [read(row) for row in world.deliveries(query)]


def read(row: Mapping[str, Any]) -> Post:
    """An attempt as the control plane shows it, held against the contract."""
    members = {**row, "headers": row["request"]["headers"], "text": row["request"]["body"]}
    post = msgspec.convert(members, Post)
    hold(post.type, post.headers, post.text)
    return post


def hold(kind: str, headers: Mapping[str, str], text: str | bytes) -> None:
    """AssertionError names all that the contract does not say of such a request."""
    __tracebackhide__ = True
    shape, parameters = _written(kind)
    told = {name.lower(): value for name, value in headers.items()}
    assert told["content-type"] == "application/json"
    wrong = [violation.message for violation in shape.violations(json.loads(text))]
    for name, fits in parameters:
        wrong += [f"{name}: {violation.message}" for violation in fits.violations(told.get(name.lower()))]
    assert wrong == [], f"{kind}: {wrong} in {text!r}"


@cache
def _written(kind: str) -> tuple[Shape, Sequence[tuple[str, Shape]]]:
    """The shape of the body, and the headers that a request must have with theirs."""
    node = PARTNER.document["webhooks"][kind]["post"]
    shape = Shape(node["requestBody"]["content"]["application/json"]["schema"], PARTNER.document)
    wanted = [entry for entry in node["parameters"] if entry["in"] == "header" and entry["required"]]
    return shape, [(entry["name"], Shape(entry["schema"], PARTNER.document)) for entry in wanted]


def is_genuine(secret: str, header: str, body: bytes, now_s: int) -> bool:
    """A receiver's own check, by the documents alone: HMAC-SHA256 of `<t>.<raw body>`, at most 300 seconds old."""
    fields = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields["v1"]) and abs(now_s - int(fields["t"])) <= 300


def later(instant: str, span: str) -> str:
    """The instant so much later, `5m` or `3d`."""
    return format_instant(parse_instant(instant) + parse_duration(span))


def rungs(first: str) -> list[str]:
    """The instants of all nine attempts."""
    return [later(first, span) for span in RUNGS]


def unix_s(instant: str) -> int:
    """The instant in Unix seconds."""
    return parse_instant(instant) // SECOND


def next_hour(instant: str) -> str:
    """The full hour after an instant: when what happens now is gathered."""
    return format_instant((parse_instant(instant) // HOUR + 1) * HOUR)


def run_hour(world: World) -> str:
    """Let the next hourly run happen, and what is due at it; its instant."""
    at = next_hour(world.now)
    world.advance(to=at)
    return at


def parcel(world: World, order: Answer | Mapping[str, Any], to: str, recipient: int | None = None) -> None:
    """Push the parcel of one recipient, or of all, to a stage."""
    made = order.json() if isinstance(order, Answer) else order
    chosen = {} if recipient is None else {"recipient": recipient}
    world.simulate("shipment", team_order_id=made["team_order"]["id"], to=to, **chosen)


def shipped(world: World, partner: Face, count: int = 1, **members: Any) -> Any:
    """A paid order to addresses whose parcels all ship now: one `team_order.shipped` for each; its create answer."""
    key = f"order {len(world.ask('GET', '/orders?limit=1000')['orders'])}"
    answer = partner.order(**{"idempotency_key": key, "recipients": addressed(count), **members})
    assert answer.status == 201, answer.text
    parcel(world, answer, "shipped")
    return answer.json()


def failing(world: World, host: str = HOOKS, status: int = 500, **entry: Any) -> None:
    """From now on the host answers everything with a failure."""
    world.receiver(host, **{"then": {"status": status}, **entry})


def row_of(partner: Face, endpoint: Mapping[str, Any]) -> Any:
    """The endpoint's row in the list, with its counts."""
    return next(row for row in listed(partner) if row["id"] == endpoint["endpoint"]["id"])


def listed(partner: Face) -> list[Any]:
    """The account's endpoints."""
    answer = partner.get("/webhooks")
    assert answer.status == 200, answer.text
    return list(answer.json()["endpoints"])


def detail(partner: Face, endpoint: Mapping[str, Any]) -> list[Any]:
    """The latest deliveries of an endpoint."""
    answer = partner.get(f"/webhooks/{endpoint['endpoint']['id']}")
    assert answer.status == 200, answer.text
    return list(answer.json()["deliveries"])
