"""The report on assumptions: what was touched, which tests lean on which guess, and what is safe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.setting import Setting
from giftsim.services.statements.decision import GUESS, load_decisions
from giftsim.services.statements.entry import all_entries
from giftsim.workbench.assumptions.variants import Variant, load_variants

FOLDER, NAME = Path(".giftsim"), "assumptions.json"
OWN: Final = "giftsim"  # the basis of decisions about giftsim itself
# What is open about every answer and about every event, whatever it is.
OF_ANSWERS: Final = ("G12", "G64", "G281", "G282", "G283")
OF_EVENTS: Final = ("G284",)


class Leaning(msgspec.Struct, frozen=True, omit_defaults=True):
    """A test that fails when a decision is turned over by a variant; `together` names others that it takes for that."""

    test: str
    decision: str
    variant: str
    failure: str
    together: tuple[str, ...] = ()


class Touched(msgspec.Struct, frozen=True):
    """What a run met: names of settings that were read, ids of sources, and whether there were calls and events."""

    settings: Iterable[str]
    sources: Iterable[str]
    called: bool
    events: bool

    def decisions(self, settings: Mapping[str, Setting[Any]]) -> list[str]:
        """The decisions that were touched, in their order, without those about giftsim itself."""
        read, ids = set(self.settings), set(self.sources)
        ids.update(OF_ANSWERS if self.called else (), OF_EVENTS if self.events else ())
        entries = {entry.id: entry for entry in all_entries(settings) if not entry.is_statement}
        return [
            name
            for name, entry in entries.items()
            if entry.basis != OWN and (name in ids or any(each.name in read for each in entry.settings))
        ]


def leanings(test: str, culprits: Sequence[str], failure: str) -> list[Leaning]:
    """The entries for variants that together make a test fail."""
    variants = [load_variants()[name] for name in culprits]
    return [
        Leaning(test, each.decision, each.variant, failure, tuple(name for name in culprits if name != each.variant))
        for each in variants
    ]


def report_data(
    touched: Sequence[str], variants: Iterable[str], leaning: Iterable[Leaning], unsteady: Iterable[str]
) -> dict[str, Any]:
    """The report as JSON. `unsteady` tests fail when they run again, also with nothing turned over.

    `variants` are those that the run could turn on. `turned` are those of touched decisions, and `untried` the touched
    guesses that have none. All other touched decisions are `safe`: no other reading of them is plausible.
    """
    known, turned_over = load_decisions(), {each.decision for each in load_variants().values()}
    leaning = list(leaning)
    found = {*touched, *(each.decision for each in leaning)}
    touched = [name for name in known if name in found]
    alone = [name for name in touched if name not in turned_over]
    order = list(load_variants())
    return {
        "touched": list(touched),
        "turned": [name for name in variants if load_variants()[name].decision in found],
        "leaning": msgspec.to_builtins(sorted(leaning, key=lambda each: (each.test, order.index(each.variant)))),
        "safe": [name for name in alone if known[name].basis != GUESS],
        "untried": [name for name in alone if known[name].basis == GUESS],
        "unsteady": sorted(unsteady),
    }


class GiftsimFailed(Exception):
    """Giftsim itself failed while a test ran again, so nothing can be said about the test (G348)."""

    def __init__(self, failure: str, variants: Sequence[str]) -> None:
        turned = ", ".join(variants) or "nothing"
        super().__init__(
            f"giftsim failed: {failure}\n"
            f"turned over: {turned}\n"
            "This is a fault of giftsim and not of a test, and the search ended. Please report it with these lines and "
            "what `giftsim version` prints."
        )


def write_report(root: Path, data: Mapping[str, Any]) -> Path:
    """Write the report below a folder; its path."""
    path = root / FOLDER / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n")
    return path


def report_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The report for people: first the tests that lean on a guess, and how to write them."""
    by_test: dict[str, list[Mapping[str, Any]]] = {}
    for row in data["leaning"]:
        by_test.setdefault(row["test"], []).append(row)
    for test, rows in by_test.items():
        yield f"{test} leans on:"
        for row in rows:
            yield from _row(row, load_variants()[row["variant"]])
        yield ""
    for test in data["unsteady"]:
        yield f"{test} fails when it runs a second time, so nothing is known about it"
    counts = [f"{len(data[name])} {name}" for name in ("touched", "safe", "untried")]
    yield f"decisions: {', '.join(counts)}; turned over in {len(data['turned'])} ways"
    yield f"{len(by_test)} {'test leans' if len(by_test) == 1 else 'tests lean'} on a guess"


def explained(data: Mapping[str, Any]) -> dict[str, Any]:
    """The report with the words for each row: the decision, what is not documented, the other reading, what is safe."""
    variants, decisions = load_variants(), load_decisions()
    rows = []
    for row in data["leaning"]:
        variant, decision = variants.get(row["variant"]), decisions.get(row["decision"])
        words = {"title": decision.title if decision else "", "silent": "", "other": "", "safe": ""}
        if variant is not None:
            words |= {"silent": variant.silent, "other": variant.other, "safe": variant.safe}
        rows.append({**row, **words})
    return {**data, "leaning": rows}


def _row(row: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    decision = load_decisions()[variant.decision]
    yield f"  {decision.id} {decision.title} ({variant.variant})".replace("  (", " (")
    yield f"    not documented: {variant.silent}"
    yield f"    turned over:    {variant.other}"
    if "together" in row:
        yield f"    together with:  {', '.join(row['together'])}"
    yield f"    then:           {row['failure']}"
    yield f"    safe:           {variant.safe}"
