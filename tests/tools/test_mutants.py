"""The tables of mutants fit the product as it is, and a run tells mutants that are noticed from those that are not."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from tools.mutants.__main__ import describe, read, text, write
from tools.mutants.mutant import PRODUCT, Mutant, NotApplicable, read_tables, sample
from tools.mutants.trial import Trial, Unsound, run

ROOT = Path(__file__).parents[2]
MUTANTS = read_tables()
LEAST = 150
PACKAGES = (
    "control", "courier", "domain", "event_log", "gateway", "interfaces", "kernel", "magic", "recording", "replay",
    "scenario", "verify", "webhooks", "worlds",
)  # fmt: skip

INI = "[pytest]\naddopts = --disable-plugin-autoload -p _hypothesis_pytestplugin\npythonpath = simulator/giftsim\n"
SHOP = """
def total(prices):
    return sum(prices)


def wait(stock):
    while not stock:
        stock += 1
    return stock
"""
SHOP_TESTS = """
from shop import total, wait


def test_total():
    assert total([]) == 0


def test_wait():
    assert wait(0) == 1
"""


@cache
def product_text(mutant_file: str) -> str:
    return (ROOT / PRODUCT / mutant_file).read_text(encoding="utf-8")


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def flaw(mutant: Mutant) -> str | None:
    """Why a mutant does not fit the product and its tests any more, or None."""
    try:
        broken = mutant.apply(product_text(mutant.file))
        if mutant.path.suffix == ".py":
            ast.parse(broken)
    except (OSError, NotApplicable, SyntaxError) as error:
        return f"{mutant.breaks}: {error}"
    for test in mutant.tests:
        path, _, name = test.partition("::")
        if not (ROOT / path).exists() or (name and name not in functions_of(path)):
            return f"{mutant.breaks}: there is no {test}"
    return None


def test_every_mutant_applies_to_the_product_as_it_is() -> None:
    flaws = [found for mutant in MUTANTS if (found := flaw(mutant))]
    assert flaws == [], "change or remove these mutants in tools/mutants/tables:\n" + "\n".join(flaws)


def test_every_mutant_has_a_name_of_its_own_and_tests() -> None:
    assert [name for name, count in Counter(mutant.breaks for mutant in MUTANTS).items() if count > 1] == []
    assert [mutant.breaks for mutant in MUTANTS if not mutant.tests] == []


def test_the_mutants_are_many_and_break_every_package_that_the_product_is_made_of() -> None:
    assert len(MUTANTS) >= LEAST
    assert {mutant.file.partition("/")[0] for mutant in MUTANTS} >= set(PACKAGES)


def test_a_sample_depends_on_its_seed_alone_and_leaves_out_known_survivors() -> None:
    mutants = [*MUTANTS, msgspec.structs.replace(MUTANTS[0], survives="nobody can see it", breaks="Nothing")]
    assert sample(mutants, 12, "a") == sample(MUTANTS[::-1], 12, "a")
    assert sample(mutants, 12, "a") != sample(mutants, 12, "b")
    assert len(sample(mutants, len(mutants), "a")) == len([mutant for mutant in MUTANTS if not mutant.survives])


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A checkout of another product, with two tests."""
    root = tmp_path / "shop"
    (root / PRODUCT).mkdir(parents=True)
    (root / PRODUCT / "__init__.py").touch()
    (root / "pytest.ini").write_text(INI, encoding="utf-8")
    (root / PRODUCT / "shop.py").write_text(SHOP, encoding="utf-8")
    (root / "test_shop.py").write_text(SHOP_TESTS, encoding="utf-8")
    return root


def mutant(breaks: str, old: str, new: str, tests: tuple[str, ...] = ("test_shop.py",), reason: str = "") -> Mutant:
    return Mutant(breaks, old, new, tests, reason, "shop.py")


def trials_of(root: Path, *mutants: Mutant) -> dict[str, Trial]:
    trials = run(root, mutants, jobs=1, timeout_s=3.0, done=lambda _: None)
    return {trial.breaks: trial for trial in trials}


def test_a_run_says_which_test_noticed_a_mutant_and_leaves_the_checkout_alone(shop: Path) -> None:
    trials = trials_of(
        shop,
        mutant("A total is one too high", "sum(prices)", "sum(prices) + 1"),
        mutant("A total is doubled", "sum(prices)", "sum(prices) * 2"),
        mutant("Waiting never ends", "stock += 1", "pass"),
    )
    assert {name: (trial.verdict, trial.by) for name, trial in trials.items()} == {
        "A total is one too high": ("noticed", "test_shop.py::test_total"),
        "A total is doubled": ("survived", ""),
        "Waiting never ends": ("noticed", "time-out"),
    }
    assert (shop / PRODUCT / "shop.py").read_text(encoding="utf-8") == SHOP
    assert describe(trials["A total is doubled"]).splitlines() == [
        "SURVIVED: A total is doubled",
        "  simulator/giftsim/shop.py:3",
        "  - sum(prices)",
        "  + sum(prices) * 2",
        "  ran test_shop.py",
    ]


def test_the_report_counts_survivors_with_a_reason_apart(shop: Path) -> None:
    trials = trials_of(
        shop,
        mutant("A total is doubled", "sum(prices)", "sum(prices) * 2", reason="prices are zero"),
        mutant("A total is one too high", "sum(prices)", "sum(prices) + 1", reason="it is not"),
    )
    assert not any(trial.fails for trial in trials.values())
    lines = list(text(trials.values()))
    assert lines[-1] == "2 mutants: 1 noticed, 1 survive for a named reason, 0 survive."
    assert re.search("because prices are zero", lines[0])
    assert lines[1].startswith("A total is one too high: test_shop.py::test_total notices it now")


def test_a_run_is_refused_if_its_tests_fail_anyway_or_a_mutant_does_not_apply(shop: Path) -> None:
    with pytest.raises(NotApplicable, match="has the old text 0 times"):
        trials_of(shop, mutant("Nothing", "no such text", ""))
    with pytest.raises(NotApplicable, match="has the old text 2 times"):
        trials_of(shop, mutant("Two things", "def ", "def x"))
    (shop / "test_shop.py").write_text("def test_it(): assert False", encoding="utf-8")
    with pytest.raises(Unsound, match="fail without any mutant"):
        trials_of(shop, mutant("A total is doubled", "sum(prices)", "sum(prices) * 2"))


def test_a_run_goes_on_from_what_is_written_about_mutants_that_are_the_same(tmp_path: Path) -> None:
    same, other = mutant("A", "old", "new"), mutant("B", "old", "new")
    trials = [
        Trial(item.breaks, "noticed", "shop.py", 1, "old", "new", (), "a test", "", item.digest)
        for item in (same, other)
    ]
    path = tmp_path / "build" / "mutants.json"
    assert read(path, [same]) == {}
    write(path, trials)
    assert read(path, [same, mutant("B", "old", "newer")]) == {same.digest: trials[0]}
