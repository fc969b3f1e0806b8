"""How a sequence may begin: something has been ordered, paid or shipped already, so that more can go wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.models.team_money import ACH, TERMS, TRANSFER

if TYPE_CHECKING:
    from tests.models.team_machine import TeamMachine

LIVE = "team.live_approver"


def order(world: TeamMachine, method: str | None = None) -> None:
    """Two kits, one of them for somebody with a name."""
    world.order(key=LIVE, heads=2, named=1, country=None, method=method, crash=False)
    world.compare()  # which tells ids


def by_ach(world: TeamMachine) -> None:
    """An order that a confirmed ACH payment pays and a human approves."""
    order(world)
    world.fund(place=0, key=LIVE, method=ACH)
    world.compare()
    world.end_payment(place=0, outcome="settled")
    world.go_on(place=0, steps=1)


def by_deposit(world: TeamMachine) -> None:
    """An order that a human approves and a deposit pays."""
    order(world)
    world.fund(place=0, key=LIVE, method=TRANSFER)
    world.compare()
    world.pay_invoice(place=0)
    world.go_on(place=0, steps=1)


def on_terms(world: TeamMachine) -> None:
    """An order on terms, whose invoice a bank has paid."""
    order(world, TERMS)
    if world.money.invoices:
        world.pay_invoice(place=0)


def gift(world: TeamMachine) -> None:
    """A gift to two people, of whom one has claimed it."""
    world.gift(key=LIVE, count=2)
    world.compare()
    world.go_on(place=0, steps=2)


def campaign(world: TeamMachine) -> None:
    """A campaign of two batches, of which one is paid."""
    world.campaign(key=LIVE, count=3, method=None)
    world.compare()
    world.go_on(place=0, steps=4)


OPENINGS: Mapping[str, Callable[[TeamMachine], None]] = {
    each.__name__: each for each in (by_ach, by_deposit, on_terms, gift, campaign)
}
openings = st.lists(st.sampled_from(sorted(OPENINGS)), max_size=3, unique=True)
