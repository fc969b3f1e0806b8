"""Services as one: their pieces are joined in order, and none may have what another one has."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.gateway.simulated_service import Ledger, Page, Service, merge
from giftsim.engine.kernel.definitions import DefinedTwice
from giftsim.engine.kernel.table import Record, TableSpec


class Thing(Record, frozen=True, gc=False):
    """A record."""


THINGS: TableSpec[Thing] = TableSpec("shop.things", Thing)
LEDGER = Ledger(THINGS, lambda _: {}, str, str, lambda _, __: ())


def test_pieces_are_joined_in_the_order_of_the_services() -> None:
    first = Service(name="first", counts={"a": lambda _: 1}, webhook_kinds=("x",), unsaid=frozenset({"p"}))
    second = Service(name="second", counts={"b": lambda _: 2}, webhook_kinds=("y",), unsaid=frozenset({"q"}))
    both = merge(first, second)
    assert (both.name, [*both.counts], both.webhook_kinds, both.unsaid) == (
        "first, second", ["a", "b"], ("x", "y"), frozenset("pq")
    )  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        {"kinds": (Kind("thing", THINGS),)},
        {"counts": {"things": lambda _: 0}},
        {"pages": (Page("form", "/form/{w}", "the form", lambda _, __: (None, "")),)},
        {"ledger": LEDGER},
    ],
)
def test_two_services_with_a_piece_of_one_name_are_refused(piece: dict[str, Any]) -> None:
    with pytest.raises(DefinedTwice):
        merge(Service(name="one", **piece), Service(name="other", **piece))


def test_a_record_is_called_by_its_kind_or_by_its_table() -> None:
    service = Service(name="shop", kinds=(Kind("thing", THINGS),), prefixes=("shop.",))
    assert [service.word(name) for name in ("shop.things", "shop.till_rolls", "loans", "two words")] == [
        "thing", "till_rolls", "loan", "two_word"
    ]  # fmt: skip
    assert service.hidden("shop.things") >= {"n", "token"}
