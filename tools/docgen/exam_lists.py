"""The rules of the exam and the probes of a receiver, one line each; `giftsim exam --list --only RULE` has the rest."""

from __future__ import annotations

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.receiver.probes import SHOWS
from giftsim.workbench.exam.rules import all_rules


def exam_rules() -> str:
    """Every rule of the exam by the actions that it needs."""
    by_needs: dict[tuple[str, ...], list[Rule]] = {}
    for rule in all_rules():
        by_needs.setdefault(rule.needs, []).append(rule)
    parts = []
    for needs, rules in by_needs.items():
        needed = ", ".join(f"`{each}`" for each in needs)
        parts.append("\n".join([f"Needs {needed}:" if needs else "Needs no action:", "", *map(_rule_line, rules)]))
    return "\n\n".join(parts)


def _rule_line(rule: Rule) -> str:
    return f"- `{rule.id}`: {rule.rule}"


def receiver_probes() -> str:
    """The probes of a receiver by the rule that they show."""
    return "\n".join(f"- `{rule}`: {', '.join(names)}" for rule, names in SHOWS.items())
