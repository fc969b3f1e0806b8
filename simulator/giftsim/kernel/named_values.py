"""Values by name, of which each gets back what it was in an undo."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET


def restore(values: dict[str, Any], name: str, former: Any) -> None:
    """Give a name its former value; UNSET means that it had none."""
    if former is UNSET:
        values.pop(name, None)
    else:
        values[name] = former
