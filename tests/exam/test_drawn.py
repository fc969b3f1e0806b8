"""Nothing that an app is asked for is constant: two seeds have nothing in common but the rules."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.services.statements.entry import source_texts
from tests.exam.examined import RULES, examine
from tests.exam.order_shops import QuickShop

FIRST = "order-1"
QUICK = (
    "orders_once",
    "corrects_refused_orders",
    "books_what_was_charged",
    "cancels_what_it_means",
    "pages_to_the_end",
)


class Listening(QuickShop):
    """The example shop, which writes down what it is asked for."""

    def __init__(self) -> None:
        self.heard: dict[str, set[Any]] = {"references": set(), "emails": set(), "instants": set(), "bundles": set()}
        super().__init__()

    def start(self, *given: Any, **members: Any) -> None:
        """Begin at an instant."""
        super().start(*given, **members)
        if members:
            self.heard["instants"].add(members["now"])

    def order(self, reference: str, recipients: Any = None, items: Any = (), **members: Any) -> Any:
        """Listen."""
        self.heard["references"].add(reference)
        self.heard["emails"] |= {each["email"] for each in recipients}
        self.heard["bundles"].add(str(items))
        return super().order(reference, recipients=recipients, items=items, **members)


def heard(seed: int) -> dict[str, set[Any]]:
    """What a shop was asked for in an exam, but for the plain order with which each begins."""
    shop = Listening()
    examine(shop, *QUICK, seed=seed)
    shop.heard["references"].discard(FIRST)
    return shop.heard


@pytest.mark.parametrize(("first", "second"), [(1, 2), (3, 1000003)])
def test_two_seeds_ask_for_nothing_that_is_the_same(first: int, second: int) -> None:
    here, there = heard(first), heard(second)
    for kind, found in here.items():
        assert found, kind
        assert not found & there[kind], kind


def test_a_seed_asks_for_the_same_again() -> None:
    assert heard(4) == heard(4)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_a_sentence_that_rests_on_statements(name: str) -> None:
    rule = RULES[name]
    assert list(source_texts(rule.sources)) == list(rule.sources) != []
    assert rule.probes
    assert rule.rule.endswith(".")
    assert rule.rule.count(". ") == 0
