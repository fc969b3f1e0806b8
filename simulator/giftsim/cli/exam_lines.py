"""What `exam` prints: a line for each rule, the findings, the rules, and what --verify found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from giftsim.engine.kernel.texts import count_with_noun, one_line

if TYPE_CHECKING:
    from giftsim.workbench.exam.exam import RuleResult
    from giftsim.workbench.exam.exam_rule import Rule
    from giftsim.workbench.exam.signature import Verdict

COLOURS: Final = {"passed": "green", "failed": "red"}
WIDTH: Final = len("not offered")


def progress_lines(results: Iterable[RuleResult]) -> Iterator[str]:
    """A line for each rule as it comes out, and one more if a later round changes that."""
    outcomes: dict[str, str] = {}
    for result in results:
        outcome = str(result.outcome)
        if outcomes.get(result.rule.id) == outcome:
            continue
        outcomes[result.rule.id] = outcome
        reason = f": {one_line(result.reason)}" if result.reason else ""
        words = click.style(f"{outcome.replace('_', ' '):{WIDTH}}", COLOURS.get(outcome))
        yield f"{words} {result.rule.id}{reason}"


def summary_lines(data: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """The lines at the end: each finding, the counts, and where the page is."""
    from giftsim.workbench.coverage.coverage_report import no_call
    from giftsim.workbench.exam.folder import PAGE
    from giftsim.workbench.exam.page.exam_page import verdict
    from giftsim.workbench.exam.result import counts

    rows = {row["id"]: row for row in data["rules"]}
    for finding in data["findings"]:
        first, *others = finding["rules"]
        yield from ("", *finding_lines(rows[first], others, folder))
    skipped = [row["id"] for row in data["rules"] if row["outcome"] == "skipped"]
    if data["stopped"]:
        yield f"\nended early by {data['stopped']}"
    if skipped:
        yield f"\nnot reached: {', '.join(skipped)}"
    for line in no_call(data["coverage"]["areas"]) if data["coverage"] else ():
        yield f"coverage: {line}"
    yield f"\n{verdict(data)}" if data["rules"] else verdict(data)
    if data["rules"]:
        many = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts(data["rules"]).items() if count)
        run = "" if data["runs"] is None else f", run {data['runs']}"
        yield f"{many} (seed {data['seed']}{run})"
    yield str(folder / PAGE)


def finding_lines(row: Mapping[str, Any], others: Sequence[str], folder: Path) -> Iterator[str]:
    """A finding: the rule with its sources, why, what mends it, the others that it breaks, and its trace."""
    yield click.style(f"{row['id']}: {row['rule']} ({', '.join(row['sources'])})", bold=True)
    from giftsim.workbench.exam.explanation import found_beside

    said = {"why": row["why"], "found": found_beside(row["why"], row["reason"]), "mend": row["mend"]}
    for name, text in said.items():
        if text:
            yield f"  {name + ':':6} {one_line(text)}"
    if others:
        yield f"  breaks {count_with_noun(len(others), 'more rule')}: {', '.join(others)}"
    if row["trace"]:
        yield f"  trace: {folder / row['trace']}"


def rule_lines(only: Collection[str]) -> Iterator[str]:
    """A line for each rule: its id, its sentence, and its groups. Of those in `only`, also what each rests on.

    ValueError for a name that is neither a rule nor a group.
    """
    from giftsim.workbench.exam.rules import choose_rules

    rules = choose_rules(only)
    width = 0 if only else max(len(rule.id) for rule in rules)
    for rule in rules:
        groups = f" [{', '.join(rule.groups)}]" if rule.groups else ""
        yield f"{rule.id:{width}}  {rule.rule}{groups}"
        if only:
            yield from _basis_lines(rule)


def _basis_lines(rule: Rule) -> Iterator[str]:
    """The actions that a rule needs, what it rests on, and the probes of a receiver that show it."""
    from giftsim.services.statements.entry import source_texts
    from giftsim.workbench.exam.receiver.probes import probes_of

    yield f"  needs: {', '.join(rule.needs) or 'no action'}"
    yield from (f"  {name}: {one_line(text)}" for name, text in source_texts(rule.sources).items())
    for probe in probes_of(rule.id):
        yield f"  probe {probe.name}: {probe.sends}: {probe.right}. {probe.why}"


def verify_lines(verdict: Verdict, folder: Path, said: tuple[str, str]) -> Iterator[str]:
    """What a check of a folder found; `said` is what was examined, and how it came out."""
    for line in verdict.wrong:
        yield f"wrong: {one_line(line)}"
    if verdict.wrong:
        yield f"{folder} is not as it was made."
        return
    yield f"{one_line(said[0])}: {len(verdict.files)} files, all as they were made"
    yield from filter(None, [one_line(said[1])])
    yield one_line(_signed(verdict))


def _signed(verdict: Verdict) -> str:
    """Who signed, in a sentence."""
    if verdict.key is None:
        return "not signed"
    if verdict.signer is None:
        return f"signed with the {verdict.key}; name its owner with --signers"
    return f"signed by {verdict.signer} with the {verdict.key}"
