"""How a payment that failed is mended: what the account lacks, and the call of the app made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from giftsim.console.control_client import WorldControl, real_call
from giftsim.console.filters import money
from giftsim.engine.client.control import ControlRefused
from giftsim.frontend.states import words

Row = Mapping[str, Any]
ACCOUNTS = 1000


class Mend(NamedTuple):
    """How to let a payment succeed: `label` says it, `changes` are what the account needs, `call` is made again.

    Without a call only the account is changed: the order is of a fixture, or the call log has dropped its call.
    """

    label: str
    changes: Mapping[str, Any]
    call: int | None
    code: str


def mend_of(charge: Row, account: Row, timeline: list[Row]) -> Mend:
    """The mend of a failed charge of an account."""
    amount, held = charge["amount_cents"], account["wallet_cents"] - account["held_cents"]
    call = next((row["cause"]["call"] for row in timeline if row["status"] == "created" and row["cause"]), None)
    act, changes = _changes(str(charge["code"]), amount, held, account)
    label = f"{act} and retry" if act and call else act or "Retry"
    return Mend(label, changes, call, str(charge["code"]))


def _changes(code: str, amount: int, held: int, account: Row) -> tuple[str, Mapping[str, Any]]:
    """The words for what the account needs, and the changes of the account that provide it."""
    if code == "daily_spend_limit_exceeded":
        return "Remove the daily limit", {"daily_limit_cents": None}
    if account["billing_mode"] == "net_terms":
        needed = account["owed_cents"] + amount
        if needed > account["credit_limit_cents"]:
            return f"Raise the credit line to {_short(needed)}", {"credit_limit_cents": needed}
        return "", {}
    return (f"Fund {_short(amount - held)}", {"add_cents": amount - held}) if held < amount else ("", {})


def _short(cents: int) -> str:
    """An amount without cents that are zero: $26."""
    return money(cents).removesuffix(".00")


def make_again(world: WorldControl, record: Row, mend: Mend) -> Any:
    """Change the account, and make the call again that placed the order, as the app would with the same key.

    None if the log has no such call.
    """
    if mend.changes:
        world.post("simulate/account", {"account_id": record["account_id"], **mend.changes})
    sent = _request_of(world, record, mend.call)
    return sent and real_call(world, record["key"], sent["path"], json.loads(sent["body"]))


def _request_of(world: WorldControl, record: Row, n: int | None) -> Row | None:
    """The request that placed an order. A fork has a log of its own, where another call may have this number."""
    try:
        call = None if n is None else world.get(f"calls/{n}")
    except ControlRefused:
        return None
    named = call and call["response"] and json.loads(call["response"]["body"] or "null")
    is_it = isinstance(named, dict) and record["id"] in (named.get("team_order_id"), _id(named.get("team_order")))
    return call["request"] if call and is_it else None


def _id(order: Any) -> Any:
    return order.get("id") if isinstance(order, dict) else None


def account_of(world: WorldControl, record: Row) -> Row:
    """The account of a partner's order."""
    accounts: list[Row] = world.get("accounts", limit=ACCOUNTS)["accounts"]
    found = next((row for row in accounts if row["account_id"] == record["account_id"]), None)
    if found is None:
        raise ControlRefused(
            404, "account_not_found", f"account {record['account_id']} is not among the first accounts"
        )
    return found


def reason(code: str) -> str:
    """Why a payment failed, as people say it."""
    return words(code.removesuffix("_no_card")).replace("card charge failed", "the card was declined")
