"""Texts with several lines take every line end, as it is sent; a setting refuses CR (G351)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.expected import ANY_LINES
from tests.interfaces.test_free_text import NEW, Path, put, strings_of
from tests.support.orders import order_body
from tests.support.valid_calls import OPERATIONS, Calls, all_calls, new
from tests.support.worlds import World

TEXT = "Dear Bo,\r\nthank you!\rYours\nAda"


def texts_of(op: Operation) -> set[Path]:
    """Where an operation takes a text of several lines."""
    return {path for path, node in strings_of(op).items() if node.get("pattern") == ANY_LINES}


WITH_TEXT = [name for name, op in OPERATIONS.items() if texts_of(op)]


@pytest.fixture(scope="module")
def calls(simulator: Simulator) -> Iterator[Calls]:
    """The calls, in one world."""
    world = World(simulator, fixture="empty")
    yield Calls(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.mark.parametrize("name", WITH_TEXT)
def test_every_line_end_is_accepted_and_one_reading_refuses_cr(calls: Calls, name: str) -> None:
    op, placed = OPERATIONS[name], set()
    for where in texts_of(op):
        for client, path, given in all_calls(calls, name):
            body = deepcopy(given)
            if not put(body, where, TEXT):
                continue
            body |= {each: new(body[each]) for each in NEW & body.keys()}
            placed.add(where)
            calls.world.change_settings(texts__line_ends="lf")
            refused = client.call(op.method, path, body)
            assert refused.status in (400, 422), refused.text
            assert "must be text whose line ends are LF" in refused.text
            calls.world.change_settings(texts__line_ends="any")
            accepted = client.call(op.method, path, body)
            assert 200 <= accepted.status < 300, accepted.text
    assert placed == texts_of(op)


def test_a_message_with_crlf_is_shown_as_it_was_sent(world: World) -> None:
    order = world.partner().post("/team-orders", order_body(gift_message=TEXT, return_claim_links=True)).json()
    link = "/" + order["recipients"][0]["claim"]["link"].split("/", 3)[3]
    page = world.client.call("GET", link, headers={"Accept": "application/json"})
    assert page.json()["message"] == TEXT


@pytest.mark.parametrize("name", ["Ann\nBcc: x", "Ann\r\nBcc: x", "Ann\u2028x", "\t"])
def test_the_name_of_a_partners_recipient_is_one_line(world: World, name: str) -> None:
    body = order_body(recipients=[{"name": name, "email": "bo@example.com"}])
    refused = world.partner().post("/team-orders", body)
    assert refused.status == 422
    (row,) = refused.json()["errors"]
    assert row["errors"] == [
        {"field": "name", "message": f"must be one line that is not blank, without control characters, not {name!r}"}
    ]


@pytest.mark.parametrize("name", ["Ann\nBcc: x", "Ann\r\nBcc: x"])
def test_the_name_of_an_open_seats_claimant_is_one_line(world: World, name: str) -> None:
    order = world.partner().post("/team-orders", order_body(open_seats=1, return_claim_links=True)).json()["team_order"]
    refused = world.claim(order["shared_claim_link"].rsplit("/", 1)[1], name=name, email="cy@example.com")
    assert refused.status == 422
    assert "name must be one line" in refused.text
