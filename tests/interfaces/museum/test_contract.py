"""The museum's contract: its version and prefix, its errors, and what the interface does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.client.response import Response
from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MUSEUM_CONTRACT, OPERATIONS, MuseumClient, event_body, problem_title

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


@claims("M-9.1")
def test_paths_exist_only_below_the_prefix(museum: MuseumClient) -> None:
    for path, status in (("/v1.1/museum-hours", 200), ("/v1/museum-hours", 404), ("/museum-hours", 404)):
        assert museum.client.call("GET", path, headers=museum.headers).status == status


@claims("M-9.2")
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
