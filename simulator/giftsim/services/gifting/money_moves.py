"""The ledger of gifting as the engine tells of it: entries with public ids, and balances that differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.gateway.simulated_service import Ledger
from giftsim.services.gifting.domain.money.account import ACCOUNTS, ENTRIES, Entry, read_ledger_name

if TYPE_CHECKING:
    from giftsim.engine.provenance.differences import Sides, TableDifference

MONEY = ("cash_cents", "held_cents", "credit_limit_cents", "daily_limit_cents", "card")
# There is a ledger account for each of these.
TOGETHER: Final = {"order": "orders", "payment": "payments", "invoice": "invoices"}


def _name(account: str) -> str:
    from giftsim.services.gifting.records.money import with_public_id

    return with_public_id(account)


def _move(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "owner": _name(entry.owner),
        "ref": _name(entry.ref),
        "postings": [[_name(name), cents] for name, cents in entry.postings],
    }


def _balances(sides: Sides, found: Mapping[str, TableDifference]) -> list[dict[str, Any]]:
    """The accounts of partners and teams whose money or limits differ."""
    (_, this), (_, other) = sides
    rows = []
    for difference in found[ACCOUNTS.name].rows() if ACCOUNTS.name in found else ():
        left, right = difference.this, difference.other
        account = this[ACCOUNTS].get(left.n) if left else other[ACCOUNTS].get(right.n if right else 0)
        rows.append(
            {
                "account_id": account.id,
                "label": account.label,
                "of_team": account.team is not None,
                "this_cents": this[ACCOUNTS].get(left.n).cash_cents if left else None,
                "other_cents": other[ACCOUNTS].get(right.n).cash_cents if right else None,
                "members": [name for name in difference.members if name in MONEY],
            }
        )
    return rows


LEDGER: Final = Ledger(
    entries=ENTRIES,
    move=_move,
    name=_name,
    together=lambda account: TOGETHER.get(read_ledger_name(account).kind, account),
    balances=_balances,
)
