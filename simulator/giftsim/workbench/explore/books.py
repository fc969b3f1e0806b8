"""What the service's books must show after every step, whatever the app believes: nothing was made twice.

What explore asks for is told apart by the addresses of its recipients, which no other intent has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from giftsim.engine.client.control import Control

DONE_WITH = frozenset({"canceled", "rejected"})


def books_step(email: str) -> dict[str, Any]:
    """The step of a scenario that fails if a recipient has several gifts."""
    return {"control": f"GET /recipients?q={email}", "expect": {"status": 200, "body": {"recipients": {"$length": 1}}}}


def made_twice(world: Control, emails: Iterable[str]) -> tuple[str, int] | None:
    """The first of these recipients who has several gifts that nobody canceled, and how many; None if nobody has."""
    rows = world.rows("/recipients", "recipients")
    times = Counter(row["email"] for row in rows if row["status"] not in DONE_WITH)
    return next(((email, times[email]) for email in emails if times[email] > 1), None)
