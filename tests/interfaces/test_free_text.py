"""Free text of every operation may contain what looks like an address or a claim link; naming members are judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.node import resolve_ref
from tests.shows import shows
from tests.support.api_clients import ApiClient
from tests.support.museum import MuseumClient
from tests.support.team.clients import TEAM_CONTRACT
from tests.support.valid_calls import OPERATIONS, Calls, all_calls, new
from tests.support.worlds import World

Path = tuple[str, ...]
ADDRESS = "bo@secret.example"
TEXTS = ("@", "%40", "/claim/x", ADDRESS)
# Members that name a record, a file or a place, and are therefore looked up or judged.
NAMING = {"sku_code", "collection", "collection_slug", "item_slug", "provider", "id", "object_type", "url", "country"}
JUDGED = {*NAMING, "primary_color", "birthday", "person_id"}
JUDGED_IN = {("createTeamOrder", ("recipients", "[]", "address", name)) for name in ("state", "zip")}
NEW = {"idempotency_key", "code"}  # what two calls may not have in common


def strings_of(op: Operation) -> dict[Path, Mapping[str, Any]]:
    """Where the body of an operation takes a string, with its schema in the contract."""
    return dict(_strings(op, op.node["requestBody"]["content"]["application/json"]["schema"], ()))


def texts_of(op: Operation) -> set[Path]:
    """Where it takes free text."""
    return {path for path, node in strings_of(op).items() if not _is_judged(op, path, node)}


def _is_judged(op: Operation, path: Path, node: Mapping[str, Any]) -> bool:
    return not {"enum", "format"}.isdisjoint(node) or path[-1] in JUDGED or (op.id, path) in JUDGED_IN


def _strings(op: Operation, node: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if not isinstance(node, Mapping):
        return
    node = resolve_ref(op.document, node)
    if "string" in (node["type"] if isinstance(node.get("type"), list) else [node.get("type")]):
        yield path, node
    for name, member in node.get("properties", {}).items():
        yield from _strings(op, member, (*path, name))
    yield from _strings(op, node.get("additionalProperties"), (*path, "*"))
    yield from _strings(op, node.get("items"), (*path, "[]"))
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in node.get(keyword, ()):
            yield from _strings(op, part, path)


def put(value: Any, path: Path, text: str) -> bool:
    """Put the text where the path leads in a body; whether it leads anywhere."""
    if path[0] in ("[]", "*"):
        inner = value if path[0] == "[]" else value.values()
        return True in [put(each, path[1:], text) for each in inner]
    if not isinstance(value, dict) or path[0] not in value:
        return False
    if path[1:] not in ((), ("[]",)):
        return put(value[path[0]], path[1:], text)
    value[path[0]] = [text] if path[1:] else text
    return True


WITH_TEXT = [name for name, op in OPERATIONS.items() if texts_of(op)]


@pytest.fixture(scope="module")
def calls(simulator: Simulator) -> Iterator[Calls]:
    """The calls, in one world."""
    world = World(simulator, fixture="empty")
    yield Calls(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@shows("T-1.9", "T-1.10")
@pytest.mark.parametrize("name", WITH_TEXT)
def test_free_text_of_any_kind_is_accepted_and_read(calls: Calls, name: str) -> None:
    op = OPERATIONS[name]
    placed: set[Path] = set()
    for text in TEXTS:
        for client, path, given in all_calls(calls, name):
            body = deepcopy(given)
            placed |= {where for where in texts_of(op) if put(body, where, new(text) if where[-1] in NEW else text)}
            response = client.call(op.method, path, body)
            assert 200 <= response.status < 300, response.text
            for shown in (response, *reads(calls, client, path, response)):
                assert shown.status == 200 or shown is response, shown.text
                assert client.contract is not TEAM_CONTRACT or ADDRESS not in shown.text, shown.text
    assert placed == texts_of(op)


@pytest.mark.parametrize("name", WITH_TEXT)
def test_a_member_that_is_judged_is_refused_or_accepted(calls: Calls, name: str) -> None:
    op = OPERATIONS[name]
    for text in TEXTS:
        for where in strings_of(op):
            client, path, body = all_calls(calls, name)[0]
            if put(body, where, new(text)):
                assert client.call(op.method, path, body).status < 500


@pytest.mark.parametrize("text", TEXTS)
def test_a_path_or_query_with_such_a_text_is_answered(calls: Calls, text: str) -> None:
    clients: list[ApiClient] = [calls.partner, calls.live, calls.team.owner, MuseumClient(calls.world)]
    for client in clients:
        for op in client.contract.operations.values():
            path = re.sub(r"\{\w+\}", quote(text, safe=""), op.template)
            query = urlencode({each.name: text for each in op.query_params})
            response = client.call(op.method, f"{path}?{query}", None if op.body_schema is None else {})
            assert response.status < 500
            assert client.contract is not TEAM_CONTRACT or ADDRESS not in response.text


def reads(calls: Calls, client: ApiClient, path: str, response: Response) -> Iterator[Response]:
    """The record that was just written, as soon as it is made and later; and the lists that contain it."""
    written = response.json()
    path = path.removeprefix("/artwork") if path.endswith("/previews") else path
    identity = written.get("id") or written.get("eventId") or written.get("team_order", written).get("id")
    for advance in (False, True):
        if advance:
            calls.world.advance("1m")
        for each in (path, f"{path}/{identity}" if identity else path):
            match = client.contract.match(each)
            if match and match[0].operation("GET"):
                yield client.get(each)
