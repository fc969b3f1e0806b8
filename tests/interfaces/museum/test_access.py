"""Access to the museum: one user and password per world, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import pytest

from giftsim.build import CONTRACTS, Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import (
    MUSEUM_CONTRACT,
    OPERATIONS,
    MuseumClient,
    basic_auth,
    event_body,
    problem_title,
    ticket_body,
)

BODIES = {"POST /special-events": event_body(), "PATCH /special-events/{event}": {}, "POST /tickets": ticket_body()}


def call_operation(museum: MuseumClient, operation: str, headers: dict[str, str]) -> Response:
    """Call an operation on an existing event and ticket, with these headers instead of the museum's own."""
    method, template = OPERATIONS[operation]
    path = template.format(event=museum.create_event()["eventId"], ticket=museum.buy_ticket()["ticketId"])
    own, museum.headers = museum.headers, headers
    try:
        return museum.call(method, path, BODIES.get(f"{method} {template}"))
    finally:
        museum.headers = own


def assert_unauthorized(response: Response) -> None:
    """Assert that the response is a 401 that asks for user and password (C5)."""
    problem_title(response, 401, "unauthorized")
    assert response.headers["www-authenticate"] == 'Basic realm="museum"'


@shows("M-5.1")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_requires_the_user_and_password_of_the_world(museum: MuseumClient, operation: str) -> None:
    user = f"museum.{museum.world.id}"
    wrong: list[dict[str, str]] = [
        {},
        {"X-Sim-World": museum.world.id},
        basic_auth(user, "wrong"),
        basic_auth(user, ""),
        basic_auth("somebody", "museum-pass"),
        basic_auth("museum.nowhere", "museum-pass"),
        {"Authorization": "Basic !"},
        {"Authorization": "Basic \xff\xff"},
        {"Authorization": "Basic"},
        {"Authorization": basic_auth(user, "museum-pass")["Authorization"].removeprefix("Basic ")},
    ]
    for headers in wrong:
        assert_unauthorized(call_operation(museum, operation, headers))
    assert 200 <= call_operation(museum, operation, basic_auth(user, "museum-pass")).status < 300


@shows("M-5.2")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_keys_of_the_other_interfaces_are_refused(museum: MuseumClient, operation: str) -> None:
    others = {name: entry for name, entry in museum.world.credentials.items() if name != "museum"}
    assert {name.partition(".")[0] for name in others} >= {"partner", "team"}
    for entry in others.values():
        assert_unauthorized(call_operation(museum, operation, entry["headers"]))


@shows("M-5.2")
@pytest.mark.parametrize("name", sorted(CONTRACTS.keys() - {"museum", "control"}))
def test_the_other_interfaces_refuse_the_museums_user_and_password(museum: MuseumClient, name: str) -> None:
    contract = Contract.load(CONTRACTS[name])
    reads = [op for op in contract.operations.values() if op.method == "GET" and "{" not in op.template]
    assert reads
    for op in reads:
        assert museum.client.call("GET", contract.prefix + op.template, headers=museum.headers).status == 401


def test_the_default_worlds_user_has_no_world_id(simulator: Simulator) -> None:
    default = simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum", "museum-pass"))
    assert default.status == 200
    assert_unauthorized(
        simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum.default", "museum-pass"))
    )


def test_the_user_selects_the_world(open_museum: Callable[..., MuseumClient]) -> None:
    first, second = open_museum(), open_museum()
    event = first.create_event()
    assert first.get_event(event["eventId"]).json() == event
    assert second.get_event(event["eventId"]).status == 404


def test_the_scheme_may_be_written_in_any_case(museum: MuseumClient) -> None:
    for scheme in ("basic", "BASIC"):
        headers = {"Authorization": museum.headers["Authorization"].replace("Basic", scheme)}
        assert call_operation(museum, "getMuseumHours", headers).status == 200


def test_a_password_may_contain_colons(museum: MuseumClient) -> None:
    assert_unauthorized(
        call_operation(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "museum-pass:more"))
    )


def test_an_open_museum_accepts_any_password_for_its_own_user(museum: MuseumClient) -> None:
    museum.world.change_settings(museum__open=True)
    user = f"museum.{museum.world.id}"
    assert call_operation(museum, "getMuseumHours", basic_auth(user, "anything")).status == 200
    strangers: list[dict[str, str]] = [{}, basic_auth("somebody", "anything"), {"X-Sim-World": museum.world.id}]
    for headers in strangers:
        assert_unauthorized(call_operation(museum, "getMuseumHours", headers))


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
def test_an_open_museum_of_the_default_world_accepts_any_credential(
    open_default: Simulator, headers: dict[str, str]
) -> None:
    assert open_default.client.call("GET", "/v1.1/museum-hours", headers=headers).status == 200


@pytest.mark.usefixtures("open_default")
def test_an_open_default_world_refuses_a_wrong_password_for_another_world(museum: MuseumClient) -> None:
    assert_unauthorized(call_operation(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "wrong")))


def play_day(museum: MuseumClient) -> list[tuple[int, bytes]]:
    """Some calls over a day; the status and bytes of each response."""
    event = museum.create_event(dates=["2027-01-06"])["eventId"]
    ticket = museum.buy_ticket(ticketType="event", eventId=event)["ticketId"]
    museum.world.advance("1d")
    other = museum.create_event()["eventId"]
    responses = [
        museum.get("/museum-hours"), museum.get("/special-events"), museum.get_event(event), museum.get_qr(ticket),
        museum.request_ticket(), museum.update_event(event, {"price": 1}), museum.cancel_event(other),
        museum.get_event(other),
        museum.request_ticket(ticketType="vip"),
    ]  # fmt: skip
    return [(response.status, response.body) for response in responses]


def fork_of(museum: MuseumClient) -> MuseumClient:
    """A client of the museum of a fork."""
    world = copy(museum.world)
    world.description = museum.world.call_control("POST", "/fork", {})
    world.id, world.credentials = world.description["id"], world.description["credentials"]
    return MuseumClient(world)


def content(museum: MuseumClient, tickets: list[Any]) -> Any:
    """What clients see of a museum: hours, events and the codes of tickets."""
    return [museum.get_hours(), museum.list_events(), [museum.get_qr(ticket["ticketId"]).body for ticket in tickets]]


def test_the_same_seed_and_calls_give_the_same_bytes(open_museum: Callable[..., MuseumClient]) -> None:
    first, other = open_museum(), open_museum()
    assert play_day(first) == play_day(other)
    assert first.world.fingerprint() == other.world.fingerprint()


def test_another_seed_gives_other_ids(open_museum: Callable[..., MuseumClient]) -> None:
    first, other = open_museum(seed=1), open_museum(seed=2)
    assert first.create_event()["eventId"] != other.create_event()["eventId"]
    assert first.buy_ticket()["ticketId"] != other.buy_ticket()["ticketId"]


def test_a_restored_snapshot_has_the_same_content_and_future(museum: MuseumClient) -> None:
    event, tickets = museum.create_event(), [museum.buy_ticket()]
    museum.world.call_control("POST", "/snapshots", {"name": "before"})
    before, fingerprint = content(museum, tickets), museum.world.fingerprint()
    ticket_after = museum.buy_ticket()
    museum.cancel_event(event["eventId"])
    museum.create_event(name="later")
    museum.world.advance("30d")
    museum.world.call_control("POST", "/snapshots/before/restore")
    assert content(museum, tickets) == before
    assert museum.get_qr(ticket_after["ticketId"]).status == 404
    museum.world.call_control("POST", "/snapshots/before/restore")
    assert museum.buy_ticket() == ticket_after
    assert museum.world.fingerprint() != fingerprint


def test_a_fork_has_the_same_content_and_future_and_credentials_of_its_own(museum: MuseumClient) -> None:
    event, tickets = museum.create_event(), [museum.buy_ticket()]
    fork = fork_of(museum)
    assert content(fork, tickets) == content(museum, tickets)
    assert fork.headers != museum.headers
    assert fork.buy_ticket() == museum.buy_ticket()
    fork.cancel_event(event["eventId"])
    assert museum.get_event(event["eventId"]).json() == event


ALL_TO_COME = "?limit=30&endDate=9999-12-31"


def test_a_reset_brings_back_the_events_of_the_fixture(open_museum: Callable[..., MuseumClient]) -> None:
    museum = open_museum(fixture="default")
    before = museum.list_events(ALL_TO_COME)
    museum.cancel_event(before[0]["eventId"])
    ticket = museum.buy_ticket()
    museum.world.call_control("POST", "/reset")
    assert museum.list_events(ALL_TO_COME) == before
    assert museum.get_qr(ticket["ticketId"]).status == 404


@pytest.mark.parametrize(
    "now", ["2027-01-04T09:00:00Z", "2026-12-24T23:00:00Z", "1999-02-28T00:00:00Z", "2096-02-26T12:00:00Z"]
)
def test_the_default_fixture_has_events_from_the_start_time_on(
    open_museum: Callable[..., MuseumClient], now: str
) -> None:
    museum = open_museum(fixture="default", now=now)
    events, today = museum.list_events(ALL_TO_COME), now[:10]
    assert len(events) >= 10
    assert all(len(event["dates"]) >= 2 and min(event["dates"]) >= today for event in events)
    assert min(events[0]["dates"]) == museum.get_hours()[0]["date"]
    assert len(museum.get_hours()) == 10
    assert museum.list_events()


def test_tickets_for_every_event_of_the_default_fixture_are_sold_with_strict_dates(
    open_museum: Callable[..., MuseumClient],
) -> None:
    museum = open_museum(fixture="default", settings={"museum.strict_dates": True})
    for event in museum.list_events(ALL_TO_COME):
        for day in event["dates"]:
            museum.buy_ticket(ticketType="event", eventId=event["eventId"], ticketDate=day)


# What generated clients of the public sample description call, with the values of its examples.
SAMPLE_EVENT = "dad4bce8-f5cb-4078-a211-995864315e39"
SAMPLE_CALLS: list[tuple[str, str, Any, int]] = [
    ("GET", "/museum-hours?startDate=2023-02-23&page=2&limit=15", None, 200),
    ("GET", "/special-events?startDate=2023-02-23&endDate=2023-04-18&page=2&limit=15", None, 200),
    ("GET", f"/special-events/{SAMPLE_EVENT}", None, 200),
    ("PATCH", f"/special-events/{SAMPLE_EVENT}", {"location": "On the beach", "price": 15}, 200),
    ("POST", "/tickets", ticket_body(ticketDate="2023-09-07"), 201),
    ("POST", "/tickets", ticket_body(ticketDate="2023-09-05", eventId=SAMPLE_EVENT), 201),
    ("GET", "/tickets/a54a57ca-36f8-421b-a6b4-2e8f26858a4c/qr", None, 200),
    ("DELETE", f"/special-events/{SAMPLE_EVENT}", None, 204),
]


@pytest.mark.parametrize("settings", [{}, {"museum.strict_dates": True}])
def test_the_examples_of_the_public_description_work_in_the_default_fixture(
    open_museum: Callable[..., MuseumClient], settings: dict[str, Any]
) -> None:
    museum = open_museum(fixture="default", settings=settings)
    for method, path, body, status in SAMPLE_CALLS:
        past = bool(settings) and method == "POST"
        assert museum.call(method, path, body).status == (400 if past else status), path


@pytest.mark.parametrize(
    ("section", "named"),
    [
        ({"hours": {"monday": {"open": "9:00", "close": "18:00"}}}, "museum.hours.monday"),
        ({"hours": {"monday": {"open": "09:00", "close": 1080}}}, "museum.hours.monday"),
        ({"hours": {"moonday": None}}, "hours"),
        ({"closed": ["02-30"]}, "day"),
        ({"closed": ["tomorrow"]}, "museum.closed[0]"),
        ({"events": [{"name": "x"}]}, "museum.events[0]"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "dates": ["2027-02-30"]}]}, "day"),
        ({"events": [{"name": "x", "location": "", "description": "", "price": 1, "open_days": [1]}]}, "open day 1"),
        ({"tickets": [{"id": UNKNOWN_ID, "date": "2027-02-30", "email": "x@example.com"}]}, "day"),
        ({"tickets": [{"id": UNKNOWN_ID, "date": "2027-02-03", "email": "x@example.com"}] * 2}, "same id"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_the_error_for_an_invalid_museum_section_names_the_member(
    simulator: Simulator, section: Any, named: str
) -> None:
    body = {"fixture": {"extends": "bare", "museum": section}}
    response = simulator.client.call("POST", "/_sim/v1/worlds", body=body)
    assert response.status == 400
    assert response.json()["error"]["code"] == "invalid_world"
    assert named in response.json()["error"]["message"]


def test_a_fixture_can_close_a_weekday_of_the_one_it_extends(open_museum: Callable[..., MuseumClient]) -> None:
    fixture = {"extends": "empty", "museum": {"hours": {"tuesday": None}}}
    museum = open_museum(fixture=fixture, now="2027-01-04T09:00:00Z")
    assert [entry["date"] for entry in museum.get_hours("?limit=2")] == ["2027-01-04", "2027-01-06"]


CODES = {entry["code"]: entry["status"] for entry in MUSEUM_CONTRACT.document["x-errors"]}


def cause_internal_error(museum: MuseumClient) -> Response:
    """A response with the error `internal_error`, which only a fault gives."""
    museum.world.add_fault({"status": 500, "code": "internal_error", "undocumented": True})
    return museum.client.call("GET", "/v1.1/museum-hours", headers=museum.headers)


CAUSES: dict[str, Callable[[MuseumClient], Response]] = {
    "not_found": lambda museum: museum.get("/exhibitions"),
    "method_not_allowed": lambda museum: museum.call("PUT", "/tickets"),
    "unauthorized": lambda museum: museum.client.call("GET", "/v1.1/museum-hours"),
    "validation_failed": lambda museum: museum.get("/museum-hours?page=0&limit=99"),
    "special_event_not_found": lambda museum: museum.get_event(UNKNOWN_ID),
    "ticket_not_found": lambda museum: museum.get_qr(UNKNOWN_ID),
    "internal_error": cause_internal_error,
}


@shows("M-9.1")
def test_paths_exist_only_below_the_prefix(museum: MuseumClient) -> None:
    for path, status in (("/v1.1/museum-hours", 200), ("/v1/museum-hours", 404), ("/museum-hours", 404)):
        assert museum.client.call("GET", path, headers=museum.headers).status == status


@shows("M-9.2")
def test_the_published_contract_has_version_1_1_1(museum: MuseumClient) -> None:
    published = museum.client.call("GET", "/openapi/museum.json")
    assert published.status == 200
    assert published.json()["info"]["version"] == "1.1.1"
    assert published.json()["servers"][0]["url"].endswith("/v1.1")


def test_the_operations_are_those_of_the_published_api() -> None:
    operations = {op.id: (op.method, op.template.replace("Id}", "}")) for op in MUSEUM_CONTRACT.operations.values()}
    assert operations == OPERATIONS


@pytest.mark.parametrize("code", CODES)
def test_every_error_in_the_table_can_be_caused(museum: MuseumClient, code: str) -> None:
    assert problem_title(CAUSES[code](museum), CODES[code], code)


def test_every_error_of_an_operation_is_in_the_table() -> None:
    for op in MUSEUM_CONTRACT.operations.values():
        for status, node in op.node["responses"].items():
            assert all(CODES[code] == int(status) for code in node.get("x-codes", ()))


@pytest.mark.parametrize("body", [b"", b"{", b"name=x", b'{"name": 1, "name": 2}', b"\xff", b"[]", b"3", b"null"])
def test_a_body_that_is_not_a_json_object_is_refused(museum: MuseumClient, body: bytes) -> None:
    event = museum.create_event()["eventId"]
    for method, path in (("POST", "/special-events"), ("POST", "/tickets"), ("PATCH", f"/special-events/{event}")):
        problem_title(museum.call(method, path, body, Content_Type="text/plain"))


def test_json_is_accepted_with_any_content_type(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    assert museum.call("PATCH", f"/special-events/{event}", b"{}", Content_Type="text/plain").status == 200


def test_the_error_for_a_huge_price_names_the_member(museum: MuseumClient) -> None:
    for price in (10**16, -(10**400)):
        body = f'{{"price": {price}}}'.encode()
        assert "price: " in problem_title(
            museum.call("PATCH", f"/special-events/{museum.create_event()['eventId']}", body)
        )


def test_there_are_no_rate_limits_and_no_replayed_responses(museum: MuseumClient) -> None:
    museum.world.change_settings(rate_limits__sandbox=1)
    responses = [museum.get("/museum-hours", Idempotency_Key="same") for _ in range(3)]
    assert [response.status for response in responses] == [200] * 3
    assert not any(name.startswith("x-ratelimit") or "replayed" in name for name in responses[0].headers)


def test_the_event_is_looked_up_before_the_members_of_the_body_are_validated(museum: MuseumClient) -> None:
    assert museum.update_event(UNKNOWN_ID, {"name": 7}).status == 404
    assert museum.update_event(UNKNOWN_ID, b"{").status == 400


@pytest.mark.parametrize("status", [400, 401, 404])
def test_documented_errors_can_be_injected_into_any_operation(museum: MuseumClient, status: int) -> None:
    for path in ("/museum-hours", "/special-events"):
        assert museum.get(path, X_Sim_Fault=f"status={status}").status == status


def test_a_response_dropped_after_the_work_leaves_the_event_created(monday: MuseumClient) -> None:
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="lost"), X_Sim_Fault="drop=after")
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="never"), X_Sim_Fault="drop=before")
    assert monday.event_names() == ["lost"]
