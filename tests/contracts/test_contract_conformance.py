"""The check of responses against contracts reports each difference."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.contract_conformance import assert_conforms

MUSEUM = Contract.load(CONTRACTS["museum"])
JSON = {"content-type": "application/json", "x-request-id": "req_1"}
PROBLEM = {**JSON, "content-type": "application/problem+json"}
DAY = b'[{"date": "2027-01-04", "timeOpen": "09:00", "timeClose": "18:00"}]'
REFUSAL = b'{"type": "unauthorized", "title": "no"}'


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, JSON, DAY),
        (200, {**JSON, "content-type": "Application/JSON; charset=utf-8"}, b"[]"),
        (401, {**PROBLEM, "www-authenticate": 'Basic realm="museum"'}, REFUSAL),
    ],
)
def test_a_documented_response_conforms(status: int, headers: dict[str, str], body: bytes) -> None:
    assert_conforms(MUSEUM, "getMuseumHours", Response(status, headers, body))


@pytest.mark.parametrize(
    ("status", "headers", "body", "message"),
    [
        (418, JSON, DAY, "status 418"),
        (200, PROBLEM, DAY, "content type"),
        (200, {"content-type": "application/json"}, DAY, "X-Request-Id is missing"),
        (200, JSON, DAY.replace(b"09:00", b"9:00"), "timeOpen"),
        (200, JSON, DAY.replace(b"}", b', "seats": 1}'), "seats"),
        (200, JSON, b"{", "not JSON"),
        (401, PROBLEM, REFUSAL, "WWW-Authenticate is missing"),
        (401, {**PROBLEM, "www-authenticate": "Bearer"}, REFUSAL, "WWW-Authenticate"),
        (400, PROBLEM, b'{"title": "no"}', "type"),
    ],
)
def test_an_undocumented_response_is_reported(
    status: int, headers: dict[str, str], body: bytes, message: str
) -> None:  # fmt: skip
    with pytest.raises(AssertionError, match=message):
        assert_conforms(MUSEUM, "getMuseumHours", Response(status, headers, body))


def test_a_body_without_a_schema_does_not_conform() -> None:
    empty: dict[str, Any] = {"x-request-id": "req_1"}
    assert_conforms(MUSEUM, "deleteSpecialEvent", Response(204, empty, b""))
    with pytest.raises(AssertionError, match="a body where"):
        assert_conforms(MUSEUM, "deleteSpecialEvent", Response(204, empty, b"{}"))
