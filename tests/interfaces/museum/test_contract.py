"""The museum's contract: its version and prefix, its errors, and what the interface does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.gateway.in_process_client import Answer
from tests.claims import claims
from tests.interfaces.museum.scene import MUSEUM, NOBODY, OPERATIONS, Museum, event_body, title

CODES = {entry["code"]: entry["status"] for entry in MUSEUM.document["x-errors"]}


def broken(museum: Museum) -> Answer:
    museum.world.fault({"status": 500, "code": "internal_error", "undocumented": True})
    return museum.client.call("GET", "/v1.1/museum-hours", headers=museum.headers)


CAUSES: dict[str, Callable[[Museum], Answer]] = {
    "not_found": lambda museum: museum.get("/exhibitions"),
    "method_not_allowed": lambda museum: museum.call("PUT", "/tickets"),
    "unauthorized": lambda museum: museum.client.call("GET", "/v1.1/museum-hours"),
    "validation_failed": lambda museum: museum.get("/museum-hours?page=0&limit=99"),
    "special_event_not_found": lambda museum: museum.event(NOBODY),
    "ticket_not_found": lambda museum: museum.qr(NOBODY),
    "internal_error": broken,
}


@claims("M-9.1")
def test_paths_stand_under_the_prefix_and_nowhere_else(museum: Museum) -> None:
    for path, status in (("/v1.1/museum-hours", 200), ("/v1/museum-hours", 404), ("/museum-hours", 404)):
        assert museum.client.call("GET", path, headers=museum.headers).status == status


@claims("M-9.2")
def test_the_published_description_has_version_1_1_1(museum: Museum) -> None:
    published = museum.client.call("GET", "/openapi/museum.json")
    assert published.status == 200
    assert published.json()["info"]["version"] == "1.1.1"
    assert published.json()["servers"][0]["url"].endswith("/v1.1")


def test_the_operations_are_those_of_the_public_description() -> None:
    described = {op.id: (op.method, op.template.replace("Id}", "}")) for op in MUSEUM.operations.values()}
    assert described == OPERATIONS


@pytest.mark.parametrize("code", CODES)
def test_every_error_of_the_table_can_be_seen(museum: Museum, code: str) -> None:
    assert title(CAUSES[code](museum), CODES[code], code)


def test_every_error_of_an_operation_stands_in_the_table() -> None:
    for op in MUSEUM.operations.values():
        for status, node in op.node["responses"].items():
            assert all(CODES[code] == int(status) for code in node.get("x-codes", ()))


@pytest.mark.parametrize("body", [b"", b"{", b"name=x", b'{"name": 1, "name": 2}', b"\xff", b"[]", b"3", b"null"])
def test_a_body_that_is_no_json_object_is_refused_as_wrong(museum: Museum, body: bytes) -> None:
    event = museum.make()["eventId"]
    for method, path in (("POST", "/special-events"), ("POST", "/tickets"), ("PATCH", f"/special-events/{event}")):
        title(museum.call(method, path, body, Content_Type="text/plain"))


def test_json_is_read_whatever_its_content_type(museum: Museum) -> None:
    event = museum.make()["eventId"]
    assert museum.call("PATCH", f"/special-events/{event}", b"{}", Content_Type="text/plain").status == 200


def test_a_huge_price_is_refused_by_name(museum: Museum) -> None:
    for price in (10**16, -(10**400)):
        body = f'{{"price": {price}}}'.encode()
        assert "price: " in title(museum.call("PATCH", f"/special-events/{museum.make()['eventId']}", body))


def test_there_are_no_rate_limits_and_no_replays(museum: Museum) -> None:
    museum.world.settings(rate_limits__sandbox=1)
    answers = [museum.get("/museum-hours", Idempotency_Key="same") for _ in range(3)]
    assert [answer.status for answer in answers] == [200] * 3
    assert not any(name.startswith("x-ratelimit") or "replayed" in name for name in answers[0].headers)


def test_what_the_path_names_is_looked_for_before_the_body_is_judged(museum: Museum) -> None:
    assert museum.change(NOBODY, {"name": 7}).status == 404
    assert museum.change(NOBODY, b"{").status == 400


@pytest.mark.parametrize("status", [400, 401, 404])
def test_documented_errors_can_be_injected_anywhere(museum: Museum, status: int) -> None:
    for path in ("/museum-hours", "/special-events"):
        assert museum.get(path, X_Sim_Fault=f"status={status}").status == status


def test_an_answer_that_is_lost_on_its_way_leaves_the_event_made(monday: Museum) -> None:
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="lost"), X_Sim_Fault="drop=after")
    with pytest.raises(ConnectionError):
        monday.post("/special-events", event_body(name="never"), X_Sim_Fault="drop=before")
    assert monday.names() == ["lost"]
