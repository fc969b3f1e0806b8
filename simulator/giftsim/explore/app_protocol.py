"""What explore and an app agree on: four addresses of the app, and what is said there."""

from __future__ import annotations

from typing import Any

import msgspec

HOST = "hooks.partner.example"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
CREDENTIAL = "partner.prepaid"
RECIPIENT = {"name": "Bo", "email": "bo@example.com"}
ADDRESS = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}

CONTRACT = """\
The app is on this machine, and answers four calls (other paths by options):
  POST /giftsim/start     {simulator, key, webhook_url, secret, world}
                          forget everything; from now on use this simulator
  POST /giftsim/do        {action: "order", reference, recipient}
                          place that order by the partner interface; a
                          reference that came before is the same order again
  POST /giftsim/webhooks  the webhooks of the simulator, signed with `secret`
  GET  /giftsim/check     all has come to rest: {"ok": true}, or
                          {"wrong": "why"} (or a list of reasons)
An answer that is not 2xx, or none in time, is wrong too.
With --check CMD a command says it instead of the last call: an exit status
other than 0 is wrong, its last line says why; GIFTSIM_ORIGIN, GIFTSIM_WORLD,
GIFTSIM_KEY and GIFTSIM_APP are in its environment.
"""


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """Where the app is and what its addresses are.

    `do` is None where orders are placed for the app, `check` where a command judges.
    """

    app: str
    start: str = "/giftsim/start"
    do: str | None = "/giftsim/do"
    webhooks: str = "/giftsim/webhooks"
    check: str | None = "/giftsim/check"
    timeout_s: int = 5

    @property
    def webhook_url(self) -> str:
        """The public address that the app's receiver has for the service."""
        return f"https://{HOST}{self.webhooks}"

    def beginning(self) -> dict[str, Any]:
        """The body of the call that starts a run, in the words of a scenario."""
        return {
            "simulator": "${origin}",
            "key": "pk_live_${world}_prepaid",
            "webhook_url": self.webhook_url,
            "secret": "${secret}",
            "world": "${world}",
        }


def order(number: int, claims: str) -> dict[str, Any]:
    """The body of the call that asks for an order, for somebody with an address or with a link to claim by."""
    return {"action": "order", "reference": f"order-{number}", "recipient": _recipient(claims)}


def order_for(number: int, claims: str) -> dict[str, Any]:
    """The body of the same order placed for an app that places none itself."""
    reference = f"order-{number}"
    return {
        "idempotency_key": reference,
        "reference": reference,
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [_recipient(claims)],
    }


def _recipient(claims: str) -> dict[str, Any]:
    return {**RECIPIENT, "address": ADDRESS} if claims == "address" else RECIPIENT
