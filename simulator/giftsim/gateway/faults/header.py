"""The header X-Sim-Fault: an effect for one call alone, `NAME[=VALUE]` with its companions behind semicolons."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.faults.effect_registry import COMPANIONS, FAMILIES, check
from giftsim.gateway.faults.problem import InvalidFault

NAME = "X-Sim-Fault"


def from_header(text: str) -> dict[str, Any]:
    """The effect that `status=429; retry_after=7` or `hold` names; InvalidFault."""
    effect: dict[str, Any] = {}
    for part in text.split(";"):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in effect:
            raise InvalidFault(f"{name} is said twice")
        effect[name] = _value(name, value, bool(equals))
    check(effect)
    return effect


def _value(name: str, text: str, given: bool) -> Any:
    if not given:
        return True
    if name in COMPANIONS:
        (companion,) = [family.companions[name] for family in FAMILIES.values() if name in family.companions]
        return text == "true" if companion.fits(True) and text in ("true", "false") else companion.read(text)
    return FAMILIES[name].read(text) if name in FAMILIES else text
