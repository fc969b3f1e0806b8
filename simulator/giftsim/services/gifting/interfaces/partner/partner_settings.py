"""The settings of the partner interface that several modules read."""

from __future__ import annotations

from giftsim.engine.kernel.setting import choice, number

PAGE_SIZE = number(
    "partner.page_size", 20, "how many team orders a page of the partner's list has without `limit` (B1)", 1, 100
)
PING_DATA = choice("webhooks.ping_data", ("endpoint", "empty"), "what the `data` of a partner's ping has (G117)")
