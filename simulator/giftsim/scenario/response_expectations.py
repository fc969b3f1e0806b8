"""Expectations of a response: status, headers, body, or a lost connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from giftsim.scenario.client_protocol import Response
from giftsim.scenario.matching import ABSENT, Mismatch, is_operator, mismatches
from giftsim.scenario.world_client import decode_body, is_success


def response_mismatches(expect: Mapping[str, Any], response: Response | None) -> Iterator[Mismatch]:
    """Where a response differs from what is expected; None is a connection that was lost."""
    if response is None:
        if "connection" not in expect:
            yield Mismatch("connection", "a response", "lost")
        return
    if "connection" in expect:
        yield Mismatch("connection", "lost", f"a response, {response.status}")
        return
    if response.status != expect.get("status", response.status if is_success(response.status) else None):
        yield Mismatch("status", str(expect.get("status", "2xx")), str(response.status))
    yield from _header_mismatches(expect.get("headers", {}), response.headers)
    if "body" in expect:
        yield from mismatches(expect["body"], decode_body(response), "body")


def _header_mismatches(expected: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[Mismatch]:
    for name, value in expected.items():
        expected_value = value if is_operator(value) else str(value)
        yield from mismatches(expected_value, headers.get(name.lower(), ABSENT), f"headers.{name}")
