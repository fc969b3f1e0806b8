"""The rules of the exam, one module for an area. Each module has `RULES`; nothing else names them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.exam.exam_rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by the names of its module and in its order there."""
    modules = [import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)]
    return tuple(rule for module in modules for rule in module.RULES)


def choose_rules(names: Collection[str]) -> Sequence[Rule]:
    """The rules with these ids or in these groups, all if there are no names. ValueError names the nearest one."""
    rules = all_rules()
    known = [*dict.fromkeys(group for rule in rules for group in rule.groups), *(rule.id for rule in rules)]
    for name in names:
        if name not in known:
            raise ValueError(f"there is no rule {name[:60]!r}; {suggest_name(name, known)}")
    return [rule for rule in rules if not names or not {rule.id, *rule.groups}.isdisjoint(names)]
