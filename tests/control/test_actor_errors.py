"""Actors that are refused: invalid options, addresses and ids."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.actors import actors_by_id, create_actor
from tests.support.orders import RENO
from tests.support.responses import status_and_code
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "an actor needs either recipient (who claims) or approver (who decides)"),
        ({"recipient": "a@b.example"}, "a recipient needs claims: a delay such as 3d, or never"),
        ({"recipient": "a", "claims": "soon"}, "claims: 'soon' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H; or never"),  # noqa: E501
        ({"recipient": "a", "claims": "1d", "note": "x"}, "a recipient cannot have note; it can have claims, address, selection"),  # noqa: E501
        ({"recipient": "a", "claims": "never", "address": RENO}, "a recipient who never claims cannot have address"),
        ({"approver": "any"}, "an approver needs decides: approve, reject or never"),
        ({"approver": "any", "decides": "never", "after": "1d"}, "an approver who never decides cannot have after"),
        ({"approver": "any", "decides": "approve", "after": "x"}, "after: 'x' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H"),  # noqa: E501
        ({"recipient": "a", "claims": "999999d"}, "claims: 999999d is too long; the limit is 100 years"),
    ],
)  # fmt: skip
def test_an_actor_that_could_not_act_is_refused(world: World, body: Any, message: str) -> None:
    response = world.control.post(f"/worlds/{world.id}/actors", body)
    assert status_and_code(response) == (400, "invalid_actor")
    assert response.json()["error"]["message"] == message
    assert actors_by_id(world) == {}


def test_an_invalid_address_is_refused(world: World) -> None:
    address = {**RENO, "zip": "x"}
    response = world.control.post(f"/worlds/{world.id}/actors", {"recipient": "a", "claims": "1d", "address": address})
    assert status_and_code(response) == (400, "invalid_actor")
    assert "zip" in response.json()["error"]["message"]


def test_actor_ids_are_unique_and_unknown_ones_refused(world: World) -> None:
    create_actor(world, id="bo", recipient="any", claims="1d")
    again = world.control.post(f"/worlds/{world.id}/actors", {"id": "bo", "recipient": "any", "claims": "1d"})
    assert status_and_code(again) == (400, "invalid_actor")
    assert create_actor(world, recipient="any", claims="1d")["id"] == "actor-2"
    assert status_and_code(world.control.delete(f"/worlds/{world.id}/actors/zed")) == (404, "actor_not_found")


def test_an_unknown_kind_of_approval_is_refused(world: World) -> None:
    response = world.control.post(f"/worlds/{world.id}/actors", {"approver": "gifts", "decides": "approve"})
    assert response.json()["error"]["message"] == "approver takes any, gift, team_order or campaign, not 'gifts'"
