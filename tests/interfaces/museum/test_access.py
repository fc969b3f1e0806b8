"""One pair per world opens its museum, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from giftsim.build import CONTRACTS, Simulator
from giftsim.gateway.contract import Contract
from giftsim.gateway.in_process_client import Response
from tests.claims import claims
from tests.support.museum import OPERATIONS, MuseumClient, basic_auth, event_body, problem_title, ticket_body

BODIES = {"POST /special-events": event_body(), "PATCH /special-events/{event}": {}, "POST /tickets": ticket_body()}


def called(museum: MuseumClient, operation: str, headers: dict[str, str]) -> Response:
    """One operation with other headers than the museum's own, on an event and a ticket that are there."""
    method, template = OPERATIONS[operation]
    path = template.format(event=museum.create_event()["eventId"], ticket=museum.buy_ticket()["ticketId"])
    own, museum.headers = museum.headers, headers
    try:
        return museum.call(method, path, BODIES.get(f"{method} {template}"))
    finally:
        museum.headers = own


def unauthorized(answer: Response) -> None:
    """Asserts the refusal that asks for a pair (C5)."""
    problem_title(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == 'Basic realm="museum"'


@claims("M-5.1")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_asks_for_the_pair_of_the_world(museum: MuseumClient, operation: str) -> None:
    user = f"museum.{museum.world.id}"
    wrong: list[dict[str, str]] = [
        {},
        {"X-Sim-World": museum.world.id},
        basic_auth(user, "wrong"),
        basic_auth(user, ""),
        basic_auth("somebody", "museum-pass"),
        basic_auth("museum.nowhere", "museum-pass"),
        {"Authorization": "Basic !"},
        {"Authorization": "Basic"},
        {"Authorization": basic_auth(user, "museum-pass")["Authorization"].removeprefix("Basic ")},
    ]
    for headers in wrong:
        unauthorized(called(museum, operation, headers))
    assert 200 <= called(museum, operation, basic_auth(user, "museum-pass")).status < 300


@claims("M-5.2")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_keys_of_the_other_interfaces_open_nothing_here(museum: MuseumClient, operation: str) -> None:
    others = {name: entry for name, entry in museum.world.credentials.items() if name != "museum"}
    assert {name.partition(".")[0] for name in others} >= {"partner", "team"}
    for entry in others.values():
        unauthorized(called(museum, operation, entry["headers"]))


@claims("M-5.2")
@pytest.mark.parametrize("name", sorted(CONTRACTS.keys() - {"museum", "control"}))
def test_the_pair_opens_nothing_at_the_other_interfaces(museum: MuseumClient, name: str) -> None:
    contract = Contract.load(CONTRACTS[name])
    reads = [op for op in contract.operations.values() if op.method == "GET" and "{" not in op.template]
    assert reads
    for op in reads:
        assert museum.client.call("GET", contract.prefix + op.template, headers=museum.headers).status == 401


def test_the_default_world_has_a_user_without_a_tag(simulator: Simulator) -> None:
    default = simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum", "museum-pass"))
    assert default.status == 200
    unauthorized(
        simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum.default", "museum-pass"))
    )


def test_the_user_chooses_the_world(open_museum: Callable[..., MuseumClient]) -> None:
    one, other = open_museum(), open_museum()
    made = one.create_event()
    assert one.get_event(made["eventId"]).json() == made
    assert other.get_event(made["eventId"]).status == 404


def test_the_scheme_may_be_written_in_any_case(museum: MuseumClient) -> None:
    for scheme in ("basic", "BASIC"):
        headers = {"Authorization": museum.headers["Authorization"].replace("Basic", scheme)}
        assert called(museum, "getMuseumHours", headers).status == 200


def test_a_password_may_hold_colons(museum: MuseumClient) -> None:
    unauthorized(called(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "museum-pass:more")))


def test_an_open_museum_takes_any_password_for_its_own_user(museum: MuseumClient) -> None:
    museum.world.change_settings(museum__open=True)
    user = f"museum.{museum.world.id}"
    assert called(museum, "getMuseumHours", basic_auth(user, "anything")).status == 200
    strangers: list[dict[str, str]] = [{}, basic_auth("somebody", "anything"), {"X-Sim-World": museum.world.id}]
    for headers in strangers:
        unauthorized(called(museum, "getMuseumHours", headers))


@pytest.fixture
def open_default(simulator: Simulator) -> Iterator[Simulator]:
    """The default world with an open museum; closed again afterwards."""
    path = "/_sim/v1/worlds/default/settings"
    assert simulator.client.call("PATCH", path, body={"museum.open": True}).status == 200
    yield simulator
    assert simulator.client.call("PATCH", path, body={"museum.open": False}).status == 200


@pytest.mark.parametrize(
    "headers", [{}, basic_auth("somebody", "x"), basic_auth("museum", ""), {"Authorization": "Bearer x"}]
)
def test_an_open_default_museum_takes_anybody(open_default: Simulator, headers: dict[str, str]) -> None:
    assert open_default.client.call("GET", "/v1.1/museum-hours", headers=headers).status == 200


@pytest.mark.usefixtures("open_default")
def test_a_wrong_password_of_another_world_is_not_let_into_an_open_default(museum: MuseumClient) -> None:
    unauthorized(called(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "wrong")))
