"""The header X-Sim-Fault: an effect for one call, `NAME[=VALUE]`, followed by its options behind semicolons."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.faults.effect_registry import EFFECT_TYPES, OPTIONS, check_effect
from giftsim.gateway.faults.problem import InvalidFault

NAME = "X-Sim-Fault"


def parse_header(text: str) -> dict[str, Any]:
    """The effect of a header such as `status=429; retry_after=7` or `hold`; InvalidFault."""
    effect: dict[str, Any] = {}
    for part in text.split(";"):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in effect:
            raise InvalidFault(f"{name} is given twice")
        effect[name] = _parse_value(name, value, bool(equals))
    check_effect(effect)
    return effect


def _parse_value(name: str, text: str, given: bool) -> Any:
    if not given:
        return True
    if name in OPTIONS:
        (option,) = [each.options[name] for each in EFFECT_TYPES.values() if name in each.options]
        return text == "true" if option.accepts(True) and text in ("true", "false") else option.parse(text)
    return EFFECT_TYPES[name].parse(text) if name in EFFECT_TYPES else text
