"""What the control API shows of a partner's money: accounts, payments and the ledger."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.support.worlds import World


def account_of(world: World, key: str = "partner.prepaid") -> Any:
    """The account that a key belongs to."""
    return next(row for row in world.rows("accounts") if key in row["keys"])


def wallet_cents(world: World, key: str = "partner.prepaid") -> int:
    """The wallet of a key's account, in cents; below zero by what is owed."""
    return int(account_of(world, key)["wallet_cents"])


def wallet_by_label(world: World, label: str = "prepaid") -> int:
    """The wallet of the account with this label, in cents."""
    return next(int(row["wallet_cents"]) for row in world.rows("accounts") if row["label"] == label)


def payments(world: World, status: str | None = None) -> list[Any]:
    """Every charge, or those with one status, oldest first."""
    return [row for row in world.rows("payments") if status in (None, row["status"])]


def charge_entries(world: World) -> list[Any]:
    """The ledger's entries of kind charge."""
    return [entry for entry in world.rows("ledger") if entry["kind"] == "charge"]


def ledger_balances(world: World) -> Counter[str]:
    """The balance of each ledger account, such as `wallet 501` or `order 1001`; each entry must sum to zero."""
    balances: Counter[str] = Counter()
    for entry in world.rows("ledger"):
        assert sum(posting["cents"] for posting in entry["postings"]) == 0, entry
        for posting in entry["postings"]:
            balances[posting["account"]] += posting["cents"]
    return balances
