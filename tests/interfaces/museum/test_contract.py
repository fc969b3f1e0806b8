"""The museum's contract: its version and prefix, its errors, and what the interface does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.gateway.in_process_client import Response
from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.museum import MUSEUM_CONTRACT, OPERATIONS, MuseumClient, event_body, problem_title

CODES = {entry["code"]: entry["status"] for entry in MUSEUM_CONTRACT.document["x-errors"]}


def broken(museum: MuseumClient) -> Response:
    museum.world.add_fault({"status": 500, "code": "internal_error", "undocumented": True})
    return museum.client.call("GET", "/v1.1/museum-hours", headers=museum.headers)


CAUSES: dict[str, Callable[[MuseumClient], Response]] = {
    "not_found": lambda museum: museum.get("/exhibitions"),
    "method_not_allowed": lambda museum: museum.call("PUT", "/tickets"),
    "unauthorized": lambda museum: museum.client.call("GET", "/v1.1/museum-hours"),
    "validation_failed": lambda museum: museum.get("/museum-hours?page=0&limit=99"),
    "special_event_not_found": lambda museum: museum.get_event(UNKNOWN_ID),
    "ticket_not_found": lambda museum: museum.get_qr(UNKNOWN_ID),
    "internal_error": broken,
}


@claims("M-9.1")
def test_paths_stand_under_the_prefix_and_nowhere_else(museum: MuseumClient) -> None:
    for path, status in (("/v1.1/museum-hours", 200), ("/v1/museum-hours", 404), ("/museum-hours", 404)):
        assert museum.client.call("GET", path, headers=museum.headers).status == status


@claims("M-9.2")
def test_the_published_description_has_version_1_1_1(museum: MuseumClient) -> None:
    published = museum.client.call("GET", "/openapi/museum.json")
    assert published.status == 200
    assert published.json()["info"]["version"] == "1.1.1"
    assert published.json()["servers"][0]["url"].endswith("/v1.1")


def test_the_operations_are_those_of_the_public_description() -> None:
    described = {op.id: (op.method, op.template.replace("Id}", "}")) for op in MUSEUM_CONTRACT.operations.values()}
    assert described == OPERATIONS


@pytest.mark.parametrize("code", CODES)
def test_every_error_of_the_table_can_be_seen(museum: MuseumClient, code: str) -> None:
    assert problem_title(CAUSES[code](museum), CODES[code], code)


def test_every_error_of_an_operation_stands_in_the_table() -> None:
    for op in MUSEUM_CONTRACT.operations.values():
        for status, node in op.node["responses"].items():
            assert all(CODES[code] == int(status) for code in node.get("x-codes", ()))


@pytest.mark.parametrize("body", [b"", b"{", b"name=x", b'{"name": 1, "name": 2}', b"\xff", b"[]", b"3", b"null"])
def test_a_body_that_is_no_json_object_is_refused_as_wrong(museum: MuseumClient, body: bytes) -> None:
    event = museum.create_event()["eventId"]
    for method, path in (("POST", "/special-events"), ("POST", "/tickets"), ("PATCH", f"/special-events/{event}")):
        problem_title(museum.call(method, path, body, Content_Type="text/plain"))


def test_json_is_read_whatever_its_content_type(museum: MuseumClient) -> None:
    event = museum.create_event()["eventId"]
    assert museum.call("PATCH", f"/special-events/{event}", b"{}", Content_Type="text/plain").status == 200


def test_a_huge_price_is_refused_by_name(museum: MuseumClient) -> None:
    for price in (10**16, -(10**400)):
        body = f'{{"price": {price}}}'.encode()
        assert "price: " in problem_title(
            museum.call("PATCH", f"/special-events/{museum.create_event()['eventId']}", body)
        )


def test_there_are_no_rate_limits_and_no_replays(museum: MuseumClient) -> None:
    museum.world.change_settings(rate_limits__sandbox=1)
    answers = [museum.get("/museum-hours", Idempotency_Key="same") for _ in range(3)]
    assert [answer.status for answer in answers] == [200] * 3
    assert not any(name.startswith("x-ratelimit") or "replayed" in name for name in answers[0].headers)


def test_what_the_path_names_is_looked_for_before_the_body_is_judged(museum: MuseumClient) -> None:
    assert museum.update_event(UNKNOWN_ID, {"name": 7}).status == 404
    assert museum.update_event(UNKNOWN_ID, b"{").status == 400


@pytest.mark.parametrize("status", [400, 401, 404])
def test_documented_errors_can_be_injected_anywhere(museum: MuseumClient, status: int) -> None:
    for path in ("/museum-hours", "/special-events"):
        assert museum.get(path, X_Sim_Fault=f"status={status}").status == status


def test_an_answer_that_is_lost_on_its_way_leaves_the_event_made(monday: MuseumClient) -> None:
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="lost"), X_Sim_Fault="drop=after")
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="never"), X_Sim_Fault="drop=before")
    assert monday.event_names() == ["lost"]
