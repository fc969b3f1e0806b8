"""The index at `/` and `/openapi` (G101)."""

from __future__ import annotations

import re

import pytest

from giftsim import __version__
from giftsim.engine.client.response import Response
from tests.support.worlds import World

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
NAMES = ["team", "partner", "museum", "control"]


def get(world: World, path: str, **headers: str) -> Response:
    """The answer to a GET."""
    return world.client.call("GET", path, headers=headers)


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html;q=0.5"])
def test_a_program_gets_the_index_as_json(world: World, accept: str) -> None:
    index = get(world, "/", Accept=accept).json()
    assert (index["name"], index["version"]) == ("giftsim", __version__)
    entries = {entry["name"]: entry for entry in index["addresses"]}
    assert list(entries)[:4] == NAMES
    for entry in entries.values():
        assert entry["title"]
        assert entry["summary"].endswith(".")
        assert entry["url"].startswith("http://giftsim.example/")
    assert entries["partner"]["url"] == "http://giftsim.example/api/external"
    assert entries["assistants"]["url"] == "http://giftsim.example/mcp"
    assert entries["documentation"]["url"] == "http://giftsim.example/console/docs/"
    assert get(world, entries["health"]["url"].removeprefix("http://giftsim.example")).status == 200


def test_the_contracts_have_an_index(world: World) -> None:
    contracts = get(world, "/openapi").json()["contracts"]
    assert [contract["name"] for contract in contracts] == NAMES
    for contract in contracts:
        document = get(world, contract["contract"].removeprefix("http://giftsim.example")).json()
        assert document["info"]["title"] == contract["title"]
        assert contract["url"].endswith(document["servers"][0]["url"])


def test_a_person_gets_the_index_of_contracts_as_a_page(world: World) -> None:
    page = get(world, "/openapi", Accept=BROWSER)
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    links = re.findall(r'href="([^"]+)"', page.text)
    assert {f"/openapi/{name}.json" for name in NAMES} <= set(links)
    for link in links:
        assert get(world, link).status == 200, link
    assert "content-security-policy" in page.headers
