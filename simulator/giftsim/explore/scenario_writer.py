"""A plan told as a scenario: what is explored is what is written, step for step."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.explore.app_protocol import CREDENTIAL, EVENTS, HOST, RECIPIENT, Contract, order, order_for
from giftsim.explore.plan import (
    ORDER_CALL,
    Action,
    Declined,
    Lost,
    Order,
    Outage,
    Plan,
    Refused,
    Stumbled,
    Tangled,
    Wait,
)

HASTE = {
    "partner.lead_times.production": "5m",
    "partner.lead_times.label": "10m",
    "partner.lead_times.shipped": "15m",
    "partner.lead_times.transit": "15m",
}
MOST_TIMEOUT_S = 10
ORDER_PATH = "POST /api/external/team-orders"
CLAIMANT = {"id": "bo", "recipient": RECIPIENT["email"], "claims": "2h", "optional": True}
REACTIONS: dict[str, dict[str, Any]] = {"503": {"status": 503}, "timeout": {"timeout": True}, "reset": {"reset": True}}

Document = dict[str, Any]


def told(plan: Plan, contract: Contract, *, seed: int, title: str = "explored", accepts: str | None = None) -> Document:
    """The scenario of a plan. `accepts` is a kind of event that must have reached the app in the end."""
    teller = Teller(contract, plan.claims)
    for action in fitting(plan, contract).actions:
        teller.tell(action)
    settings = {
        "webhooks.forward_at_once": 1,
        "webhooks.forward_timeout_s": min(contract.timeout_s, MOST_TIMEOUT_S),
        **(HASTE if plan.hasty else {}),
    }
    document: Document = {"scenario": title, "seed": seed, "app": contract.app, "settings": settings}
    if plan.claims == "link":
        document["actors"] = [CLAIMANT]
    return {**document, "steps": teller.steps + _end(contract, accepts)}


def fitting(plan: Plan, contract: Contract) -> Plan:
    """The plan without what goes wrong with orders, for an app that places none."""
    if contract.do is not None:
        return plan
    kept = tuple(action for action in plan.actions if not isinstance(action, Lost | Refused | Declined))
    return msgspec.structs.replace(plan, actions=kept)


def _end(contract: Contract, accepts: str | None) -> list[Document]:
    rest: Document = {"advance": {"until": "idle"}}
    if accepts is not None:
        rest["expect"] = {"deliveries": {"type": accepts, "last": "delivered"}}
    if contract.check is None:
        return [rest]
    return [rest, {"app": f"GET {contract.check}", "expect": {"status": 200, "body": {"ok": True}}}]


class Teller:
    """Puts actions into steps; knows how far time has come, and who answers the webhooks."""

    def __init__(self, contract: Contract, claims: str) -> None:
        self.contract, self.claims = contract, claims
        self.hours = 0
        self.receiver: Document = {"host": HOST, "to": "${app}"}
        self.steps: list[Document] = [
            {"receiver": self.receiver},
            {
                "call": "POST /api/external/webhooks",
                "as": CREDENTIAL,
                "body": {"url": contract.webhook_url, "events": list(EVENTS)},
                "save": {"secret": "$.secret"},
            },
            {"app": f"POST {contract.start}", "body": contract.beginning()},
        ]
        self._beginning = len(self.steps)

    def tell(self, action: Action) -> None:
        """One more action."""
        match action:
            case Order(number):
                self.steps.append(self._order(number))
            case Wait(hours):
                self.hours += hours
                self.steps.append({"advance": f"{hours}h"})
            case Outage(hours):
                span = {"from": f"+{self.hours}h", "to": f"+{self.hours + hours}h", "status": 503}
                self._receive({"outage": span})
            case Stumbled(how, times):
                self._receive({"script": [REACTIONS[how]] * times, "optional": True})
            case _:
                self.steps.append({"fault": _fault(action)})

    def _order(self, number: int) -> Document:
        if self.contract.do is not None:
            return {"app": f"POST {self.contract.do}", "body": order(number, self.claims)}
        return {"call": ORDER_PATH, "as": CREDENTIAL, "body": order_for(number, self.claims)}

    def _receive(self, members: Document) -> None:
        """Who answers from now on; while nothing has happened yet, that is said in the first step."""
        if len(self.steps) == self._beginning:
            self.receiver.update(members)
        else:
            outage = {"outage": self.receiver["outage"]} if "outage" in self.receiver else {}
            self.receiver = {"host": HOST, "to": "${app}", **outage, **members}
            self.steps.append({"receiver": self.receiver})


def _fault(action: Lost | Refused | Declined | Tangled) -> Document:
    when = {"first": action.times}
    if isinstance(action, Tangled):
        return {"when": when, "effect": {"webhook": action.how}, "optional": True}
    match = {"interface": "partner", "operation": ORDER_CALL}
    return {"match": match, "when": when, "effect": _effect(action), "optional": True}


def _effect(action: Lost | Refused | Declined) -> Document:
    match action:
        case Lost(place):
            return {"drop": place}
        case Refused(status, code):
            return {"status": status, "code": code, "retry_after": 1}
        case Declined(code):
            return {"charge": code}
