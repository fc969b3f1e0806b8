"""The control API over a client."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.engine.client.control import Control, ControlRefused, TokenNeeded, query_text, quote_segment, refusal_error
from giftsim.engine.client.response import Response
from giftsim.engine.client.world import ClientWorld
from giftsim.engine.control.access import Access
from tests.support.worlds import World

NOT_TRUSTED = {"giftsim.in_process": False}


@pytest.fixture
def control(simulator: Simulator) -> Control:
    """The control API of the simulator."""
    return Control(simulator.client)


def test_a_success_is_its_content(control: Control, world: World) -> None:
    assert control.send("GET", "/health")["status"] == "ready"
    assert ClientWorld(control, world.id).send("GET")["id"] == world.id
    assert "\nscenario: " in ClientWorld(control, world.id).send("GET", "/calls/scenario")


def test_a_refusal_has_the_members_of_its_error(control: Control) -> None:
    with pytest.raises(ControlRefused) as error:
        ClientWorld(control, "none").send("GET", "/clock")
    refused = error.value
    assert (refused.status, refused.code) == (404, "world_not_found")
    assert str(refused) == f"GET /_sim/v1/worlds/none/clock answered 404 world_not_found: {refused.message}"
    assert ClientWorld(control, "none").call("GET", "/clock").status == 404


def test_a_missing_token_is_an_error_of_its_own() -> None:
    simulator = Simulator(fixture="bare", access=Access(token="t"))
    client = simulator.client
    with pytest.raises(TokenNeeded):
        Control(type(client)(simulator.wsgi_app, environ=NOT_TRUSTED)).send("GET", "/health")
    authorized = type(client)(simulator.wsgi_app, environ={**NOT_TRUSTED, "HTTP_HOST": "127.0.0.1"})
    assert Control(authorized, {"Authorization": "Bearer t"}).send("GET", "/health")["status"] == "ready"
    simulator.close()


@pytest.mark.parametrize("body", [b"bad gateway", b"[]", b'{"error": "text"}', b'{"error": {"message": "no code"}}'])
def test_a_refusal_in_another_form_has_its_body_as_message(body: bytes) -> None:
    refused = refusal_error(Response(502, {}, body))
    assert (refused.status, refused.code, refused.message) == (502, "", body.decode())


def test_rows_are_those_of_all_pages(control: Control, world: World) -> None:
    ids = [f"person-{number}" for number in range(5)]
    for name in ids:
        world.call_control("POST", "/actors", {"id": name, "recipient": f"{name}@example.com", "claims": "1d"})
    assert [row["id"] for row in ClientWorld(control, world.id).rows("/actors", "actors", limit=2)] == ids


def test_a_query_leaves_out_what_is_none() -> None:
    assert query_text({"a": None}) == ""
    assert query_text({"a": 1, "b": None, "wait": True, "q": "x y"}) == "?a=1&wait=true&q=x+y"


def test_any_text_is_one_segment() -> None:
    assert quote_segment("a/b ?ä") == "a%2Fb%20%3F%C3%A4"
