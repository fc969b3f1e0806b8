"""What goes wrong with money."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, verb

ACCOUNT: Final = ("key", "account_id")
INVOICE: Final = ("invoice_id", "team_order_id", "gift_id")
BANK: Final = ("payment_id", *INVOICE)
PAYMENT: Final = ("payment_id", "team_order_id", "gift_id")
REFUND: Final = ("team_order_id", "gift_id", "campaign_id")

REHEARSALS: Final = (
    Rehearsal(
        "card-closed",
        "account",
        "The card on file was closed.",
        "Charges of the account that the wallet does not cover fail with `402 card_charge_failed`.",
        "Your app keeps the order, shows why it is unpaid, and pays it once the account has a card again.",
        (verb("account", *ACCOUNT, card="declined"),),
        "P-7.15",
        (ACCOUNT,),
    ),
    Rehearsal(
        "refund-failed",
        "order",
        "A refund does not arrive.",
        "A refund that is pending fails, or the bank of the card returns it. What was for a card goes to the wallet.",
        "Your app looks for the money in the wallet, and does not cancel a second time.",
        (verb("refund", *REFUND, outcome="failed"),),
        "G442",
        (REFUND,),
    ),
    Rehearsal(
        "balance-spent",
        "team",
        "Somebody else has spent the team's balance.",
        "The balance is 0, and what only it can pay is refused: what is paid on terms goes on. `balance.low` is sent to"
        " endpoints with a threshold that it fell below.",
        "Your app funds the balance, or asks somebody to, and does not try again every minute.",
        (verb("team", "team_id", balance_cents=0),),
        "T-6.13",
    ),
    Rehearsal(
        "payment-uncertain",
        "payment",
        "Nobody knows whether a payment went through.",
        "The payment is `uncertain`, and counts as spent until its outcome is known.",
        "Your app neither pays again nor gives up: it asks again later.",
        (verb("payment", *PAYMENT, outcome="uncertain"),),
        "T-5.20",
        (PAYMENT,),
    ),
    Rehearsal(
        "ach-returned",
        "payment",
        "An ACH payment returns after it succeeded.",
        "The payment has failed and its order is unpaid again, also if it was shipped. A refund of it is taken back."
        " The bank transfer of a paid invoice returns likewise.",
        "Your app looks at `payment_status` after the order was paid, and asks for the money.",
        (verb("bank", *BANK, event="returned"),),
        "G435",
        (BANK,),
    ),
    Rehearsal(
        "paid-after-cancel",
        "invoice",
        "Bank money arrives for an order that was canceled.",
        "The money pays nothing: it goes to the team's balance, with a receipt. The invoice stays void.",
        "Your app does not bring the order back, and shows the money in the balance.",
        (verb("bank", *BANK, "amount_cents", event="late"),),
        "G438",
        (BANK,),
    ),
    Rehearsal(
        "underpaid",
        "invoice",
        "A customer's bank sends less than the invoice says.",
        "The money, by default $1.00, goes to the balance. The invoice stays open, and nothing is paid in part.",
        "Your app shows what is still open, and tells money in the balance from a paid invoice.",
        (verb("bank", *INVOICE, "amount_cents", event="underpaid", amount_cents=100),),
        "G439",
        (INVOICE,),
    ),
    Rehearsal(
        "paid-twice",
        "invoice",
        "A customer pays an invoice twice.",
        "The invoice is paid once; the second amount goes to the balance, with a receipt.",
        "Your app books one payment, and finds the other money in the balance.",
        (verb("bank", *INVOICE, event="paid_twice"),),
        "G439",
        (INVOICE,),
    ),
)
