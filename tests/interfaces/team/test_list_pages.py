"""Every list of the contract read in pages of any size, newest first, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.contract import Operation
from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.artwork import create_artwork, create_template
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.operations import LIST_OPERATIONS, operation_id
from tests.support.team.orders import create_gift, create_order, request_approval
from tests.support.team.people import person_row, upsert_people
from tests.support.team.rules import create_rule
from tests.support.team.webhooks import subscribe
from tests.support.worlds import World

# More rows than a page has by default, so that there are two pages.
COUNT, PAGE = 27, 25
ADDED = [f"{i:02}" for i in range(COUNT)]

# The collections and members of the fixture `empty`, in its order.
SETS = ("welcome-kit", "branded-kit", "desk-kit", "travel-kit", "snack-box", "cosy-evening", "game-night", "wardrobe")
MEMBERS = ("Olive Owner", "Avery Approver", "Blair Approver", "Morgan Member", "Riley Requester")


PAGED = tuple(op for op in LIST_OPERATIONS if any(parameter.name == "cursor" for parameter in op.query_params))


class ListCase(NamedTuple):
    """A list under one query: the member that identifies its rows, and its values in order of creation."""

    path: str
    member: str
    values: tuple[Any, ...]

    def request_page(self, client: TeamClient, **query: object) -> Any:
        """Read one page."""
        mark = "&" if "?" in self.path else "?"
        return client.get_json(self.path + mark + "&".join(f"{key}={value}" for key, value in query.items()))

    def values_of(self, page: Any) -> list[Any]:
        """The identifying values of the rows of a page."""
        return [each[self.member] for each in page["data"]]

    @property
    def expected(self) -> list[Any]:
        """The values of all rows, newest first."""
        return list(reversed(self.values))


def create_contact(team: TeamClients, i: int) -> str:
    """Create a contact whose name sorts before those of the existing ones; its id."""
    person = {"id": str(i), "name": f"Client {COUNT - i:02}", "email": f"client{i}@example.com"}
    team.world.simulate("crm", provider="hubspot", upsert=[person])
    return person["id"]


# Creates a row of the list at a path with the live approver's key; its identifying value.
MAKERS: Final[Mapping[str, Callable[[TeamClients, int], Any]]] = {
    "/people": lambda team, i: upsert_people(team.live, person_row(f"p{i}"))[0]["id"],
    "/gifts": lambda team, _: create_gift(team.live)["id"],
    "/team-orders": lambda team, _: create_order(team.live)["id"],
    "/invoices": lambda team, i: team.live.post_json("/deposit-invoices", {"amount_cents": 100 + i})["id"],
    "/cost-centers": lambda team, i: team.live.post_json("/cost-centers", {"code": f"CC-{i}", "name": "Sales"})["id"],
    "/webhooks": lambda team, i: subscribe(team.live, host=f"h{i}.team.example")["id"],
    "/artwork": lambda team, _: create_artwork(team.live)["id"],
    "/templates": lambda team, _: create_template(team.live)["id"],
    "/rules?kind=hr": lambda team, _: create_rule(team.live)["id"],
    "/rules?kind=crm": lambda team, _: create_rule(team.live, "deal_won")["id"],
    "/contacts": create_contact,
}


def world_fixture() -> dict[str, Any]:
    """A fixture whose catalogue and team have more rows than a page."""
    return {
        "extends": "empty",
        "teams": {"northwind": {"members": {f"user{i}": {"name": f"User {i}"} for i in ADDED}}},
        "collections": [
            {"id": 901 + i, "slug": f"set-{i:02}", "name": "Set", "items": ["mug-01"]} for i in range(COUNT)
        ],
    }


def list_cases(team: TeamClients) -> Iterator[ListCase]:
    """Every list with its rows, which are created in turns, a minute apart."""
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
    yield from (ListCase(path, "id", tuple(rows)) for path, rows in created.items())
    yield ListCase("/rules", "id", tuple(created["/rules?kind=hr"]))
    yield ListCase("/people?q=p1", "id", tuple(created["/people"][i] for i in (1, *range(10, 20))))
    yield ListCase("/approvals", "id", tuple(asked_for))
    products = team.world.call_control("GET", "/catalogue?limit=1000")["catalogue"]
    yield ListCase("/items", "id", tuple(product["id"] for product in products if product["account_id"] is None))
    yield ListCase("/collections", "slug", (*SETS, *(f"set-{i}" for i in ADDED)))
    yield ListCase("/members", "display_name", (*MEMBERS, *(f"User {i}" for i in ADDED)))


@pytest.fixture(scope="module")
def team(simulator: Simulator, pytestconfig: pytest.Config) -> Iterator[TeamClients]:
    """One team for all lists. Tests only read them."""
    now = pytestconfig.getoption("--world-now")
    world = World(simulator, fixture=world_fixture(), **({"now": now} if now else {}))
    yield TeamClients(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture(scope="module")
def cases(team: TeamClients) -> Mapping[str, tuple[ListCase, ...]]:
    """The cases of each list, by its path without a query."""
    matches: dict[str, tuple[ListCase, ...]] = {}
    for case in list_cases(team):
        path = case.path.partition("?")[0]
        matches[path] = (*matches.get(path, ()), case)
    return matches


def max_limit(op: Operation) -> int:
    """The maximum `limit` of an operation."""
    return int(next(parameter.schema["maximum"] for parameter in op.query_params if parameter.name == "limit"))


def all_pages(client: TeamClient, case: ListCase, limit: int) -> list[Any]:
    """The rows of all pages of a list. Every page but the last must be full and have a cursor."""
    rows: list[Any] = []
    further: dict[str, str] = {}
    while True:
        page = case.request_page(client, limit=limit, **further)
        rows += case.values_of(page)
        assert len(rows) <= len(case.values)
        if page["next_cursor"] is None:
            assert 0 < len(page["data"]) <= limit
            return rows
        assert len(page["data"]) == limit
        further = {"cursor": page["next_cursor"]}


def test_every_list_of_the_contract_has_a_case(cases: Mapping[str, tuple[ListCase, ...]]) -> None:
    assert sorted(cases) == sorted(op.template for op in LIST_OPERATIONS)
    assert [op.template for op in LIST_OPERATIONS if op not in PAGED] == ["/contacts"]
    assert min(len(case.values) for each in cases.values() for case in each) >= 4


@shows(
    "T-2.2", "T-4.213",
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", PAGED, ids=operation_id)
def test_pages_of_any_size_contain_every_row_once_newest_first(
    team: TeamClients, cases: Mapping[str, tuple[ListCase, ...]], op: Operation
) -> None:
    for case in cases[op.template]:
        count = len(case.values)
        for limit in (1, 2, count - 1, count, count + 1, max_limit(op)):
            assert all_pages(team.live, case, limit) == case.expected, (case.path, limit)


@shows(
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", PAGED, ids=operation_id)
def test_a_page_has_25_rows_by_default(
    team: TeamClients, cases: Mapping[str, tuple[ListCase, ...]], op: Operation
) -> None:
    case = max(cases[op.template], key=lambda case: len(case.values))
    first = team.live.get_json(case.path)
    assert case.values_of(first) == case.expected[:PAGE]
    assert case.values_of(case.request_page(team.live, cursor=first["next_cursor"])) == case.expected[PAGE : 2 * PAGE]


@shows("T-4.34")
def test_contacts_are_one_page_up_to_the_limit(team: TeamClients, cases: Mapping[str, tuple[ListCase, ...]]) -> None:
    (case,) = cases["/contacts"]
    for limit in (1, 2, COUNT - 1, COUNT, COUNT + 1, 50):
        page = case.request_page(team.live, limit=limit)
        assert (case.values_of(page), page["next_cursor"]) == (case.expected[:limit], None)
    assert case.values_of(team.live.get_json("/contacts")) == case.expected


@shows(
    "T-4.34",
    "T-4.5", "T-4.8", "T-4.13", "T-4.21", "T-4.41", "T-4.53", "T-4.70", "T-4.77", "T-4.87", "T-4.98", "T-4.106",
    "T-4.120", "T-4.134",
)  # fmt: skip
@pytest.mark.parametrize("op", LIST_OPERATIONS, ids=operation_id)
def test_a_limit_is_a_whole_number_within_bounds(
    team: TeamClients, cases: Mapping[str, tuple[ListCase, ...]], op: Operation
) -> None:
    for case in cases[op.template]:
        mark = "&" if "?" in case.path else "?"
        for bad in (0, max_limit(op) + 1, 1.5, "abc"):
            expect_error(team.live.get(f"{case.path}{mark}limit={bad}"), 400, "invalid_parameter")
        assert max_limit(op) == (50 if op.template in ("/gifts", "/contacts") else 100)
