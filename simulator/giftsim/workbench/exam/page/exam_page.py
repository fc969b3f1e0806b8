"""The page of an exam: the verdict, its findings, every rule, and the tests of the app beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.kernel.texts import count_with_noun
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.exam.page.finding import of_rules
from giftsim.workbench.exam.page.page import TONES, Card, Head, render, words, worst_first
from giftsim.workbench.exam.result import counts

_SAID: Final[Mapping[str, str]] = {
    "passed": "obeyed",
    "failed": "broken",
    "not_offered": "the app does not do this",
    "skipped": "not reached",
}


def exam_page(data: Mapping[str, Any]) -> bytes:
    """The page of an exam's data."""
    by_id = {row["id"]: row for row in data["rules"]}
    return render(
        "exam.html",
        Head(about(data), verdict(data), "good" if data["passed"] else "bad", list(_lines(data))),
        [of_rules([by_id[name] for name in each["rules"]], data) for each in data["findings"]],
        finding_of={name: each["rules"][0] for each in data["findings"] for name in each["rules"]},
        cards=list(_cards(data)),
        data=data,
        rules=worst_first(data["rules"]),
        source_texts=source_texts,
        is_found=is_found,
    )


def verdict(data: Mapping[str, Any]) -> str:
    """The result in one or two sentences."""
    said = [_rules_said(counts(data["rules"]))] if data["rules"] else []
    if data["tests"]:
        found = data["tests"]["counts"]
        wrong = found["failed"] + found["error"]
        said.append(f"{count_with_noun(wrong, 'test')} failed." if wrong else "No test failed.")
    return " ".join(said) or "Nothing was examined."


def _rules_said(found: Mapping[str, int]) -> str:
    total = count_with_noun(sum(found.values()), "rule")
    if found["failed"]:
        return f"{found['failed']} of {total} {'is' if found['failed'] == 1 else 'are'} broken."
    if found["skipped"]:
        return f"{found['skipped']} of {total} {'was' if found['skipped'] == 1 else 'were'} not reached."
    if not found["passed"]:
        return "The app does nothing of what the rules ask for."
    obeyed = f"{count_with_noun(found['passed'], 'rule')} {'is' if found['passed'] == 1 else 'are'} obeyed"
    rest, is_one = found["not_offered"], found["not_offered"] == 1
    return f"{obeyed}, {rest} {'is' if is_one else 'are'} not offered." if rest else f"{obeyed}."


def is_found(assumptions: Any) -> bool:
    """Whether giftsim found the assumptions, not people who wrote them down."""
    return isinstance(assumptions, Mapping) and "leaning" in assumptions


def about(data: Mapping[str, Any]) -> str:
    """What was examined, in a few words."""
    of = data["app"] or data["receiver"]
    return f"Exam of {of}" if of else "Tests of an app"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    if data["seed"] is not None:
        yield f"Seed {data['seed']}, with the hash {data['seed_hash']}"
    if data["stopped"]:
        yield f"Ended early by {data['stopped']}: not every rule had its turns"
    if data["only"]:
        yield f"Only {', '.join(data['only'])}, not the whole exam"
    if data["runs"] is not None:
        yield f"Run {data['runs']} of this app with this key, as counted where it was examined"


def _cards(data: Mapping[str, Any]) -> Iterator[Card]:
    """A card for each outcome that rules have, and for each further part."""
    for outcome, count in counts(data["rules"]).items():
        if count or (outcome == "passed" and data["rules"]):
            part, tone = "findings" if outcome == "failed" else "rules", TONES.get(outcome, "") if count else ""
            yield Card(part, words(outcome).capitalize(), str(count), _SAID[outcome], tone)
    if data["tests"]:
        yield _tests_card(data["tests"]["counts"])
    if data["coverage"]:
        yield from _coverage_cards(data["coverage"]["areas"])
    if is_found(data["assumptions"]):
        yield _assumptions_card(data["assumptions"]["leaning"])


def _tests_card(found: Mapping[str, int]) -> Card:
    rest = ", ".join(f"{count} {name}" for name, count in found.items() if count and name != "passed")
    tone = "bad" if found["failed"] + found["error"] else "good"
    return Card("tests", "Tests", f"{found['passed']} of {sum(found.values())}", rest or "passed", tone)


def _assumptions_card(leaning: Sequence[Mapping[str, Any]]) -> Card:
    count = len({row["test"] for row in leaning})
    said = "test leans on a guess" if count == 1 else "tests lean on a guess"
    return Card("assumptions", "Assumptions", str(count), said, "wait" if count else "good")


def _coverage_cards(areas: Mapping[str, Mapping[str, Any]]) -> Iterator[Card]:
    """The percentage of the first area, and those of the others: no number stands for all of them."""
    percents = [(name, f"{area['percent']:.0f}%") for name, area in areas.items()]
    if percents:
        (first, figure), *others = percents
        yield Card("coverage", "Coverage", figure, ", ".join((first, *(" ".join(each) for each in others))))
