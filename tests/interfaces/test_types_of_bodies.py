"""The Content-Type of a body and its encoding: what is accepted, and what a refusal says (G352, G353)."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.support.museum import MuseumClient, ticket_body
from tests.support.orders import order_body
from tests.support.team.clients import TeamClients
from tests.support.team.people import person_row
from tests.support.worlds import World

JSON_TYPES = ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"]
OTHER_TYPES = ["text/plain", "application/xml", "application/x-www-form-urlencoded", "application/jsonx", ""]
SIMULATED: dict[str, Callable[[World, Any, dict[str, str]], Response]] = {
    "partner": lambda world, body, headers: world.partner().call("POST", "/team-orders", body, **headers),
    "team": lambda world, body, headers: TeamClients(world).live.call("POST", "/people", body, **headers),
    "museum": lambda world, body, headers: MuseumClient(world).call("POST", "/tickets", body, **headers),
}
BODIES = {"partner": order_body(), "team": {"people": [person_row()]}, "museum": ticket_body()}


@pytest.mark.parametrize("name", SIMULATED)
@pytest.mark.parametrize("content_type", [*JSON_TYPES, *OTHER_TYPES])
def test_a_body_is_json_whatever_its_type_says_unless_the_world_is_strict(
    world: World, name: str, content_type: str
) -> None:
    send, raw = SIMULATED[name], json.dumps(BODIES[name]).encode()
    world.change_settings(strict_content_type=True)
    answer = send(world, raw, {"Content_Type": content_type})
    if content_type in OTHER_TYPES:
        assert answer.status == 400, answer.text
        assert "send Content-Type: application/json" in answer.text
        world.change_settings(strict_content_type=False)
        answer = send(world, raw, {"Content_Type": content_type})
    assert 200 <= answer.status < 300, answer.text


def test_the_call_log_and_a_replay_have_the_type_that_decided(world: World) -> None:
    world.change_settings(strict_content_type=True)
    for content_type in ("application/json", "text/plain", ""):
        SIMULATED["partner"](world, json.dumps(BODIES["partner"]).encode(), {"Content_Type": content_type})
    logged = world.rows("calls")
    assert [call["response"]["status"] for call in logged] == [201, 400, 400]
    assert [call["request"]["headers"].get("Content-Type") for call in logged] == [None, "text/plain", ""]
    yaml = {"Content-Type": "application/yaml"}
    played = world.client.call("POST", "/_sim/v1/scenarios/play", body=world.recording, headers=yaml)
    assert (played.status, played.json()["outcome"]) == (200, "passed"), played.text


def test_a_body_of_the_control_api_needs_no_type(world: World) -> None:
    world.change_settings(strict_content_type=True)
    path = f"/_sim/v1/worlds/{world.id}/clock/advance"
    answer = world.client.call("POST", path, body='{"by": "1h"}', headers={"Content-Type": "text/plain"})
    assert answer.status == 200


def _mcp(world: World, raw: bytes) -> Response:
    headers = {**world.credentials["team.live_approver"]["headers"], "Accept": "application/json, text/event-stream"}
    return world.client.call("POST", "/mcp", body=raw, headers=headers)


def _claim(world: World, raw: bytes) -> Response:
    order = world.partner().post("/team-orders", order_body(return_claim_links=True)).json()
    link = "/" + order["recipients"][0]["claim"]["link"].split("/", 3)[3]
    return world.client.call("POST", link, body=raw, headers={"Content-Type": "application/json"})


ENTRIES: dict[str, Callable[[World, bytes], Response]] = {
    "partner": lambda world, raw: SIMULATED["partner"](world, raw, {}),
    "team": lambda world, raw: SIMULATED["team"](world, raw, {}),
    "museum": lambda world, raw: SIMULATED["museum"](world, raw, {}),
    "control": lambda world, raw: world.client.call("POST", f"/_sim/v1/worlds/{world.id}/faults", body=raw),
    "assistant": _mcp,
    "claim page": _claim,
}
TEXT = json.dumps({"name": "Bo", "items": []})
ENCODED = {
    "begins with a byte order mark": [codecs.BOM_UTF8 + TEXT.encode()],
    "is UTF-16": [TEXT.encode(each) for each in ("utf-16", "utf-16-le", "utf-16-be")] + [codecs.BOM_UTF16_BE],
    "is UTF-32": [TEXT.encode(each) for each in ("utf-32", "utf-32-le", "utf-32-be")] + [codecs.BOM_UTF32_BE],
    "is compressed with gzip": [gzip.compress(TEXT.encode())],
    "is compressed with deflate": [zlib.compress(TEXT.encode(), level) for level in (1, 6, 9)],
    "is compressed with zstd": [b"\x28\xb5\x2f\xfd\x04\x58"],
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(("what", "bodies"), ENCODED.items())
def test_a_body_in_another_encoding_is_refused_as_what_it_is(
    world: World, entry: str, what: str, bodies: list[bytes]
) -> None:
    for raw in bodies:
        answer = ENTRIES[entry](world, raw)
        assert answer.status == 400, answer.text
        assert f"the body {what}; send uncompressed JSON in UTF-8, without a byte order mark" in answer.text
