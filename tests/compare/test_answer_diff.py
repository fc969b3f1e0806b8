"""Which differences of two answers count, case by case."""

from __future__ import annotations

import json
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.workbench.compare.answer_diff import Identities, compare_answers
from giftsim.workbench.compare.called_operation import CalledOperation, parse_call
from giftsim.workbench.compare.mask import Masker
from giftsim.workbench.scenario.steps.call_steps import Request

JSON = "application/json"
CSV = "text/csv; charset=utf-8"
TEAM, PARTNER = "/api/teams/v1", "/api/external"


class Sides:
    """Two sides that get answers to the same calls, one after the other."""

    def __init__(self, simulator: Simulator) -> None:
        self._contracts = {each.name: each.contract for each in simulator.interfaces if each.simulated}
        self._maskers, self._identities = (Masker(), Masker()), Identities()

    def findings(
        self, call: str, *bodies: Any, status: int = 200, sent: Any = None, media_type: str = JSON
    ) -> list[tuple[str, str]]:
        """The kinds and paths of the differences of two bodies."""
        method, _, path = call.partition(" ")
        called = parse_call(self._contracts, method, path)
        assert called is not None
        answers = []
        for masker, body in zip(self._maskers, bodies, strict=True):
            masker.note(Request(method, path, sent, {}), called)
            answers.append(masker.mask(called, _response(status, body, media_type)))
        return [(each.kind, each.path) for each in compare_answers(called, answers[0], answers[1], self._identities)]

    def called(self, call: str) -> CalledOperation | None:
        """The operation of a call."""
        return parse_call(self._contracts, *call.split())


def _response(status: int, body: Any, media_type: str) -> Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(status, {"content-type": media_type}, content)


@pytest.fixture
def sides(simulator: Simulator) -> Sides:
    """Two sides before their first answers."""
    return Sides(simulator)


HOURS = {"date": "2027-01-07", "timeOpen": "09:00", "timeClose": "18:00"}


@pytest.mark.parametrize(
    ("giftsim", "service", "expected"),
    [
        ({"a": 1}, {"a": 7}, []),
        ({"a": 1}, {"a": 1.5}, [("type", "$.a")]),
        ({"a": "x"}, {"a": "yyy"}, []),
        ({"a": "x"}, {"a": ""}, [("format", "$.a")]),
        ({"a": None}, {"a": 1}, [("null", "$.a")]),
        ({"a": {}}, {"a": None}, [("null", "$.a")]),
        ({"a": {}}, {"a": []}, [("type", "$.a")]),
        ({"a": True}, {"a": False}, [("value", "$.a")]),
        ({}, {"a": None}, [("extra_member", "$.a")]),
        ({"a": [1, 2]}, {"a": [1]}, [("length", "$.a")]),
        ({"a": [1, 2]}, {"a": [3, "x"]}, [("type", "$.a[1]")]),
        ({"a": "2027-01-04T09:00:00Z"}, {"a": "2026-11-22T10:00:00Z"}, []),
        ({"a": "2027-01-04T09:00:00Z"}, {"a": "2027-01-04T09:00:00+00:00"}, [("format", "$.a")]),
        ({"a": "2027-01-04T09:00:00Z"}, {"a": 1767517200}, [("type", "$.a")]),
        ({"a": "2027-01-04"}, {"a": "01/04/2027"}, [("format", "$.a")]),
        ({"a": "https://x.example/1"}, {"a": "/1"}, [("format", "$.a")]),
        ({"a": "whsec_0123456789abcdef"}, {"a": "whsec_ffffffffffff0000"}, []),
        ({"a": "whsec_0123456789abcdef"}, {"a": "wh_0123456789abcdef"}, [("format", "$.a")]),
        ({"other_id": 1}, {"other_id": 553}, []),
        ({"other_id": 1}, {"other_id": "553"}, [("type", "$.other_id")]),
    ],
)
def test_values_of_members_that_the_contract_does_not_know(
    sides: Sides, giftsim: Any, service: Any, expected: list[tuple[str, str]]
) -> None:
    assert sides.findings(f"GET {TEAM}/team-orders/1", giftsim, service) == expected


def test_a_number_that_the_contract_allows_a_fraction_may_have_one_or_not(sides: Sides) -> None:
    bodies = [{"eventId": "x", "price": price} for price in (25, 25.5)]
    assert sides.findings("GET /v1.1/special-events/x", *bodies) == []


def test_a_text_that_was_sent_has_to_come_back_where_giftsim_returns_it(sides: Sides) -> None:
    call, sent = f"PATCH {TEAM}/team-orders/1", {"po_number": "PO-17"}
    assert sides.findings(call, {"po_number": "PO-17"}, {"po_number": "po-17"}, sent=sent) == [("echo", "$.po_number")]
    assert sides.findings(call, {"po_number": "PO-17"}, {"po_number": "PO-17"}, sent=sent) == []
    assert sides.findings(call, {"note": "any"}, {"note": "PO-17"}, sent=sent) == []


def test_an_id_has_to_stand_for_the_record_that_it_stood_for_before(sides: Sides) -> None:
    call = f"POST {TEAM}/team-orders"
    assert sides.findings(call, {"id": 1}, {"id": 901}, status=201) == []
    assert sides.findings(call, {"id": 1}, {"id": 901}, status=201) == []
    assert sides.findings(call, {"id": 2}, {"id": 902}, status=201) == []
    assert sides.findings(call, {"id": 1}, {"id": 903}, status=201) == [("identity", "$.id")]
    assert sides.findings(call, {"id": 3}, {"id": 901}, status=201) == [("identity", "$.id")]


def test_equal_ids_of_records_of_different_kinds_are_not_taken_for_each_other(sides: Sides) -> None:
    bodies = [{"endpoint": {"id": mine}, "deliveries": [{"id": theirs}]} for mine, theirs in ((1, 1), (553, 9))]
    assert sides.findings(f"GET {PARTNER}/webhooks/1", *bodies) == []


def _endpoints(*ids: int, **more: Any) -> dict[str, Any]:
    return {"endpoints": [{"id": each, "status": "active", **more} for each in ids]}


@pytest.mark.parametrize(
    ("giftsim", "service", "expected"),
    [
        (_endpoints(1, 2), _endpoints(901, 902), []),
        (_endpoints(1, 2), _endpoints(77, 901, 78, 902), []),
        (_endpoints(1, 2), _endpoints(902, 901), [("order", "$.endpoints")]),
        (_endpoints(1, 2), _endpoints(901, 77), [("row", "$.endpoints")]),
        (_endpoints(1), _endpoints(901, 902), [("row", "$.endpoints")]),
        (_endpoints(1, 2), {"endpoints": []}, [("row", "$.endpoints")]),
        (_endpoints(5, 6), _endpoints(77), []),
        (_endpoints(5, name="x"), _endpoints(77, 78), [("lost_member", "$.endpoints[*].name")]),
        (_endpoints(5), _endpoints(77, name="x"), [("extra_member", "$.endpoints[*].name")]),
        ({"endpoints": [{"id": 5, "name": "x"}, {"id": 6}]}, _endpoints(77), []),
        (_endpoints(5, pending_count=0), _endpoints(77, pending_count="0"), [("type", "$.endpoints[*].pending_count")]),
    ],
)
def test_records_of_this_run_are_found_in_a_list_among_others(
    sides: Sides, giftsim: Any, service: Any, expected: list[tuple[str, str]]
) -> None:
    for mine, theirs in ((1, 901), (2, 902)):
        created = [{"endpoint": {"id": each, "status": "active"}} for each in (mine, theirs)]
        assert sides.findings(f"POST {PARTNER}/webhooks", *created, status=201) == []
    assert sides.findings(f"GET {PARTNER}/webhooks", giftsim, service) == expected


def test_a_service_with_more_records_has_more_pages_and_larger_totals(sides: Sides) -> None:
    pages = [{"data": [], "next_cursor": None}, {"data": [{"id": 7}], "next_cursor": "b3BhcXVl"}]
    assert sides.findings(f"GET {TEAM}/team-orders?limit=2", *pages) == []
    assert sides.findings(f"GET {TEAM}/team-orders?limit=2", pages[1], {"data": []}) == [
        ("lost_member", "$.next_cursor")
    ]


def test_a_page_may_not_have_more_entries_than_were_asked_for(sides: Sides) -> None:
    call = "GET /v1.1/museum-hours?limit=2"
    assert sides.findings(call, [HOURS] * 2, [HOURS] * 3) == [("page_size", "$")]
    assert sides.findings(call, [HOURS] * 2, [HOURS]) == []


def test_of_a_csv_file_the_columns_are_compared(sides: Sides) -> None:
    call = f"GET {PARTNER}/team-orders/1/manifest.csv"
    rows = [b'"name","status"\n"Bo","shipped"\n', b"name,status\nCy,awaiting\n", b"name,state\nCy,awaiting\n"]
    assert sides.findings(call, rows[0], rows[1], media_type=CSV) == []
    assert sides.findings(call, rows[0], rows[2], media_type=CSV) == [("value", "$.columns[1]")]


def test_a_csv_file_without_names_of_columns_shows_nothing_of_its_rows(sides: Sides) -> None:
    called = sides.called(f"GET {PARTNER}/team-orders/1/manifest.csv")
    assert called is not None
    answer = Masker().mask(called, _response(200, b"Bo Berg,bo@example.com,2\n", CSV))
    assert answer.body == {"columns": ["string text"] * 3}


@pytest.mark.parametrize(("error", "mark"), [
    ("not_found", "string value not_found"),
    ("No order for Bo Berg", "string text"),
    ("pk_live_0123456789abcdef", "string secret pk_live_..."),
])  # fmt: skip
def test_an_error_code_is_shown_only_if_it_is_a_word_and_not_a_secret(sides: Sides, error: str, mark: str) -> None:
    called = sides.called(f"GET {TEAM}/team-orders/1")
    assert called is not None
    answer = Masker().mask(called, _response(404, {"error": {"code": error}, "message": "Bo"}, JSON))
    assert answer.body == {"error": {"code": mark}, "message": "string text"}


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
def test_json_that_cannot_be_read_is_a_difference_and_no_failure(sides: Sides, body: bytes) -> None:
    assert sides.findings(f"GET {TEAM}/team-orders/1", {"id": 1}, body) == [("type", "$")]


def test_names_that_are_values_are_not_compared(sides: Sides) -> None:
    placements = [{"placements": {name: {"fit": "contain"}}} for name in ("front", "back")]
    assert sides.findings(f"GET {TEAM}/previews/1", *placements) == []
    called = sides.called(f"GET {TEAM}/previews/1")
    assert called is not None
    answer = Masker().mask(called, _response(200, placements[0], JSON))
    assert answer.body == {"placements": {"*1": {"fit": "string text"}}}


def test_after_another_class_of_status_nothing_else_is_compared(sides: Sides) -> None:
    called = sides.called(f"GET {TEAM}/team-orders/1")
    assert called is not None
    masker = Masker()
    giftsim, service = (
        masker.mask(called, Response(status, {"content-type": JSON, "retry-after": "1"}, body))
        for status, body in ((200, b'{"id": 1}'), (503, b'{"error": {"code": "service_unavailable"}}'))
    )
    [finding] = compare_answers(called, giftsim, service, Identities())
    assert (finding.kind, finding.giftsim, finding.service) == ("status", "200", "503")
    assert finding.pointer == "#/paths/~1team-orders~1{id}/get/responses/200"
    assert "T-4.58" in finding.sources
