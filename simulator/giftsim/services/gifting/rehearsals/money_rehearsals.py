"""What goes wrong with money."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, verb

ACCOUNT: Final = ("key", "account_id")

REHEARSALS: Final = (
    Rehearsal(
        "card-closed",
        "account",
        "The card on file was closed.",
        "Charges of the account that the wallet does not cover fail with `402 card_charge_failed`.",
        "Your app keeps the order, shows why it is unpaid, and pays once the account has a card again.",
        (verb("account", *ACCOUNT, card="declined"),),
        "P-5.3",
    ),
    Rehearsal(
        "balance-spent",
        "team",
        "Somebody else has spent the team's balance.",
        "The balance is 0, `balance.low` is sent, and what needs money is refused.",
        "Your app funds the balance, or asks somebody to, and does not try again every minute.",
        (verb("team", "team_id", balance_cents=0),),
        "T-6.3",
    ),
    Rehearsal(
        "payment-uncertain",
        "payment",
        "Nobody knows whether a payment went through.",
        "The payment is `uncertain`, and counts as spent until its outcome is known.",
        "Your app neither pays again nor gives up: it asks again later.",
        (verb("payment", "payment_id", "team_order_id", "gift_id", outcome="uncertain"),),
        "T-6.3",
    ),
)
