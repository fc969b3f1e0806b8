"""Settings of a world."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.responses import status_and_code
from tests.support.worlds import World

Make = Callable[..., World]


def test_settings_are_changed_all_or_none(world: World) -> None:
    before = world.call_control("GET", "/settings")
    good = {"partner.claim_expiry_days": 5, "partner.prices.rush": 1, "rate_limits.starter": 7}
    for bad, message in (
        ({"partner.claim_expiry_dys": 9}, "claim_expiry_days?"),
        ({"partner.prices.rush": "x"}, "rush"),
    ):
        response = world.control.call("PATCH", f"/worlds/{world.id}/settings", {**good, **bad})
        assert status_and_code(response) == (400, "invalid_setting")
        assert message in response.json()["error"]["message"]
    assert world.call_control("GET", "/settings") == before
    assert world.call_control("PATCH", "/settings", good) == {**before, **good}


def test_a_reset_restores_the_settings_of_the_creation(new_world: Make) -> None:
    world = new_world(settings={"partner.claim_expiry_days": 4})
    world.change_settings(partner__claim_expiry_days=8)
    world.call_control("POST", "/reset")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 4
    assert status_and_code(world.control.post("/worlds", {"settings": {"nonsense": 1}})) == (400, "invalid_setting")
