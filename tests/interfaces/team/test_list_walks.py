"""Every list of the contract from its newest row to its oldest, by pages of any size, and the limits it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from giftsim import Simulator
from giftsim.gateway.contract import Operation
from tests.claims import claims
from tests.support.responses import expect_error
from tests.support.team.artwork import create_artwork, create_template
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.operations import LIST_OPERATIONS, operation_id
from tests.support.team.orders import create_gift, create_order, request_approval
from tests.support.team.people import person_row, upsert_people
from tests.support.team.rules import create_rule
from tests.support.team.webhooks import subscribe
from tests.support.worlds import World

# More rows than a page has without `limit`, so that there are two pages then.
COUNT, PAGE = 27, 25
ADDED = [f"{i:02}" for i in range(COUNT)]

# What the fixture `empty` has, in its order.
SETS = ("welcome-kit", "branded-kit", "desk-kit", "travel-kit", "snack-box", "cosy-evening", "game-night", "wardrobe")
MEMBERS = ("Olive Owner", "Avery Approver", "Blair Approver", "Morgan Member", "Riley Requester")


PAGED = tuple(op for op in LIST_OPERATIONS if any(parameter.name == "cursor" for parameter in op.query_params))


class Walk(NamedTuple):
    """A list under one query: the member by which its rows are known, and their values in the order of making."""

    path: str
    member: str
    made: tuple[Any, ...]

    def request_page(self, client: TeamClient, **query: object) -> Any:
        """One page."""
        mark = "&" if "?" in self.path else "?"
        return client.get_json(self.path + mark + "&".join(f"{key}={value}" for key, value in query.items()))

    def seen(self, page: Any) -> list[Any]:
        """The rows of a page."""
        return [each[self.member] for each in page["data"]]

    @property
    def expected(self) -> list[Any]:
        """All rows, the newest first."""
        return list(reversed(self.made))


def contact(team: TeamClients, i: int) -> str:
    """One more contact, whose name comes before those that were there."""
    person = {"id": str(i), "name": f"Client {COUNT - i:02}", "email": f"client{i}@example.com"}
    team.world.simulate("crm", provider="hubspot", upsert=[person])
    return person["id"]


# One more row of a list, which the live approver makes; what it is known by.
MAKERS: Mapping[str, Callable[[TeamClients, int], Any]] = MappingProxyType(
    {
        "/people": lambda team, i: upsert_people(team.live, person_row(f"p{i}"))[0]["id"],
        "/gifts": lambda team, _: create_gift(team.live)["id"],
        "/team-orders": lambda team, _: create_order(team.live)["id"],
        "/invoices": lambda team, i: team.live.post_json("/deposit-invoices", {"amount_cents": 100 + i})["id"],
        "/cost-centers": lambda team, i: team.live.post_json("/cost-centers", {"code": f"CC-{i}", "name": "Sales"})[
            "id"
        ],
        "/webhooks": lambda team, i: subscribe(team.live, host=f"h{i}.team.example")["id"],
        "/artwork": lambda team, _: create_artwork(team.live)["id"],
        "/templates": lambda team, _: create_template(team.live)["id"],
        "/rules?kind=hr": lambda team, _: create_rule(team.live)["id"],
        "/rules?kind=crm": lambda team, _: create_rule(team.live, "deal_won")["id"],
        "/contacts": contact,
    }
)


def config() -> dict[str, Any]:
    """A world whose catalogue and team have more rows than a page."""
    return {
        "extends": "empty",
        "teams": {"northwind": {"members": {f"user{i}": {"name": f"User {i}"} for i in ADDED}}},
        "collections": [
            {"id": 901 + i, "slug": f"set-{i:02}", "name": "Set", "items": ["mug-01"]} for i in range(COUNT)
        ],
    }


def walks(team: TeamClients) -> Iterator[Walk]:
    """Every list with its rows, which are made in turns, a minute apart."""
    created: dict[str, list[Any]] = {path: [] for path in MAKERS}
    asked_for: list[Any] = []
    for i in range(COUNT):
        team.world.advance("1m")
        for path, make in MAKERS.items():
            created[path].append(make(team, i))
        asked_for += [
            team.live.get_json(f"/gifts/{created['/gifts'][-1]}")["approval_id"],
            request_approval(team.live, {"id": created["/team-orders"][-1]})["id"],
        ]
    yield from (Walk(path, "id", tuple(rows)) for path, rows in created.items())
    yield Walk("/rules", "id", tuple(created["/rules?kind=hr"]))
    yield Walk("/people?q=p1", "id", tuple(created["/people"][i] for i in (1, *range(10, 20))))
    yield Walk("/approvals", "id", tuple(asked_for))
    products = team.world.call_control("GET", "/catalogue?limit=1000")["catalogue"]
    yield Walk("/items", "id", tuple(product["id"] for product in products if product["account_id"] is None))
    yield Walk("/collections", "slug", (*SETS, *(f"set-{i}" for i in ADDED)))
    yield Walk("/members", "display_name", (*MEMBERS, *(f"User {i}" for i in ADDED)))


@pytest.fixture(scope="module")
def team(simulator: Simulator, pytestconfig: pytest.Config) -> Iterator[TeamClients]:
    """One team for all lists, which reading does not change."""
    now = pytestconfig.getoption("--world-now")
    world = World(simulator, fixture=config(), **({"now": now} if now else {}))
    yield TeamClients(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture(scope="module")
def listed(team: TeamClients) -> Mapping[str, tuple[Walk, ...]]:
    """The walks of each list, by its path without a query."""
    matches: dict[str, tuple[Walk, ...]] = {}
    for walk in walks(team):
        path = walk.path.partition("?")[0]
        matches[path] = (*matches.get(path, ()), walk)
    return matches


def most(op: Operation) -> int:
    """The greatest limit that an operation takes."""
    return int(next(parameter.schema["maximum"] for parameter in op.query_params if parameter.name == "limit"))


def walked(client: TeamClient, walk: Walk, limit: int) -> list[Any]:
    """The rows of all pages of a list; every page but the last is full, and the last one alone leads nowhere."""
    rows: list[Any] = []
    further: dict[str, str] = {}
    while True:
        page = walk.request_page(client, limit=limit, **further)
        rows += walk.seen(page)
        assert len(rows) <= len(walk.made)
        if page["next_cursor"] is None:
            assert 0 < len(page["data"]) <= limit
            return rows
        assert len(page["data"]) == limit
        further = {"cursor": page["next_cursor"]}


def test_no_list_of_the_contract_is_forgotten(listed: Mapping[str, tuple[Walk, ...]]) -> None:
    assert sorted(listed) == sorted(op.template for op in LIST_OPERATIONS)
    assert [op.template for op in LIST_OPERATIONS if op not in PAGED] == ["/contacts"]
    assert min(len(walk.made) for each in listed.values() for walk in each) >= 4


@claims(
    "T-2.2", "T-4.213",
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", PAGED, ids=operation_id)
def test_a_list_gives_every_row_once_and_the_newest_first(
    team: TeamClients, listed: Mapping[str, tuple[Walk, ...]], op: Operation
) -> None:
    for walk in listed[op.template]:
        count = len(walk.made)
        for limit in (1, 2, count - 1, count, count + 1, most(op)):
            assert walked(team.live, walk, limit) == walk.expected, (walk.path, limit)


@claims(
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", PAGED, ids=operation_id)
def test_a_page_has_25_rows_unless_told(
    team: TeamClients, listed: Mapping[str, tuple[Walk, ...]], op: Operation
) -> None:
    walk = max(listed[op.template], key=lambda walk: len(walk.made))
    first = team.live.get_json(walk.path)
    assert walk.seen(first) == walk.expected[:PAGE]
    assert walk.seen(walk.request_page(team.live, cursor=first["next_cursor"])) == walk.expected[PAGE : 2 * PAGE]


@claims("T-4.34")
def test_contacts_are_one_page_which_only_a_limit_shortens(
    team: TeamClients, listed: Mapping[str, tuple[Walk, ...]]
) -> None:
    (walk,) = listed["/contacts"]
    for limit in (1, 2, COUNT - 1, COUNT, COUNT + 1, 50):
        page = walk.request_page(team.live, limit=limit)
        assert (walk.seen(page), page["next_cursor"]) == (walk.expected[:limit], None)
    assert walk.seen(team.live.get_json("/contacts")) == walk.expected


@claims(
    "T-4.34",
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", LIST_OPERATIONS, ids=operation_id)
def test_a_limit_is_a_whole_number_within_bounds(
    team: TeamClients, listed: Mapping[str, tuple[Walk, ...]], op: Operation
) -> None:
    for walk in listed[op.template]:
        mark = "&" if "?" in walk.path else "?"
        for bad in (0, most(op) + 1, 1.5, "abc"):
            expect_error(team.live.get(f"{walk.path}{mark}limit={bad}"), 400, "invalid_parameter")
        assert most(op) == (50 if op.template in ("/gifts", "/contacts") else 100)
