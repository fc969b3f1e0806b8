"""What the team interface shows of a model's records: the JSON of its reads and of the data of its events."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.models.compare import Learned
from tests.models.team_campaigns import Batch, Campaign
from tests.models.team_money import Bill, Invoice, Money
from tests.models.team_sends import Approval, Event, Gift, Order, Parcel, Send, gift_status
from tests.models.team_statement import Entry, instant, month_of


def balance(money: Money) -> dict[str, Any]:
    """`GET /billing/balance` (A5.7)."""
    return {
        "balance_cents": money.balance, "reserved_cents": money.reserved, "available_cents": money.available,
        "currency": "USD", "livemode": True,
    }  # fmt: skip


def terms(money: Money) -> dict[str, Any]:
    """`GET /credit-terms` (A5.6)."""
    return {
        "status": money.terms_status, "net_days": 30, "credit_limit_cents": money.credit,
        "outstanding_cents": money.owed, "available_cents": money.credit_left, "livemode": True,
    }  # fmt: skip


def statement(money: Money) -> dict[str, Any]:
    """`GET /statements/{month}` of the current month: its entries, and the balance before and after them (A5.8)."""
    month = money.month()
    entries = [each for each in money.entries if month_of(each.at) == month]
    return {
        "month": month, "partial": True, "opening_balance_cents": money.balance - sum(each.cents for each in entries),
        "closing_balance_cents": money.balance, "entries": [entry(each) for each in entries],
    }  # fmt: skip


def entry(record: Entry) -> dict[str, Any]:
    """An entry of a statement."""
    bill, invoice_id, receipt_id = record.documents
    return {
        "at": instant(record.at), "kind": record.kind, "amount_cents": record.cents, "balance_cents": record.balance,
        "resource_type": bill and _billed(bill).kind, "resource_id": bill and _billed(bill).id,
        "invoice_id": invoice_id, "receipt_id": receipt_id,
    }  # fmt: skip


def approval(record: Approval) -> dict[str, Any]:
    """A row of `GET /approvals`: the amount is what a yes may cost (G115)."""
    return {
        "id": record.id, "status": record.status, "resource_type": record.about.kind, "resource_id": record.about.id,
        "amount_cents": record.amount, "currency": "USD", "note": None, "decision_note": None,
        "decided_at": instant(record.decided_at), "expires_at": instant(record.expires_at),
        "livemode": record.about.team.is_live, "created_at": instant(record.made_at),
    }  # fmt: skip


def invoice(record: Invoice) -> dict[str, Any]:
    """A row of `GET /invoices`; a receipt is written when it is paid (A5.11)."""
    return {
        "id": record.id, "kind": record.kind, "status": record.status, "amount_cents": record.amount,
        "resource_type": record.bill and _billed(record.bill).kind,
        "resource_id": record.bill and _billed(record.bill).id,
        "receipt_id": record.receipt,
        "due_on": record.due_on, "paid_at": instant(record.paid_at), "livemode": True,
    }  # fmt: skip


def _billed(bill: Any) -> Any:
    """The order, gift or campaign that a bill is of."""
    return bill.campaign if isinstance(bill, Batch) else bill


def payment(bill: Bill) -> dict[str, Any]:
    """The ids of what pays for a record, each null until there is one (A8.4, G68)."""
    paid = bill.payment
    named = paid or next((each for each in reversed(bill.payments) if each.status == "pending"), None)
    receipt: Learned | None = None
    if paid is not None and paid.status == "settled":
        bills, receipt = [paid.invoice] if paid.invoice else [], paid.receipt
    else:
        bills = [each for each in bill.invoices if each.status == "open"]
    return {
        "payment_id": named.id if named else None, "invoice_id": bills[-1].id if bills else None, "receipt_id": receipt,
    }  # fmt: skip


def totals(send: Send) -> dict[str, Any]:
    """The price of all recipients (A5.1)."""
    goods, shipping = (cents * len(send.parcels) for cents in send.price)
    return {"subtotal_cents": goods, "shipping_cents": shipping, "total_cents": goods + shipping, "currency": "USD"}


def recipient(parcel: Parcel, status: str) -> dict[str, Any]:
    """A recipient, without email (T-1.9)."""
    return {"id": parcel.id, "name": parcel.name, "status": status}


def _latest_approval(record: Order | Gift | Campaign) -> Any:
    return record.approvals[-1].id if record.approvals else None


def order(record: Order) -> dict[str, Any]:
    """A row of `GET /team-orders` (A7.1): its recipients are those with a name."""
    method = record.payment.method if record.payment else record.method  # how it was paid, or asked to be (G169)
    return {
        "id": record.id, "campaign_id": record.id, "source": record.source, "status": record.status,
        "payment_status": record.payment_status, "headcount": len(record.parcels),
        "destination_countries": [record.country], "totals": totals(record),
        "items": [
            {"id": each.id, "item_slug": each.slug, "quantity": each.quantity, "proof_status": each.proof}
            for each in record.lines
        ],
        "recipients": [recipient(each, each.status) for each in record.parcels if each.name is not None],
        "payment_method": method, "approval_id": _latest_approval(record), **payment(record),
        "cancel_reason": record.cancel_reason, "livemode": record.team.is_live, "created_at": instant(record.made_at),
    }  # fmt: skip


def manifest(record: Order) -> list[dict[str, Any]]:
    """The rows of an order's manifest, as text (A7.13); the carrier and number are what the service chooses."""
    return [
        {
            "recipient_id": str(each.id.value), "name": each.name, "status": each.status, "carrier": each.carrier or "",
            "tracking_number": each.tracking or "", "shipped_at": instant(each.at.get("shipped")) or "",
            "delivered_at": instant(each.at.get("delivered")) or "", "po_number": "", "cost_center": "",
        }
        for each in record.parcels
        if each.name is not None
    ]  # fmt: skip


def gift(record: Gift) -> dict[str, Any]:
    """A row of `GET /gifts` (A1.6, A7.1)."""
    return {
        "id": record.id, "status": record.status, "payment_status": record.payment_status, "totals": totals(record),
        "recipients": [
            recipient(each, gift_status(each) if record.is_started else record.status) for each in record.parcels
        ],
        "approval_id": _latest_approval(record), **payment(record), "livemode": True,
        "created_at": instant(record.made_at),
    }  # fmt: skip


def timeline(record: Gift) -> list[dict[str, Any]]:
    """`GET /gifts/{id}/timeline` (T-4.42)."""
    return [
        {"at": instant(at), "kind": kind, "recipient_id": parcel.id if parcel else None}
        for at, kind, parcel in record.timeline
    ]


def campaign(record: Campaign) -> dict[str, Any]:
    """A campaign, with its recipients counted (G66)."""
    counts = dict.fromkeys(
        ("pending", "unpaid", "sent", "claimed", "shipped", "delivered", "rejected", "expired", "canceled"), 0
    )
    counts |= Counter(recipient_status(batch, each) for batch in record.batches for each in batch.parcels)
    return {
        "id": record.id, "status": record.status, "payment_method": record.method, "counts": counts,
        "recipient_count": sum(counts.values()), "batches": [batch(each) for each in record.batches],
        "approval_id": _latest_approval(record), "livemode": True,
    }  # fmt: skip


def recipients(record: Campaign) -> dict[str, Any]:
    """The recipients of prepared batches, which only the campaign's own read lists (G66)."""
    priced = [each for each in record.batches if each.is_priced]
    return {"recipients": [recipient(each, recipient_status(of, each)) for of in priced for each in of.parcels]}


def batch(record: Batch) -> dict[str, Any]:
    """A batch of a campaign. Its payment may be uncertain (A8.7)."""
    return {
        "number": record.campaign.batches.index(record) + 1, "recipient_count": len(record.parcels),
        "status": "uncertain" if record.payment_status == "uncertain" else record.status,
        "totals": totals(record) if record.is_priced else None, **payment(record),
    }  # fmt: skip


def recipient_status(of: Batch, parcel: Parcel) -> str:
    """The status of a recipient of a campaign (G66)."""
    fixed = {"pending": "pending", "prepared": "unpaid", "failed": "unpaid", "dropped": "canceled"}
    return fixed.get(of.status) or gift_status(parcel)


def event(record: Event) -> dict[str, Any]:
    """The data of an event: ids and status only (A6.2)."""
    about, area = record.about, record.kind.partition(".")[0]
    data: dict[str, Any] = {"status": record.status}
    if area == "approval":
        data |= {"approval_id": about.id, "resource_type": about.about.kind, "resource_id": about.about.id}
    elif area == "invoice":
        of = about.bill and _billed(about.bill)
        data |= {"invoice_id": about.id, "resource_type": of and of.kind, "resource_id": of and of.id}
    elif area == "team_order":
        data |= {"team_order_id": about.id, "campaign_id": about.id, "payment_status": record.more}
    elif area == "gift":
        name = "campaign_id" if isinstance(about, Campaign) else "gift_id"
        data |= {name: about.id, "recipient_id": record.more.id if record.more else None}
    return data
