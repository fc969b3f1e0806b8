"""The money of a world: wallets, credit and caps, payments, the ledger, invoices and tax certificates."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import WorldControl, current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import money, read_cents, record_id
from giftsim.console.page import Place, act_and_return, choose_parameter, redirect_back, render_page
from giftsim.console.presets import panel
from giftsim.frontend.states import words

BLUEPRINT = Blueprint("money", __name__)
PLACES = (Place("Money", "money.show", "m", "money", "Gifting", 5, of="partner"),)
VIEWS = ("wallets", "payments", "ledger", "invoices", "certificates")
STATUSES = {
    "payments": ("sent", "paid", "failed"),
    "invoices": ("open", "paid", "void"),
    "certificates": ("pending_review", "accepted", "rejected"),
}
LISTED, ACCOUNTS, KEYS, NAMED = 50, 24, 200, 1000
WITHOUT_OUTCOME = ("pending", "reserved", "uncertain")


@BLUEPRINT.get("/w/<world>/money")
def show() -> Response:
    """Wallets with their limits, or one list of money."""
    view, world = choose_parameter("view", VIEWS), current_world()
    if view == "wallets":
        return render_page("money.html", view=view, **_wallets(world))
    status = request.args.get("status") if view in STATUSES else None
    rows = world.get(
        view,
        order="newest",
        limit=LISTED,
        before=request.args.get("before"),
        **({"status": status or None, "counts": True} if view in STATUSES else {}),
    )
    return render_page(
        "money.html",
        view=view,
        rows=rows,
        statuses=STATUSES.get(view),
        open_payment=open_payment,
        names=_names(world),
        ledger_name=ledger_name,
    )


@BLUEPRINT.post("/w/<world>/money/accounts/<int:account>/fund")
def fund(account: int) -> Response:
    """Add to the wallet of an account, take from it, or set it."""
    cents, is_set = read_cents(request.form.get("amount", "")), "set" in request.form
    if _is_not_an_amount(cents, is_set=is_set) or cents is None:
        return _no_amount()
    changes = {"wallet_cents" if is_set else "add_cents": cents}
    return act_and_return(
        f"{_set_or_add(is_set=is_set)} {money(cents)}: account {account}",
        lambda world: _change(world, account, **changes),
        said=lambda row: f"The wallet of account {account} has {money(row['wallet_cents'])}.",
    )


@BLUEPRINT.post("/w/<world>/money/accounts/<int:account>/card")
def set_card(account: int) -> Response:
    """Change the saved card of an account."""
    card = request.form.get("card", "")
    return act_and_return(
        f"Make the card of account {account} {card[:20]}",
        lambda world: _change(world, account, card=card),
        said=lambda row: f"The card of account {account} is {row['card']}.",
    )


@BLUEPRINT.post("/w/<world>/money/accounts/<int:account>/limits")
def set_limits(account: int) -> Response:
    """Change the daily limit of an account's keys, or its credit line. An empty daily limit is none."""
    changes: dict[str, int | None] = {}
    for name in ("daily_limit_cents", "credit_limit_cents"):
        if name in request.form:
            text = request.form[name].strip()
            cents = read_cents(text) if text else None
            if (cents is None and (text or name == "credit_limit_cents")) or (cents or 0) < 0:
                return _no_amount()
            changes[name] = cents
    return act_and_return(f"Change the limits of account {account}", lambda world: _change(world, account, **changes))


@BLUEPRINT.post("/w/<world>/money/teams/<int:team>/fund")
def fund_team(team: int) -> Response:
    """Add to the balance of a team, take from it, or set it."""
    cents, is_set = read_cents(request.form.get("amount", "")), "set" in request.form
    if _is_not_an_amount(cents, is_set=is_set) or cents is None:
        return _no_amount()
    return act_and_return(
        f"{_set_or_add(is_set=is_set)} {money(cents)}: team {team}",
        lambda world: world.post("simulate/team", {"team_id": team, "balance_cents" if is_set else "add_cents": cents}),
        said=lambda row: f"The balance of {row['name']} is {money(row['balance_cents'])}.",
    )


@BLUEPRINT.post("/w/<world>/money/payments/<id>")
def decide_payment(id: str) -> Response:  # noqa: A002 (the name of the path's parameter)
    """Settle or fail a payment that has no outcome yet."""
    verb, name = request.form.get("verb", ""), request.form.get("name", "")
    if verb not in ("payment", "outcome") or name not in ("payment_id", "team_order_id", "account_id"):
        return redirect_back("This payment has an outcome already.", failed=True)
    body = {name: record_id(request.form.get("value", "")), "outcome": request.form.get("outcome", "")}
    return act_and_return(
        f"Decide payment {id}",
        lambda world: world.post(f"simulate/{verb}", body),
        said=lambda row: f"Payment {id} is {words(row['status'])}.",
    )


@BLUEPRINT.post("/w/<world>/money/invoices/<id>/pay")
def pay_invoice(id: str) -> Response:  # noqa: A002
    """Pay an invoice by bank transfer."""
    return act_and_return(
        f"Pay invoice {id}",
        lambda world: world.post("simulate/invoice", {"invoice_id": record_id(id), "outcome": "paid"}),
        said=lambda row: f"Invoice {row['number']} is {row['status']}.",
    )


@BLUEPRINT.post("/w/<world>/money/certificates/<id>")
def review_certificate(id: str) -> Response:  # noqa: A002
    """Accept or reject a tax certificate."""
    body = {"certificate_id": record_id(id), "outcome": request.form.get("outcome", "")}
    return act_and_return(
        f"Review certificate {id}",
        lambda world: world.post("simulate/certificate", body),
        said=lambda row: f"Certificate {id} is {row['status']}.",
    )


def open_payment(payment: dict[str, Any]) -> dict[str, Any] | None:
    """How to decide a payment without an outcome: the verb, its member and value, and the two outcomes. Else None."""
    team = payment["team_payment"]
    if team is not None:
        if team["status"] not in WITHOUT_OUTCOME:
            return None
        return {"verb": "payment", "name": "payment_id", "value": team["payment_id"], "outcomes": ("settled", "failed")}
    if payment["status"] != "sent":
        return None
    of_order = payment["team_order_id"] is not None
    name, value = ("team_order_id", payment["team_order_id"]) if of_order else ("account_id", payment["account_id"])
    return {"verb": "outcome", "name": name, "value": value, "outcomes": ("paid", "failed")}


def ledger_name(account: str, accounts: dict[int, str]) -> str:
    """A ledger account such as `wallet 501` by the name of its account: `wallet of prepaid`."""
    kind, _, number = account.partition(" ")
    known = accounts.get(int(number), "") if number.isdecimal() else ""
    return f"{kind} of {known}" if known and kind in ("wallet", "account", "card", "credit") else account


def _names(world: WorldControl) -> dict[str, dict[int, str]]:
    """The names of accounts and teams, by their ids."""
    return {
        "accounts": {row["account_id"]: row["label"] for row in world.get("accounts", limit=NAMED)["accounts"]},
        "teams": team_names(world),
    }


def team_names(world: WorldControl) -> dict[int, str]:
    """The names of the teams by their ids."""
    return {row["team_id"]: row["name"] for row in world.get("teams", limit=NAMED)["teams"]}


def _wallets(world: WorldControl) -> dict[str, Any]:
    """Accounts and teams, each with its keys that have limits."""
    accounts = world.get("accounts", limit=ACCOUNTS, after=request.args.get("after"))
    keys = world.get("keys", limit=KEYS)
    limited = [key for key in keys["keys"] if key["limits"] and not key["revoked"]]
    url = world.describe()["urls"]["control"]
    return {
        "next_charge": panel(world, world.get("clock")["now"])[0],
        "accounts": accounts["accounts"],
        "next": accounts["next"],
        "teams": [] if request.args.get("after") else world.get("teams", limit=ACCOUNTS)["teams"],
        "keys_of": {
            member: {n: [key for key in limited if key[member] == n] for n in {key[member] for key in limited}}
            for member in ("account_id", "team_id")
        },
        "call": curl_command("POST", f"{url}/simulate/account", {"key": "partner.prepaid", "add_cents": 10000}),
    }


def _change(world: WorldControl, account: int, **changes: Any) -> Any:
    return world.post("simulate/account", {"account_id": account, **changes})


def _is_not_an_amount(cents: int | None, *, is_set: bool) -> bool:
    """Whether an amount cannot be added, or cannot be what there is."""
    return cents is None or (cents < 0 if is_set else cents == 0)


def _set_or_add(*, is_set: bool) -> str:
    return "Set the balance to" if is_set else "Add"


def _no_amount() -> Response:
    text = request.form.get("amount", "")[:40]
    return redirect_back(f"{text!r} is not an amount of money: write dollars, such as 50 or 1,250.50.", failed=True)
