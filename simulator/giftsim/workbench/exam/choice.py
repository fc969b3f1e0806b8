"""Which rules an exam has: all, or those that `--only` names by their ids and groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.exam.rule import Rule
from giftsim.workbench.exam.rules import all_rules


def choose_rules(names: Collection[str]) -> Sequence[Rule]:
    """The rules with these ids or in these groups, all if there are no names. ValueError names the nearest one."""
    rules = all_rules()
    known = [*dict.fromkeys(group for rule in rules for group in rule.groups), *(rule.id for rule in rules)]
    for name in names:
        if name not in known:
            raise ValueError(f"there is no rule {name[:60]!r}; {suggest_name(name, known)}")
    return [rule for rule in rules if not names or not {rule.id, *rule.groups}.isdisjoint(names)]
