"""What an app has to do about a verdict, for those who can change the app and not the test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_NO_LINE: Final = "no line outside the app helps: "


def advice(verdict: Mapping[str, Any]) -> str:
    """The advice of a verdict in a trace; empty if it has none."""
    text = str(verdict.get("why_not") or "").removeprefix(_NO_LINE)
    return text.replace("it has to", "the app has to", 1) if text.startswith("it has to") else text
