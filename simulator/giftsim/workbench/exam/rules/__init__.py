"""The rules of the exam, one module for an area. Each module has `RULES`; nothing else names them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from giftsim.workbench.exam.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by the names of its module and in its order there."""
    modules = [import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)]
    return tuple(rule for module in modules for rule in module.RULES)
