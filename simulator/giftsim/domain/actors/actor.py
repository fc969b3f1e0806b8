"""Actors: a recipient who claims, an approver who decides, after a while or never; who of them is asked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.domain.fulfilment.address import address_errors
from giftsim.kernel.instants import format_duration, parse_duration
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

RECIPIENT, APPROVER = "recipient", "approver"
ANY, NEVER = "any", "never"

# What a body has beside `id`, by who acts.
ROLE_MEMBERS: Mapping[str, Sequence[str]] = {
    RECIPIENT: ("claims", "address", "selection"),
    APPROVER: ("decides", "after", "note"),
}
MAX_DELAY_MS = 100 * 366 * 86_400_000


class Actor(Record, frozen=True, gc=False):
    """`whom` says for whom it acts: an email, a name, the kind of thing approved, or `any`.

    `after_ms` is how long it takes, None for one who never acts; `decision` is an approver's alone. `address` and
    `selection` are JSON. `asked` counts what came to it, `acted` and `refused` what came of that.
    """

    id: str
    role: str
    whom: str
    after_ms: int | None
    decision: str | None = None
    note: str | None = None
    address: bytes | None = None
    selection: bytes | None = None
    asked: int = 0
    acted: int = 0
    refused: int = 0
    acted_at_ms: int | None = None
    refused_at_ms: int | None = None
    refusal: tuple[str, str] | None = None

    @property
    def does(self) -> str:
        """What the actor does, for a list of timers: `bo claims after 3d`."""
        deed = "claims" if self.role == RECIPIENT else f"{self.decision}s"
        return f"{self.id} {deed} after {format_duration(self.after_ms or 0)}"


ACTORS: TableSpec[Actor] = TableSpec(
    "actors",
    Actor,
    unique={"id": lambda actor: actor.id},
    groups={"whom": lambda actor: f"{actor.role} {actor.whom.casefold()}"},
)


class InvalidActor(Problem):
    """An actor that could not act as it is told to."""

    status = 400
    code = "invalid_actor"


class ActorNotFound(Problem):
    """There is no actor of that id."""

    status = 404
    code = "actor_not_found"


def add_actor(state: State, body: Mapping[str, Any]) -> Actor:
    """A new actor of `{id?, recipient, claims, address?, selection?}` or `{id?, approver, decides, after?, note?}`.

    InvalidActor names what is wrong, also an id that is taken.
    """
    table = state[ACTORS]
    role = _role(body)
    actor_id = body.get("id") or f"actor-{table.next_n + 1}"
    if table.find("id", actor_id):
        raise InvalidActor(f"there is an actor {actor_id!r} already; delete it or take another id")
    columns = _recipient(body) if role == RECIPIENT else _approver(body)
    return table.add(Actor(table.next_n, actor_id, role, body[role], **columns))


def find_actor(state: State, actor_id: str) -> Actor:
    """The actor of an id; ActorNotFound."""
    actor = state[ACTORS].find("id", actor_id)
    if actor is None:
        raise ActorNotFound(f"there is no actor {actor_id[:60]!r}")
    return actor


def choose_actor(state: State, role: str, names: Sequence[str]) -> Actor | None:
    """Who is asked: the oldest of those who are told for one of the names, else the oldest who is told for any."""
    table = state[ACTORS]
    if not table.next_n:
        return None
    named = [n for name in names for n in table.slots_in("whom", f"{role} {name.casefold()}")]
    slots = named or table.slots_in("whom", f"{role} {ANY}")
    return table.get(min(slots)) if slots else None


def _role(body: Mapping[str, Any]) -> str:
    roles = [role for role in ROLE_MEMBERS if role in body]
    if len(roles) != 1:
        raise InvalidActor("an actor is one of recipient (who claims) and approver (who decides)")
    other = ROLE_MEMBERS[APPROVER if roles == [RECIPIENT] else RECIPIENT]
    strays = [name for name in other if name in body]
    if strays:
        own = ", ".join(ROLE_MEMBERS[roles[0]])
        raise InvalidActor(f"{strays[0]} is not for {_with_article(roles[0])}, which has {own}")
    return roles[0]


def _with_article(role: str) -> str:
    return "an approver" if role == APPROVER else "a recipient"


def _recipient(body: Mapping[str, Any]) -> dict[str, Any]:
    if "claims" not in body:
        raise InvalidActor("a recipient needs claims: after how long, such as 3d, or never")
    after_ms = None if body["claims"] == NEVER else _span("claims", body["claims"])
    for name in ("address", "selection"):
        if after_ms is None and name in body:
            raise InvalidActor(f"{name} is of no use to a recipient who never claims")
    address, selection = body.get("address"), body.get("selection")
    if address is not None and (errors := address_errors(address)):
        raise InvalidActor("; ".join(f"{field}: {message}" for field, message in errors))
    return {"after_ms": after_ms, "address": _kept(address), "selection": _kept(selection)}


def _approver(body: Mapping[str, Any]) -> dict[str, Any]:
    if "decides" not in body:
        raise InvalidActor("an approver needs decides: approve, reject or never")
    if body["decides"] != NEVER:
        after_ms = _span("after", body.get("after", "0s"))
        return {"after_ms": after_ms, "decision": body["decides"], "note": body.get("note")}
    for name in ("after", "note"):
        if name in body:
            raise InvalidActor(f"{name} is of no use to an approver who never decides")
    return {"after_ms": None}


def _span(name: str, text: str) -> int:
    try:
        span_ms = parse_duration(text)
    except ValueError as error:
        raise InvalidActor(f"{name}: {error}; or {NEVER}" if name == "claims" else f"{name}: {error}") from None
    if span_ms > MAX_DELAY_MS:
        raise InvalidActor(f"{name}: {text} is longer than anybody waits")
    return span_ms


def _kept(value: Mapping[str, Any] | None) -> bytes | None:
    return None if value is None else msgspec.json.encode(value)
