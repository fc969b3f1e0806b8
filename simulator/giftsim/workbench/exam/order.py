"""An order that an app is asked for in a sitting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.workbench.exam.drawing import Person


class Order(msgspec.Struct, frozen=True):
    """An order that the app was asked for: its reference, items and recipients, and the app's answer."""

    reference: str
    items: tuple[Mapping[str, Any], ...]
    people: tuple[Person, ...]
    sender: str
    answer: Mapping[str, Any] = {}

    @property
    def emails(self) -> list[str]:
        """The recipients by their emails."""
        return [each.email for each in self.people]

    @property
    def members(self) -> dict[str, Any]:
        """The members of the action that asks for the order."""
        rows = [each.row for each in self.people]
        return {"reference": self.reference, "items": list(self.items), "gift_sender": self.sender, "recipients": rows}
