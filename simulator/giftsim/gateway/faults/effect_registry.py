"""The vocabulary of effects: every family there is, and what makes an effect one that could act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

from giftsim.gateway.contract import Operation
from giftsim.gateway.faults import charge, connection, status, webhook_effects
from giftsim.gateway.faults.effect import Family
from giftsim.gateway.faults.problem import InvalidFault

FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        family.name: family
        for family in (
            charge.CHARGE, status.STATUS, connection.DROP, charge.CRASH, connection.DELAY, connection.HOLD,
            webhook_effects.SIGNING_KEY, webhook_effects.WEBHOOK,
        )
    }
)  # fmt: skip
COMPANIONS: Final = tuple(name for family in FAMILIES.values() for name in family.companions)


def family_of(effect: Mapping[str, Any]) -> Family:
    """The one family that an effect names; InvalidFault for none, several or an unknown one."""
    named = [name for name in effect if name in FAMILIES]
    for name in effect:
        if name not in FAMILIES and name not in COMPANIONS:
            raise InvalidFault(f"there is no effect {name[:60]!r}; {nearest(name, (*FAMILIES, *COMPANIONS))}")
    if len(named) != 1:
        got = f"{len(named)} ({', '.join(named)})" if named else ", ".join(effect) or "none"
        raise InvalidFault(f"an effect is one of {', '.join(FAMILIES)}; got {got}")
    return FAMILIES[named[0]]


def check(effect: Mapping[str, Any]) -> Family:
    """The effect's family; InvalidFault names a value that it does not take, or a companion that is another's."""
    family = family_of(effect)
    for name, value in effect.items():
        if name == family.name:
            takes, fits = family.takes, family.fits(value)
        elif name in family.companions:
            companion = family.companions[name]
            takes, fits = companion.takes, companion.fits(value)
        else:
            raise InvalidFault(f"{name} does not go with {family.name}; it goes with status")
        if not fits:
            raise InvalidFault(f"{name} takes {takes}; not {str(value)[:60]!r}")
    return family


def acts(operation: Operation, effect: Mapping[str, Any]) -> bool:
    """Whether the effect can do anything to a call of the operation."""
    family = family_of(effect)
    return family.acts(operation, effect[family.name])


def nearest(name: str, known: Sequence[str]) -> str:
    """What may have been meant."""
    near = get_close_matches(name, known, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
