"""The rules of the exam and the probes of a receiver, one line each; `giftsim exam --list --only RULE` has the rest."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.receiver.probe import Probe
from giftsim.workbench.exam.receiver.probes import PROBES, RULE_OF
from giftsim.workbench.exam.rules import all_rules
from tools.docgen.markdown import linked_sources


def exam_rules() -> str:
    """Every rule of the exam by the actions that it needs, with its groups and its sources."""
    by_needs: dict[tuple[str, ...], list[Rule]] = {}
    for rule in all_rules():
        by_needs.setdefault(rule.needs, []).append(rule)
    parts = []
    for needs, rules in by_needs.items():
        needed = ", ".join(f"`{each}`" for each in needs)
        parts.append("\n".join([f"Needs {needed}:" if needs else "Needs no action:", "", *map(_rule_line, rules)]))
    return "\n\n".join(parts)


def _rule_line(rule: Rule) -> str:
    groups = f" [{', '.join(rule.groups)}]" if rule.groups else ""
    return f"- `{rule.id}`{groups}: {rule.rule} {linked_sources(rule.sources)}"


def receiver_probes() -> str:
    """Every probe of a receiver under the rule that it shows: what is sent, and what is right."""
    parts = []
    for rule, found in groupby(PROBES, lambda probe: RULE_OF[probe.name]):
        parts.append("\n".join([f"`{rule}`:", "", *map("- {}".format, map(_probe_line, found))]))
    return "\n\n".join(parts)


def _probe_line(probe: Probe) -> str:
    return f"`{probe.name}`: {probe.sends}{''.join(_notes(probe))}: {probe.right}"


def _notes(probe: Probe) -> Iterator[str]:
    if probe.at_once > 2:
        yield f", {probe.at_once} at a time"
    if probe.effect:
        yield ", one effect"
