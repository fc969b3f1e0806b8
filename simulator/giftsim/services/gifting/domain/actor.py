"""Actors: recipients who claim and approvers who decide, after a delay or never; and which actor gets a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.instants import format_duration, parse_duration
from giftsim.engine.kernel.member import Member, Object, OneOf, Text
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.fulfilment.address import address_errors

RECIPIENT, APPROVER = "recipient", "approver"
ANY, NEVER = "any", "never"

_ID = "1 to 60 of letters, digits, '.', '_' and '-'"
KINDS: Final = (ANY, "gift", "team_order", "campaign")
DECISIONS: Final = ("approve", "reject", NEVER)
# The members of an actor by its role, the role first and then the one that it needs; the contract of the control API
# and the schema of scenarios have them from here.
NAME: Final = Member(
    "id",
    Text(pattern="^[A-Za-z0-9._-]{1,60}$", noun=f"an id: {_ID}"),
    "Its name in reports and in the test-control API.",
    takes_words=_ID,
)
ROLES: Final[Mapping[str, tuple[Member, ...]]] = {
    RECIPIENT: (
        Member(
            RECIPIENT,
            Text(1, 254),
            "The recipient whose links it claims: an email, a name or any.",
            note="An email address, a name or `any`.",
            examples=("bo@example.com", ANY),
        ),
        Member(
            "claims",
            Text(),
            "The delay between the arrival of a link and the claim, or never.",
            note="The delay after the link became valid, such as `3d`, or `never`.",
            examples=("3d", NEVER),
        ),
        Member(
            "address",
            Object("AddressRequest"),
            "The address that it enters. The default is a valid one in the first country of the order.",
        ),
        Member(
            "selection",
            Object(),
            "Option ids by variation id. The default is the first option of every choice.",
            note="Option ids by variation id, for choices the order leaves open.",
        ),
    ),
    APPROVER: (
        Member(
            APPROVER,
            OneOf(KINDS, "a kind of approval", literal=True),
            "The kind of approval that it decides.",
            note="The kind of request to decide.",
            takes_words="any, gift, team_order or campaign",
        ),
        Member(
            "decides",
            OneOf(DECISIONS, "a decision", literal=True),
            "Its decision, or never.",
            takes_words="approve, reject or never",
        ),
        Member(
            "after",
            Text(),
            "How long a decision takes. The default is 0s.",
            note="How long the decision takes, such as `2h`.",
            default="0s",
            examples=("2h",),
        ),
        Member("note", Text(longest=2000), "The note of its decision."),
    ),
}
MEMBERS: Final = (NAME, *ROLES[RECIPIENT], *ROLES[APPROVER])
# The members of a request besides `id` and the role, by role.
ROLE_MEMBERS: Final[Mapping[str, Sequence[str]]] = {
    role: tuple(member.name for member in members[1:]) for role, members in ROLES.items()
}
MAX_DELAY_MS = 100 * 366 * 86_400_000


class Actor(Record, frozen=True, gc=False):
    """`whom` is what the actor acts for: a recipient's email or name, the type of resource to approve, or `any`.

    `after_ms` is the delay of its acts, None if it never acts. Only an approver has a `decision`. `address` and
    `selection` are JSON. `asked` counts the tasks it got, `acted` and `refused` the acts that succeeded and failed.
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
        """A description for the list of timers, such as `bo claims after 3d`."""
        act = "claims" if self.role == RECIPIENT else f"{self.decision}s"
        return f"{self.id} {act} after {format_duration(self.after_ms or 0)}"


ACTORS: TableSpec[Actor] = TableSpec(
    "actors",
    Actor,
    unique={"id": "id"},
    groups={"whom": lambda actor: f"{actor.role} {actor.whom.casefold()}"},
)


class InvalidActor(Problem, status=400, code="invalid_actor"):
    """The definition of an actor is not valid."""


class ActorNotFound(Problem, status=404, code="actor_not_found"):
    """The world has no actor with this id."""


def add_actor(state: State, body: Mapping[str, Any]) -> Actor:
    """Add an actor: `{id?, recipient, claims, address?, selection?}` or `{id?, approver, decides, after?, note?}`.

    InvalidActor says what is wrong, for example that the id is taken.
    """
    table = state[ACTORS]
    role = _parse_role(body)
    actor_id = body.get("id") or f"actor-{table.next_n + 1}"
    if table.find("id", actor_id):
        raise InvalidActor(f"an actor {actor_id!r} already exists; delete it or use another id")
    columns = _recipient_columns(body) if role == RECIPIENT else _approver_columns(body)
    return table.add(Actor(table.next_n, actor_id, role, body[role], **columns))


def find_actor(state: State, actor_id: str) -> Actor:
    """The actor with an id; ActorNotFound if there is none."""
    actor = state[ACTORS].find("id", actor_id)
    if actor is None:
        raise ActorNotFound(f"there is no actor {actor_id[:60]!r}")
    return actor


def choose_actor(state: State, role: str, names: Sequence[str]) -> Actor | None:
    """The actor who gets a task: the oldest with one of the names, else the oldest with `any`, or None."""
    table = state[ACTORS]
    if not table.next_n:
        return None
    matches = [n for name in names for n in table.slots_in("whom", f"{role} {name.casefold()}")]
    slots = matches or table.slots_in("whom", f"{role} {ANY}")
    return table.get(min(slots)) if slots else None


def _parse_role(body: Mapping[str, Any]) -> str:
    roles = [role for role in ROLE_MEMBERS if role in body]
    if len(roles) != 1:
        raise InvalidActor("an actor needs either recipient (who claims) or approver (who decides)")
    other = ROLE_MEMBERS[APPROVER if roles == [RECIPIENT] else RECIPIENT]
    misplaced = [name for name in other if name in body]
    if misplaced:
        allowed = ", ".join(ROLE_MEMBERS[roles[0]])
        raise InvalidActor(f"{_with_article(roles[0])} cannot have {misplaced[0]}; it can have {allowed}")
    return roles[0]


def _with_article(role: str) -> str:
    return "an approver" if role == APPROVER else "a recipient"


def _recipient_columns(body: Mapping[str, Any]) -> dict[str, Any]:
    if "claims" not in body:
        raise InvalidActor("a recipient needs claims: a delay such as 3d, or never")
    after_ms = None if body["claims"] == NEVER else _parse_delay("claims", body["claims"])
    for name in ("address", "selection"):
        if after_ms is None and name in body:
            raise InvalidActor(f"a recipient who never claims cannot have {name}")
    address, selection = body.get("address"), body.get("selection")
    if address is not None and (errors := address_errors(address)):
        raise InvalidActor("; ".join(f"{field}: {message}" for field, message in errors))
    return {"after_ms": after_ms, "address": _to_json(address), "selection": _to_json(selection)}


def _approver_columns(body: Mapping[str, Any]) -> dict[str, Any]:
    if "decides" not in body:
        raise InvalidActor("an approver needs decides: approve, reject or never")
    if body["decides"] != NEVER:
        after_ms = _parse_delay("after", body.get("after", "0s"))
        return {"after_ms": after_ms, "decision": body["decides"], "note": body.get("note")}
    for name in ("after", "note"):
        if name in body:
            raise InvalidActor(f"an approver who never decides cannot have {name}")
    return {"after_ms": None}


def _parse_delay(name: str, text: str) -> int:
    try:
        delay_ms = parse_duration(text)
    except ValueError as error:
        raise InvalidActor(f"{name}: {error}; or {NEVER}" if name == "claims" else f"{name}: {error}") from None
    if delay_ms > MAX_DELAY_MS:
        raise InvalidActor(f"{name}: {text} is too long; the limit is 100 years")
    return delay_ms


def _to_json(value: Mapping[str, Any] | None) -> bytes | None:
    return None if value is None else msgspec.json.encode(value)
