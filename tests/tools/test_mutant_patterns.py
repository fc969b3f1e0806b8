"""Patterns of code find one spot of a definition, however it is laid out, and nothing else changes there."""

from __future__ import annotations

import ast

import pytest

from tools.mutants.pattern import Mismatch, changed

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
