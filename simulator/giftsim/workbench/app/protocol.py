"""The protocol between giftsim and an app: four endpoints of the app, with what they are asked."""

from __future__ import annotations

from typing import Any

import msgspec

HOST = "hooks.partner.example"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
CREDENTIAL = "partner.prepaid"
RECIPIENT = {"name": "Bo", "email": "bo@example.com"}
ADDRESS = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}

# What may be asked of an app, the operations of the service that it needs for that, and what of it is the team's.
OPERATIONS: dict[str, tuple[str, ...]] = {
    "order": ("createTeamOrder", "getTeamOrder", "listTeamOrders"),
    "cancel": ("cancelTeamOrder",),
    "pay": (),
    "settle": ("settleBalance",),
    "read": ("listTeamOrders",),
    "gift": ("sendGift", "getGift", "listGifts", "getApproval"),
    "campaign": ("createLargeCampaign", "processLargeCampaign", "getLargeCampaign"),
    "rule": ("createRule", "upsertPeople"),
    "ticket": (),
    "secrets": (),
    "break": (),
    "mend": (),
    "clock": (),
    "restart": (),
    "instance": (),
}
ACTIONS = tuple(OPERATIONS)
FORMER = {"cancel": "cancel_order", "pay": "pay_order"}  # the names that an app may still list
TEAM_ACTIONS = frozenset({"gift", "campaign", "rule"})
PARTNER_ACTIONS = frozenset({"order", "cancel", "pay", "settle", "read", "secrets"})
OF_COMMAND = frozenset({"restart", "instance"})  # what only an app can do that giftsim has started
OF_EXAM = frozenset({"settle", "read", "break", "mend"})  # what the exam asks for, and explore does not
AGAIN_AND_AGAIN = "step"  # the parameter of the check after a step

PROTOCOL_HELP = """\
The app runs on this machine and has four endpoints (options set other paths):
  POST /giftsim/start     {simulator, key, webhook_url, secret, world}
                          delete all data; use this simulator from now on
  POST /giftsim/do        {action: "order", reference, recipient}
                          place this order over the partner interface; a
                          known reference means the same order again.
                          recipient is {name, email}, with the address
                          {address1, city, state, zip, country} if the gift
                          goes there at once
  POST /giftsim/webhooks  receives the simulator's webhooks, signed with
                          `secret`
  GET  /giftsim/check     called when nothing is left to happen: {"ok": true},
                          or {"wrong": "why"} (or a list of reasons)

The app may answer the start with {"actions": [...], "cheap_check": true}. Then
it is asked for these actions too: order, cancel, pay, gift, campaign, rule,
ticket, secrets, clock; and after each step
GET /giftsim/check?step=N asks what is wrong already. Without an answer it is
asked for orders. An app that --app-command starts may add restart and instance:
it is ended and started again, and a second instance of it runs beside it.

A response that is not 2xx or comes too late is a failure too. An app answers
501 to an action that it does not offer, and does not list it. The readiness
pack asks for the same and for more: docs/reference/app-protocol.md.

With --check CMD a command replaces the last call: an exit status other than 0
is a failure, and its last line of output is the reason. Its environment has
GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY and GIFTSIM_APP.
"""


class AppProtocol(msgspec.Struct, frozen=True, kw_only=True):
    """The app's URL and the paths of its endpoints.

    `do` is None if explore places the orders for the app, `check` if a command checks the app. `actions` are what the
    app says that it can do, none if it does not say; of these it knows `former` by their former names. With
    `cheap_check` it is checked after each step. An app that `is_shown_time` needs no action for it: its clock follows
    the world, and it is asked at each instant (G467).
    """

    app: str
    start: str = "/giftsim/start"
    do: str | None = "/giftsim/do"
    webhooks: str = "/giftsim/webhooks"
    check: str | None = "/giftsim/check"
    timeout_s: int = 5
    actions: tuple[str, ...] = ()
    former: frozenset[str] = frozenset()
    cheap_check: bool = False
    is_shown_time: bool = False

    @property
    def has_team(self) -> bool:
        """Whether the app uses the team interface."""
        return not TEAM_ACTIONS.isdisjoint(self.actions)

    @property
    def has_partner(self) -> bool:
        """Whether the app uses the partner interface."""
        return not self.actions or not PARTNER_ACTIONS.isdisjoint(self.actions)

    def telling(self, answer: Any) -> AppProtocol:
        """The protocol with what the app's answer to the start says; ValueError if its `actions` are not a list.

        Actions that there are not are ignored.
        """
        if not isinstance(answer, dict) or "actions" not in answer:
            return msgspec.structs.replace(self, actions=(), former=frozenset(), cheap_check=False)
        listed = answer["actions"]
        if not isinstance(listed, list) or not listed:
            raise ValueError(f"{listed!r} is not a list of actions; there are {', '.join(ACTIONS)}")
        if not any(name in listed or FORMER.get(name) in listed for name in ACTIONS):
            raise ValueError(f"none of {', '.join(map(repr, listed))} is an action; there are {', '.join(ACTIONS)}")
        former = frozenset(name for name, old in FORMER.items() if old in listed and name not in listed)
        actions = tuple(name for name in ACTIONS if name in listed or name in former)
        return msgspec.structs.replace(
            self,
            actions=() if self.do is None else actions,
            former=former,
            cheap_check=answer.get("cheap_check") is True and self.check is not None,
        )

    def name_of(self, action: str) -> str:
        """The name by which the app knows an action: the former one if it listed that."""
        return FORMER[action] if action in self.former else action

    @property
    def is_told_time(self) -> bool:
        """Whether the app gets the action `clock` after each wait."""
        return "clock" in self.actions and not self.is_shown_time

    @property
    def webhook_url(self) -> str:
        """The public URL under which the service knows the app's webhook receiver."""
        return f"https://{HOST}{self.webhooks}"

    def start_body_template(self) -> dict[str, Any]:
        """The body of the start call, with scenario variables."""
        secret = {"secret": "${secret}"} if self.has_partner else {"secret": "${team_secret}"}
        team = {"team_key": "ptk_live_${world}_approver", "team_secret": "${team_secret}"} if self.has_team else {}
        ticket = {"museum": {"user": "museum.${world}", "password": "museum-pass"}} if "ticket" in self.actions else {}
        clock = {"now": "${start}"} if "clock" in self.actions else {}
        return {
            "simulator": "${origin}",
            "key": "pk_live_${world}_prepaid",
            "webhook_url": self.webhook_url,
            **secret,
            "world": "${world}",
            **team,
            **ticket,
            **clock,
        }


ITEMS = [{"sku_code": "MUG-01", "quantity": 1}]
SENDER = "Ada"


def order_members(reference: str, recipients: list[dict[str, Any]], items: Any = None) -> dict[str, Any]:
    """The members of the action `order`. One recipient is also sent as `recipient`, the former member."""
    one = {"recipient": recipients[0]} if len(recipients) == 1 else {}
    order = {"reference": reference, "gift_sender": SENDER, "items": items or ITEMS, "recipients": recipients}
    return {**order, **one}


def order_request(number: int, destination: str) -> dict[str, Any]:
    """The body of the call that asks the app for an order to a recipient with an `address` or with a claim `link`."""
    return {"action": "order", **order_members(f"order-{number}", [_recipient(destination)])}


def partner_order(number: int, destination: str) -> dict[str, Any]:
    """The body of the same order in the partner interface, for an app that places none itself."""
    order = order_members(f"order-{number}", [_recipient(destination)])
    del order["recipient"]
    return {"idempotency_key": order["reference"], **order}


def _recipient(destination: str) -> dict[str, Any]:
    return {**RECIPIENT, "address": ADDRESS} if destination == "address" else RECIPIENT
