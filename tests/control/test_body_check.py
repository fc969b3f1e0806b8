"""Error messages for unknown names and invalid values in requests."""

from __future__ import annotations

import pytest

from tests.support.worlds import World


def test_the_error_for_an_unknown_name_names_the_nearest_one(world: World) -> None:
    base = f"/worlds/{world.id}"
    cases = [
        ("POST", "/worlds", {"sed": 1}, "did you mean seed?"),
        (
            "POST",
            "/worlds",
            {"clock": {"mode": "running", "rat": 2}},
            "clock: unknown member 'rat'; did you mean rate?",
        ),
        ("POST", f"{base}/faults", {"effect": {"hold": True}, "wen": {}}, "did you mean when?"),
        ("POST", f"{base}/faults", {"effect": {}, "when": {"frist": 1}}, "did you mean first?"),
        ("POST", f"{base}/clock/advance", {"bye": "1d"}, "did you mean by?"),
        ("GET", "/worlds?limt=1", None, "did you mean limit?"),
        ("GET", f"{base}/delivries", None, "/deliveries?"),
    ]
    for method, path, body, message in cases:
        response = world.control.call(method, path, body)
        assert response.status in (400, 404), path
        assert message in response.json()["error"]["message"]


def test_the_error_for_an_invalid_value_says_what_is_accepted(world: World) -> None:
    response = world.control.post("/worlds", {"seed": "stale"})
    assert response.json()["error"]["message"] == "seed takes a whole number from 0 or the word fresh, not 'stale'"
    assert world.control.post("/worlds", {"now": "tomorrow"}).status == 400
    with_rate = world.control.post("/worlds", {"clock": {"mode": "manual", "rate": 2}})
    assert with_rate.status == 400
    assert with_rate.json()["error"]["message"] == "rate: a clock with mode manual has no rate; use mode running"
    assert world.control.post("/worlds", {"clock": {"mode": "running", "rate": 0}}).status == 400


@pytest.mark.parametrize("path", ["/orders?limit=0", "/orders?limit=x", "/journal?after=-1"])
def test_details_of_an_invalid_parameter_are_left_out(world: World, path: str) -> None:
    refused = world.control.get(f"/worlds/{world.id}{path}")
    assert (refused.status, refused.json()["error"]["code"]) == (400, "invalid_parameter")
    assert "details" not in refused.json()["error"]
