"""The protocol between explore and an app: four endpoints of the app, with their requests and responses."""

from __future__ import annotations

from typing import Any

import msgspec

HOST = "hooks.partner.example"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
CREDENTIAL = "partner.prepaid"
RECIPIENT = {"name": "Bo", "email": "bo@example.com"}
ADDRESS = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}

PROTOCOL_HELP = """\
The app runs on this machine and has four endpoints (options set other paths):
  POST /giftsim/start     {simulator, key, webhook_url, secret, world}
                          delete all data; use this simulator from now on
  POST /giftsim/do        {action: "order", reference, recipient}
                          place this order over the partner interface; a
                          known reference means the same order again
  POST /giftsim/webhooks  receives the simulator's webhooks, signed with
                          `secret`
  GET  /giftsim/check     called when nothing is left to happen: {"ok": true},
                          or {"wrong": "why"} (or a list of reasons)
A response that is not 2xx or comes too late is a failure too.
With --check CMD a command replaces the last call: an exit status other than 0
is a failure, and its last line of output is the reason. Its environment has
GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY and GIFTSIM_APP.
"""


class AppProtocol(msgspec.Struct, frozen=True, kw_only=True):
    """The app's URL and the paths of its endpoints.

    `do` is None if explore places the orders for the app, `check` if a command checks the app.
    """

    app: str
    start: str = "/giftsim/start"
    do: str | None = "/giftsim/do"
    webhooks: str = "/giftsim/webhooks"
    check: str | None = "/giftsim/check"
    timeout_s: int = 5

    @property
    def webhook_url(self) -> str:
        """The public URL under which the service knows the app's webhook receiver."""
        return f"https://{HOST}{self.webhooks}"

    def start_body(self) -> dict[str, Any]:
        """The body of the start call, with scenario variables."""
        return {
            "simulator": "${origin}",
            "key": "pk_live_${world}_prepaid",
            "webhook_url": self.webhook_url,
            "secret": "${secret}",
            "world": "${world}",
        }


def order_request(number: int, destination: str) -> dict[str, Any]:
    """The body of the call that asks the app for an order to a recipient with an `address` or with a claim `link`."""
    return {"action": "order", "reference": f"order-{number}", "recipient": _recipient(destination)}


def partner_order(number: int, destination: str) -> dict[str, Any]:
    """The body of the same order in the partner interface, for an app that places none itself."""
    reference = f"order-{number}"
    return {
        "idempotency_key": reference,
        "reference": reference,
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [_recipient(destination)],
    }


def _recipient(destination: str) -> dict[str, Any]:
    return {**RECIPIENT, "address": ADDRESS} if destination == "address" else RECIPIENT
