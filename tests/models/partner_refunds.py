"""A partner's refunds: at once or after a time, to the wallet or to a card that may be closed by then (G441, G442)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.models.partner_orders import Order, Parcel
from tests.models.partner_parcels import Parcels
from tests.models.partner_replies import Reply


@dataclass(eq=False)
class Refund:
    """A refund with its parts for wallet and card. With `closed` it failed for good: the wallet has its money."""

    order: Order
    wallet: int
    card: int
    due: int | None
    turn: int
    status: str = "pending"
    closed: bool = False


class Refunds(Parcels):
    """The refunds of all orders in one world."""

    def __init__(self, now: int) -> None:
        super().__init__(now)
        self.refunds: list[Refund] = []
        self.refund_after, self.spares_closed_cards = 0, False  # by settings

    def share_out(self, parcel: Parcel) -> tuple[int, int]:
        """What of a parcel's price goes back to the wallet, as far as that paid the order, and to the card (P-3.13)."""
        order = parcel.order
        wallet = min(parcel.cents, order.wallet_left)
        if wallet < parcel.cents and self._goes_to_wallet(order):
            wallet = parcel.cents
        order.wallet_left = max(0, order.wallet_left - wallet)
        return wallet, parcel.cents - wallet

    def give_back(self, order: Order, wallet: int, card: int) -> None:
        """A refund: done at once, unless refunds take time."""
        if not wallet + card:
            return
        if self.refund_after:
            due = self.now + self.refund_after
            self.refunds.append(Refund(order, wallet, card, due, next(self.turns)))
        else:
            order.account.wallet += wallet
            order.card_refunds_at_once += card

    def end_refund(self, refund: Refund) -> None:
        """Its money arrives, but what a closed card does not take goes to the wallet (G442)."""
        if refund.status == "pending" and refund.card and self._goes_to_wallet(refund.order):
            self._fail(refund)
            return
        refund.status, refund.due = "done", None
        refund.order.account.wallet += refund.wallet

    def _fail(self, refund: Refund) -> None:
        back = refund.card if refund.status == "done" else refund.wallet + refund.card if refund.card else 0
        refund.order.account.wallet += back
        refund.status, refund.due, refund.closed = "failed", None, refund.card > 0

    def end_refunds(self, order: Order, outcome: str) -> Reply:
        """The refunds of an order arrive or fail; the bank of a card may send back what was done (G442)."""
        own = [each for each in self.refunds if each.order is order]
        pending = [each for each in own if each.status == "pending"]
        if outcome == "done":
            found, act = [each for each in own if each.status != "done" and not each.closed], self.end_refund
        elif pending:
            found, act = pending, self._fail
        else:
            found, act = [each for each in own if each.status == "done" and each.card], self._fail
        back = 0
        if outcome == "failed" and not pending:
            back, order.card_refunds_at_once = order.card_refunds_at_once, 0
        order.account.wallet += back
        for each in found:
            act(each)
        return Reply(200 if found or back else 409)

    def _goes_to_wallet(self, order: Order) -> bool:
        return self.spares_closed_cards and order.account.card == "none"
