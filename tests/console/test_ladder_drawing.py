"""How high the drawing of a retry ladder is."""

from __future__ import annotations

from typing import Any

from giftsim.console.ladder import HEIGHT, draw

FIRST, LATER, LATEST = "2027-01-14T09:00:00Z", "2027-01-19T10:00:00Z", "2027-01-19T12:00:00Z"


def attempt(rung: int | None, at: str, status: int = 200) -> dict[str, Any]:
    """An attempt that was answered; without a rung it was sent again by hand."""
    outcome, mark = "delivered" if status == 200 else "failed", None if rung else "resend"
    return {"rung": rung, "at": at, "status": status, "outcome": outcome, "mark": mark, "seq": 1}


def height(*attempts: dict[str, Any]) -> int:
    """How high the drawing of a delivery with these attempts is."""
    return draw({"attempts": attempts, "planned": [], "status": "delivered"}, LATEST).height


def test_what_is_sent_again_after_a_delivery_at_once_is_drawn_right_below_it() -> None:
    delivered, again, once_more = attempt(1, FIRST), attempt(None, LATER), attempt(None, LATEST)
    assert height(delivered) < height(delivered, again) < height(delivered, again, once_more) < HEIGHT / 2


def test_a_ladder_that_was_climbed_keeps_its_height_when_it_is_sent_again() -> None:
    failed, delivered = attempt(1, FIRST, 503), attempt(2, "2027-01-14T09:20:00Z")
    assert height(failed, delivered) == height(failed, delivered, attempt(None, LATER)) > HEIGHT
    assert height(failed, attempt(None, LATER)) > HEIGHT
