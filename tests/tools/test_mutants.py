"""The tables of mutants fit the product as it is."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tools.mutants.__main__ import read, write
from tools.mutants.mutant import PRODUCT, TESTS, Change, Checkout, Mutant, NotApplicable, read_tables, sample
from tools.mutants.pattern import Mismatch, changed
from tools.mutants.trial import Trial, Unsound, run

ROOT = Path(__file__).parents[2]
MUTANTS = read_tables()
LEAST = 150
PACKAGES = (
    "engine/control", "engine/courier", "engine/gateway", "engine/kernel", "engine/log", "engine/replay",
    "engine/webhooks", "engine/worlds", "services/gifting/domain", "services/gifting/interfaces",
    "services/gifting/magic", "verify", "workbench/recording", "workbench/scenario",
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
TILL = """
class Till:
    def total(self):
        return self.taken
"""
SHOP_TESTS = """
from shop import total, wait


def test_total():
    assert total([]) == 0


def test_wait():
    assert wait(0) == 1
"""


@pytest.fixture(scope="module")
def changes() -> list[Change]:
    """What each mutant changes in this checkout. Fails with the name of each mutant that does not fit it."""
    checkout, changes, flaws = Checkout(ROOT), [], []
    for mutant in MUTANTS:
        try:
            changes.append(checkout.change(mutant))
            compile("\n".join(map(ast.unparse, changes[-1].new)), changes[-1].path, "exec")
        except (NotApplicable, SyntaxError) as flaw:
            flaws.append(str(flaw))
    assert flaws == [], "change or remove these mutants in tools/mutants/tables:\n" + "\n".join(flaws)
    return changes


def test_every_mutant_fits_the_product_and_its_tests_as_they_are(changes: list[Change]) -> None:
    assert [change.mutant.breaks for change in changes if not change.difference] == []


def test_every_mutant_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(mutant.breaks for mutant in MUTANTS).items() if count > 1] == []


def test_the_mutants_are_many_and_break_every_package_that_the_product_is_made_of(changes: list[Change]) -> None:
    assert len(changes) >= LEAST
    assert {folder.as_posix() for change in changes for folder in change.path.relative_to(PRODUCT).parents} >= set(
        PACKAGES
    )


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
    (root / TESTS).mkdir()
    (root / TESTS / "test_shop.py").write_text(SHOP_TESTS, encoding="utf-8")
    return root


def mutant(breaks: str, place: str, change: str, to: str, *, test: str = "test_shop", reason: str = "") -> Mutant:
    return Mutant(breaks, place, test, change, to, survives=reason)


def trials_of(root: Path, *mutants: Mutant, timeout_s: float = 60.0) -> dict[str, Trial]:
    trials = run(root, mutants, jobs=1, timeout_s=timeout_s, done=lambda _: None)
    return {trial.breaks: trial for trial in trials}


def test_a_run_is_refused_if_its_tests_fail_anyway(shop: Path) -> None:
    (shop / TESTS / "test_shop.py").write_text("def test_it(): assert False", encoding="utf-8")
    with pytest.raises(Unsound, match="fail without any mutant"):
        trials_of(shop, mutant("A total is doubled", "total", "sum(prices)", "sum(prices) * 2"))


def test_definitions_and_tests_are_found_by_name_wherever_they_are(shop: Path) -> None:
    (shop / PRODUCT / "museum").mkdir()
    (shop / PRODUCT / "museum" / "till.py").write_text(TILL, encoding="utf-8")
    checkout = Checkout(shop)
    for place in ("Till.total", "museum.total", "till.total"):
        change = checkout.change(mutant("The till adds one", place, "return ...", "return 1 + ...", test="test_wait"))
        assert change.path == PRODUCT / "museum" / "till.py"
        assert change.difference == ("-    return self.taken", "+    return 1 + self.taken")
        assert change.test == "tests/test_shop.py::test_wait"
    assert checkout.change(mutant("A total is less", "total", "sum(...)", "min(...)")).path == PRODUCT / "shop.py"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"place": "sell", "change": "no[0]"}, r"A: simulator/giftsim has no sell\n  no\[0\]"),
        ({"place": "sell"}, "A: simulator/giftsim has no sell; total in simulator/giftsim/shop.py has it\n"),
        ({"place": "wait", "change": "stock"}, "A: wait in simulator/giftsim/shop.py has the pattern 2 times\n"),
        ({"change": "return ..."}, "A: total in .*shop.py and Till.total in .*till.py have the pattern: name a module"),
        ({"test": "test_sell"}, "A: tests has no test_sell"),
        ({"test": "test_twice"}, "A: test_twice in .* and test_twice in .*: name a folder or file too"),
    ],
)
def test_a_mutant_that_does_not_fit_says_why(shop: Path, wrong: dict[str, str], reason: str) -> None:
    (shop / PRODUCT / "till.py").write_text(TILL, encoding="utf-8")
    for name in ("test_one.py", "test_other.py"):
        (shop / TESTS / name).write_text("def test_twice(): pass", encoding="utf-8")
    fits = {"place": "total", "change": "sum(prices)", "to": "0"}
    with pytest.raises(NotApplicable, match=reason):
        Checkout(shop).change(mutant("A", **{**fits, **wrong}))


def test_a_run_goes_on_from_what_is_written_about_mutants_that_are_the_same(tmp_path: Path) -> None:
    same, other = mutant("A", "total", "old", "new"), mutant("B", "total", "old", "new")
    trials = [
        Trial(item.breaks, "noticed", "shop.py", 1, (), "test_shop", "a test", "", item.digest)
        for item in (same, other)
    ]
    path = tmp_path / "build" / "mutants.json"
    assert read(path, [same]) == {}
    write(path, trials)
    assert read(path, [same, mutant("B", "total", "old", "newer")]) == {same.digest: trials[0]}


SELL = '''
@verb
def sell(cart, limit):
    """Sell what is in a cart."""
    total = sum(item.price for item in cart if item.paid)  # in cents
    if total > limit and limit is not None:
        raise TooMuch(
            "more than the limit",
            total=total,
        )
    log("sold for money", total, by="shop")
    return {NAME: "shop", "total": total, "taken": not limit}
'''


def difference(pattern: str, to: str | None) -> list[str]:
    """The lines of SELL that a change takes out (-), and those that it puts in (+)."""
    (definition,) = ast.parse(SELL).body
    new, _ = changed(definition, pattern, to)
    before, after = ast.unparse(definition).splitlines(), ast.unparse(ast.Module(new, [])).splitlines()
    ast.parse("\n".join(after))
    return [
        *(f"-{line.strip()}" for line in before if line not in after),
        *(f"+{line.strip()}" for line in after if line not in before),
    ]


def put_in(pattern: str, to: str | None) -> str:
    """The one line that a change puts in."""
    (line,) = [line for line in difference(pattern, to) if line.startswith("+")]
    return line[1:]


def test_an_expression_is_replaced() -> None:
    assert difference("total > limit", "total >= limit") == [
        "-if total > limit and limit is not None:",
        "+if total >= limit and limit is not None:",
    ]


def test_wildcards_stand_for_what_stays() -> None:
    assert put_in("sum(... for item in ... if ...)", "max(... for item in ... if not ...)") == (
        "total = max((item.price for item in cart if not item.paid))"
    )
    assert put_in("log(..., total, ...)", "log(total, ...)") == "log(total, 'sold for money')"
    assert put_in("log(...)", "log(0, ...)") == "log(0, 'sold for money', total, by='shop')"
    assert put_in('"sold for ..."', '"paid with ..."') == "log('paid with money', total, by='shop')"
    assert put_in("... and limit is not None", "...") == "if total > limit:"


def test_statements_are_replaced_and_a_head_stands_for_its_body() -> None:
    assert difference("if total > limit and ...", "while total > limit and ...") == [
        "-if total > limit and limit is not None:",
        "+while total > limit and limit is not None:",
    ]
    assert difference("if ...: ...\nlog(...)", "log(...)") == [
        "-if total > limit and limit is not None:",
        "-raise TooMuch('more than the limit', total=total)",
        "-log('sold for money', total, by='shop')",
        "+log(total > limit and limit is not None)",
    ]
    assert put_in("log(...)", "return") == "return"


def test_statements_items_operands_and_entries_are_removed() -> None:
    assert difference("log(...)", None) == ["-log('sold for money', total, by='shop')"]
    assert put_in("raise TooMuch(...)", None) == "pass"
    assert put_in("limit is not None", None) == "if total > limit:"
    assert put_in("item.paid", None) == "total = sum((item.price for item in cart))"
    assert put_in('"taken": ...', None) == "return {NAME: 'shop', 'total': total}"
    assert put_in("NAME: ...", None) == "return {'total': total, 'taken': not limit}"
    assert difference("verb", None) == ["-@verb"]


def test_entries_are_replaced_by_any_number() -> None:
    assert put_in('"total": total', '"total": 0, "secret": total') == (
        "return {NAME: 'shop', 'total': 0, 'secret': total, 'taken': not limit}"
    )


def test_the_line_is_that_of_what_changes() -> None:
    (definition,) = ast.parse(SELL).body
    assert changed(definition, "item.paid", "True")[1] == 5
    assert changed(definition, "raise TooMuch(...)", "return")[1] == 7


@pytest.mark.parametrize(
    ("pattern", "to", "reason"),
    [
        ("total < limit", "False", "has the pattern 0 times"),
        ("limit", "0", "has the pattern 3 times"),
        ("log(...", None, "which is not Python"),
        ("log(...)", "log(..., ...)", "more of ... than the pattern"),
        ("item.price", None, "not in a list"),
    ],
)
def test_a_pattern_that_does_not_fit_is_refused(pattern: str, to: str | None, reason: str) -> None:
    with pytest.raises(Mismatch, match=reason):
        difference(pattern, to)
