"""The rule about what the documents leave open: an ordinary life, where the service reads many guesses otherwise."""

from __future__ import annotations

from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.gifts import APPROVE, claim, decide, expect_gift, send, settle
from giftsim.workbench.exam.sitting import Sitting


def _orders(sitting: Sitting) -> None:
    """Gifts to addresses and with links are ordered, claimed and delivered; some are canceled."""
    sitting.begin()
    to_addresses = sitting.settled(sitting.order(2, address=True))
    with_links = sitting.settled(sitting.order(2, address=False))
    sitting.claim(with_links, with_links.people[0])
    if sitting.offers("cancel"):
        sitting.cancel(to_addresses, [to_addresses.people[1]])
    sitting.advance("idle")
    sitting.expect_books(to_addresses, with_links)


def _declined_order(sitting: Sitting) -> None:
    """An order is declined, and paid when there is money again."""
    sitting.begin(wallet_cents=0)
    sitting.simulate("account", key=sitting.credential, card="none")
    order = sitting.order(address=True)
    sitting.simulate("account", key=sitting.credential, add_cents=50_000_000)
    paid = sitting.settled(order)
    sitting.only_order(paid)
    sitting.advance("idle")
    sitting.expect_books(paid)


def _gifts(sitting: Sitting) -> None:
    """A gift of a team is asked for, approved, claimed and delivered."""
    sitting.begin()
    sitting.need("gift")
    gift = settle(sitting, send(sitting))
    decide(sitting, gift, APPROVE)
    expect_gift(sitting, gift)
    claim(sitting, gift)
    sitting.advance("idle")
    expect_gift(sitting, gift)
    sitting.check(ended=True)


RULES = (
    Rule(
        id="leans_on_no_guess",
        rule="Where the documents leave something open, the app works however the service reads it.",
        sources=("A7.1", "G281", "G283", "B23", "B25", "G12"),
        probes=(_orders, _declined_order, _gifts),
    ),
)
