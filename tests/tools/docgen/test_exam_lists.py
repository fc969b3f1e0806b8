"""The page of the exam's rules names every rule under what it needs, and every probe under its rule."""

from __future__ import annotations

import re

from giftsim.workbench.exam.receiver.probes import PROBES, RULE_OF
from giftsim.workbench.exam.rules import all_rules
from tools.docgen.exam_lists import exam_rules, receiver_probes


def test_every_rule_is_under_the_actions_that_it_needs() -> None:
    parts = dict(re.findall(r"^(Needs .*):\n\n((?:- .*\n?)+)", exam_rules(), re.MULTILINE))
    for rule in all_rules():
        needs = ", ".join(f"`{each}`" for each in rule.needs) or "no action"
        assert f"- `{rule.id}`: {rule.rule}" in parts[f"Needs {needs}"].splitlines()


def test_every_probe_is_under_its_rule_in_the_order_in_which_it_runs() -> None:
    lines = [line.removeprefix("- ").partition(": ") for line in receiver_probes().splitlines()]
    assert [(f"`{RULE_OF[probe.name]}`", probe.name) for probe in PROBES] == [
        (rule, name) for rule, _, names in lines for name in names.split(", ")
    ]
