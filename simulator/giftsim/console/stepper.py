"""How an order, gift or campaign stands: its steps from paid to delivered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

Row = Mapping[str, Any]
DONE, HERE, AHEAD, FAILED, ENDED = "done", "here", "todo", "failed", "ended"
OVER: Final = ("canceled", "rejected", "expired")  # of parcels, and of what they belong to
PAID: Final = ("paid", "settled")

# The steps of parcels: a title, the member with its instant, and the status that it gives.
PARCEL_STEPS: Final = (
    ("Claimed", "claimed_at", "submitted"),
    ("In production", "produced_at", "in_production"),
    ("Shipped", "shipped_at", "shipped"),
    ("Delivered", "delivered_at", "delivered"),
)
# What is said of a record that has such a parcel, the worst first.
TROUBLES: Final = {"rejected": "parcel rejected", "expired": "link expired", "delayed": "parcel delayed"}
GOING_ON: Final = ("in_progress", "collecting_addresses", "shipped")
Dates = Mapping[str, tuple[str, str]]  # when a status is first reached, and on what condition


class Step(NamedTuple):
    """A step: its title, state, the instant at which it was made or is due, and a note such as `2 of 3`."""

    title: str
    state: str
    at: str | None = None
    note: str = ""


def steps(record: Row, recipients: Sequence[Row], money: Row, dates: Dates) -> list[Step]:
    """The steps of a record, the first of which is its payment. The last one done is where it is."""
    made = [_payment(record, money), *_of_parcels(record, recipients, dates)]
    last = max((n for n, step in enumerate(made) if step.state == DONE), default=None)
    if record["status"] in OVER:
        reached = [step for step in made if step.state in (DONE, FAILED)]
        return [*reached, Step(str(record["status"]).capitalize(), ENDED)]
    if last is not None and last < len(made) - 1 and made[last + 1].state == AHEAD:
        made[last] = made[last]._replace(state=HERE)
    return made


def _payment(record: Row, money: Row) -> Step:
    if _went_back(money):
        return Step("Unpaid", FAILED, None, "its bank took the money back")
    paid_at = record.get("paid_at") or _paid_at(money)
    if paid_at:
        return Step("Paid", DONE, paid_at)
    failed = failed_charge(record, money)
    if failed is not None:
        return Step("Unpaid", FAILED, failed["closed_at"] or failed["opened_at"])
    note = "when it is approved" if record["status"] == "awaiting_approval" else ""
    return Step("Paid", AHEAD, None, note)


def _went_back(money: Row) -> bool:
    """Whether the bank took back what had paid for it, and nothing else has paid."""
    rows = money["payments"]
    is_paid = any(row["status"] in PAID for row in rows)
    return not is_paid and any(row["status"] == "failed" and row["settled_at"] for row in rows)


def _paid_at(money: Row) -> str | None:
    """When the first charge or payment was made that succeeded."""
    charges = [row["closed_at"] for row in money["charges"] if row["status"] in PAID and row["closed_at"]]
    payments = [row["created_at"] for row in money["payments"] if row["status"] in PAID]
    return min([*charges, *payments], default=None)


def failed_charge(record: Row, money: Row) -> Row | None:
    """The charge that failed last, if the record is unpaid because of it."""
    charges = money["charges"]
    is_failed = charges and charges[-1]["status"] == "failed"
    return charges[-1] if is_failed and record["status"] == "unpaid" else None


def trouble(record: Row, recipients: Sequence[Row]) -> str:
    """What is wrong with parcels of a record that goes on, the worst first and in the words of lists; "" if nothing."""
    found = {row["status"] for row in recipients} if record["status"] in GOING_ON else set()
    return next((said for status, said in TROUBLES.items() if status in found), "")


def _of_parcels(record: Row, recipients: Sequence[Row], dates: Dates) -> Iterator[Step]:
    active = [row for row in recipients if row["status"] not in OVER] or recipients
    claims, total = record.get("address_mode") != "addresses", sum(row["status"] != "canceled" for row in recipients)
    for title, member, status in PARCEL_STEPS if claims else PARCEL_STEPS[1:]:
        times = sorted(row[member] for row in active if row[member])
        if active and len(times) == len(active):
            yield Step(title, DONE, times[-1])
        elif times:
            yield Step(title, HERE, None, f"{len(times):,} of {total:,}")
        elif title == "Claimed" and not dates.get(status, ("", "claimed"))[1]:
            yield Step(title, AHEAD, None, "when the recipient says where")
        else:
            at, given = dates.get(status, (None, ""))
            yield Step(title, AHEAD, at, given)
