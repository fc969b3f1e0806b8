"""What a till shows: why a call was refused, what is in a wallet, and what was charged."""

from __future__ import annotations

from collections import Counter
from typing import Any

from giftsim.gateway.in_process_client import Answer
from giftsim.kernel.instants import format_instant, parse_instant
from tests.harness import World

ROW_CENTS = 2_600
"""A mug by claim link within the United States, shipping included."""


def refused(answer: Answer) -> tuple[int, str]:
    """Status and code of a refusal, whose body names the request."""
    error = answer.json()["error"]
    assert error["request_id"] == answer.headers["x-request-id"]
    assert error["message"]
    return answer.status, error["code"]


def made(answer: Answer) -> Any:
    """The JSON of an order that was created and paid."""
    assert answer.status == 201, answer.text
    return answer.json()


def account(world: World, key: str = "partner.prepaid") -> Any:
    """The account that a key is bound to, with its money."""
    return next(row for row in world.ask("GET", "/accounts")["accounts"] if key in row["keys"])


def wallet_cents(world: World, key: str = "partner.prepaid") -> int:
    """What is in the wallet; below zero by what is owed."""
    return int(account(world, key)["wallet_cents"])


def payments(world: World, status: str | None = None) -> list[Any]:
    """Every charge, or those of one status, oldest first."""
    return [row for row in world.ask("GET", "/payments")["payments"] if status in (None, row["status"])]


def balances(world: World) -> Counter[str]:
    """What each ledger account holds; every entry must sum to zero."""
    held: Counter[str] = Counter()
    for entry in world.ask("GET", "/ledger?limit=1000")["ledger"]:
        assert sum(posting["cents"] for posting in entry["postings"]) == 0
        for posting in entry["postings"]:
            held[posting["account"]] += posting["cents"]
    return held


def orders(world: World) -> list[Any]:
    """Every team order in short, oldest first."""
    return list(world.ask("GET", "/orders?limit=1000")["orders"])


def later(world: World, span_ms: int) -> str:
    """The instant that lies so far behind the world's present one."""
    return format_instant(parse_instant(world.now) + span_ms)
