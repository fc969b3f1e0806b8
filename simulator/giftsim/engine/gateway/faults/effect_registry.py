"""The effect types that there are, and the validation of effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.faults import effects
from giftsim.engine.gateway.faults.effect import EffectType, InvalidFault
from giftsim.engine.kernel.texts import suggest

# Every EffectType of the module, in its order there.
EFFECT_TYPES: Final[Mapping[str, EffectType]] = {
    each.name: each for each in vars(effects).values() if isinstance(each, EffectType)
}
OPTIONS: Final = tuple(name for effect_type in EFFECT_TYPES.values() for name in effect_type.options)

# Every member that an effect may have; the contract of the control API and the schema of scenarios have them from here.
MEMBERS: Final = tuple(
    each.member for effect_type in EFFECT_TYPES.values() for each in (effect_type, *effect_type.options.values())
)


def type_of(effect: Mapping[str, Any]) -> EffectType:
    """The type of an effect; InvalidFault where it names none, several or an unknown one."""
    names = [name for name in effect if name in EFFECT_TYPES]
    for name in effect:
        if name not in EFFECT_TYPES and name not in OPTIONS:
            raise InvalidFault(f"there is no effect {name[:60]!r}; {suggest(name, (*EFFECT_TYPES, *OPTIONS))}")
    if len(names) != 1:
        given = f"{len(names)} ({', '.join(names)})" if names else ", ".join(effect) or "none"
        raise InvalidFault(f"an effect is one of {', '.join(EFFECT_TYPES)}; got {given}")
    return EFFECT_TYPES[names[0]]


def check_effect(effect: Mapping[str, Any]) -> EffectType:
    """The type of a valid effect; InvalidFault names a wrong value, or an option of another effect."""
    effect_type = type_of(effect)
    for name, value in effect.items():
        if name == effect_type.name:
            expects, accepted = effect_type.expects, effect_type.accepts(value)
        elif name in effect_type.options:
            option = effect_type.options[name]
            expects, accepted = option.expects, option.accepts(value)
        else:
            owners = [each.name for each in EFFECT_TYPES.values() if name in each.options]
            raise InvalidFault(f"{name} does not go with {effect_type.name}; it goes with {' and '.join(owners)}")
        if not accepted:
            raise InvalidFault(f"{name} takes {expects}; not {str(value)[:60]!r}")
    return effect_type


def can_act(operation: Operation, effect: Mapping[str, Any]) -> bool:
    """Whether the effect can do anything to a call of the operation."""
    effect_type = type_of(effect)
    return effect_type.can_act(operation, effect[effect_type.name])
