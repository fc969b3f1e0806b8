"""Settings, and how strange requests are named."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.responses import status_and_code
from tests.support.worlds import World

Make = Callable[..., World]


def test_settings_are_flat_and_changed_whole_or_not_at_all(world: World) -> None:
    before = world.call_control("GET", "/settings")
    good = {"partner.claim_expiry_days": 5, "partner.prices.rush": 1, "rate_limits.starter": 7}
    for bad, said in (({"partner.claim_expiry_dys": 9}, "claim_expiry_days?"), ({"partner.prices.rush": "x"}, "rush")):
        response = world.control.call("PATCH", f"/worlds/{world.id}/settings", {**good, **bad})
        assert status_and_code(response) == (400, "invalid_setting")
        assert said in response.json()["error"]["message"]
    assert world.call_control("GET", "/settings") == before
    assert world.call_control("PATCH", "/settings", good) == {**before, **good}


def test_settings_can_be_given_at_creation_and_come_back_on_reset(new_world: Make) -> None:
    world = new_world(settings={"partner.claim_expiry_days": 4})
    world.change_settings(partner__claim_expiry_days=8)
    world.call_control("POST", "/reset")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 4
    assert status_and_code(world.control.post("/worlds", {"settings": {"nonsense": 1}})) == (400, "invalid_setting")


def test_what_is_strange_is_named_with_the_nearest_known(world: World) -> None:
    inside = f"/worlds/{world.id}"
    cases = [
        ("POST", "/worlds", {"sed": 1}, "did you mean seed?"),
        (
            "POST",
            "/worlds",
            {"clock": {"mode": "running", "rat": 2}},
            "clock: unknown member 'rat'; did you mean rate?",
        ),
        ("POST", f"{inside}/faults", {"effect": {"hold": True}, "wen": {}}, "did you mean when?"),
        ("POST", f"{inside}/faults", {"effect": {}, "when": {"frist": 1}}, "did you mean first?"),
        ("POST", f"{inside}/clock/advance", {"bye": "1d"}, "did you mean by?"),
        ("GET", "/worlds?limt=1", None, "did you mean limit?"),
        ("GET", f"{inside}/delivries", None, "/deliveries?"),
    ]
    for method, path, body, said in cases:
        response = world.control.call(method, path, body)
        assert response.status in (400, 404), path
        assert said in response.json()["error"]["message"]


def test_a_wrong_value_is_told_what_is_taken(world: World) -> None:
    response = world.control.post("/worlds", {"seed": "stale"})
    assert response.json()["error"]["message"] == "seed takes a whole number from 0 or the word fresh, not 'stale'"
    assert world.control.post("/worlds", {"now": "tomorrow"}).status == 400
    assert world.control.post("/worlds", {"clock": {"mode": "manual", "rate": 2}}).status == 400
    assert world.control.post("/worlds", {"clock": {"mode": "running", "rate": 0}}).status == 400
