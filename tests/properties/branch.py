"""A branch: a world or a fork of it, with a small model of what it holds, and the moments to which it can return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tests.properties.world_checks import WorldCheck
from tests.support.api_clients import PartnerClient
from tests.support.museum import MuseumClient
from tests.support.team.clients import TeamClient
from tests.support.worlds import World

LISTS = (
    "fingerprint", "clock", "timers", "orders", "recipients", "events", "deliveries", "mail", "calls", "ledger",
    "accounts", "snapshots", "endpoints", "faults", "receivers",
)  # fmt: skip
PARTNER_KEYS = ("partner.prepaid", "partner.no_funds", "partner.net_terms")


@dataclass(frozen=True)
class Holdings:
    """What a branch holds. `paid` are the responses of paid orders by the number of their request; `gifts` and
    `team_orders` are prices by id; `tickets` are bought tickets; `events` are the museum's events made by the test.
    """

    paid: Mapping[int, bytes] = field(default_factory=dict)
    gifts: Mapping[int, int] = field(default_factory=dict)
    team_orders: Mapping[int, int] = field(default_factory=dict)
    tickets: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


class Moment(NamedTuple):
    """A moment to which a branch can return: its fingerprint, its instant, and what it held."""

    sha256: str
    now: str
    holdings: Holdings


class Write(NamedTuple):
    """A client call that may have changed something, and the moment before it."""

    method: str
    path: str
    before: Moment


class Snapshot(NamedTuple):
    """A snapshot: its moment, and how many writes had been made."""

    moment: Moment
    writes: int


class Branch:
    """A world with its clients, its model, and the moments to which it can return."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.partners: dict[str, PartnerClient] = {key: world.partner(key) for key in PARTNER_KEYS}
        self.team = TeamClient(world, world.credentials["team.live_approver"]["headers"])
        self.museum = MuseumClient(world)
        self.holdings = Holdings()
        self.last_check: WorldCheck | None = None
        self.writes: list[Write] = []
        self.snapshots: dict[str, Snapshot] = {}
        self.complete = True  # whether the endpoints have existed from the start
        self.created = self.left = self.moment()

    def hold(self, **changes: Any) -> None:
        """Change the model."""
        self.holdings = replace(self.holdings, **changes)

    def moment(self) -> Moment:
        """The present moment."""
        found = self.world.call_control("GET", "/fingerprint")
        return Moment(found["sha256"], found["now"], self.holdings)

    def note_write(self, method: str, path: str) -> None:
        """Note the moment before a client call that may change something."""
        self.writes.append(Write(method, path.partition("?")[0], self.moment()))

    def return_to(self, moment: Moment) -> None:
        """Check that the world has returned to a moment, and let the model return too."""
        now = self.moment()
        assert (now.sha256, now.now) == (moment.sha256, moment.now)
        self.holdings, self.last_check = moment.holdings, None

    def forked(self, world: World) -> Branch:
        """The branch of a fork: it holds what this one holds."""
        fork, present = Branch(world), self.moment()
        assert fork.created[:2] == present[:2]
        fork.holdings, fork.last_check, fork.writes = self.holdings, self.last_check, list(self.writes)
        fork.created, fork.complete, self.left = present, self.complete, present
        return fork

    def undo(self, count: int) -> None:
        """Undo client writes. The world must be as it was before the earliest of them."""
        response = self.world.control.post(f"/worlds/{self.world.id}/undo", {"count": count})
        if response.status == 409:
            assert response.json()["error"]["code"] == "nothing_to_undo", response.text
            return
        undone = [call["method"] for call in World.json_of(response)["undone"]]
        assert len(undone) == count
        now = self.moment().sha256
        matching = [
            n for n, write in enumerate(self.writes) if write.before.sha256 == now and write.method == undone[-1]
        ]
        assert matching, "the world is as it was before none of its writes"
        self.return_to(self.writes[matching[-1]].before)
        later = iter(reversed([write.method for write in self.writes[matching[-1] :]]))
        assert all(method in later for method in undone), "what was undone are not the latest writes"
        del self.writes[matching[-1] :]
        self.snapshots = {name: kept for name, kept in self.snapshots.items() if kept.writes <= len(self.writes)}

    def undo_and_redo(self, counts: Sequence[int]) -> None:
        """Undo client writes, once for each count, and redo each. The world must be what it was at each step."""
        path, seen = f"/worlds/{self.world.id}", [self.lists()]
        for count in counts:
            rows = self.world.call_control("GET", f"/undo?after={count - 1}&limit=1")["undo"]
            if rows and rows[0]["to"] < 0 and self.world.id.startswith("fork"):
                break  # its parent did this, which no redo of the fork brings back
            response = self.world.control.post(f"{path}/undo", {"count": count})
            if response.status == 409:
                break
            assert self.world.call_control("GET", "/undo")["redo"]
            seen.append(self.lists())
        for _ in seen[1:]:
            assert self.lists() == seen.pop()
            redone = self.world.control.post(f"{path}/redo", {})
            assert redone.status == 200, redone.text
        assert self.lists() == seen.pop()

    def lists(self) -> list[object]:
        """The lists and the fingerprint of the world, byte by byte, and what could be redone."""
        found: list[object] = [self.world.call_control("GET", "/undo")["redo"]]
        for path in LISTS:
            response = self.world.control.get(f"/worlds/{self.world.id}/{path}")
            assert response.status == 200, response.text
            found.append(response.body)
        return found

    def save(self, name: str) -> None:
        """Save a snapshot."""
        self.world.call_control("POST", "/snapshots", {"name": name})
        self.snapshots[name] = Snapshot(self.moment(), len(self.writes))

    def restore(self, name: str) -> None:
        """Restore a snapshot. The world must be as it was then."""
        self.world.call_control("POST", f"/snapshots/{name}/restore")
        self.return_to(self.snapshots[name].moment)

    def reset(self) -> None:
        """Reset the world. It must be as it was when it was created."""
        self.world.call_control("POST", "/reset")
        self.return_to(self.created)
        self.writes.clear()
        self.snapshots.clear()
