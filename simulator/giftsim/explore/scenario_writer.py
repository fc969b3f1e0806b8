"""Turns a plan into a scenario, which is both run and written to a file."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec

from giftsim.explore.app import CREDENTIAL, EVENTS, HOST, RECIPIENT, AppProtocol, order_request, partner_order
from giftsim.explore.plan import (
    ORDER_OPERATION,
    Action,
    DeclinedPayment,
    FailedAttempt,
    LostConnection,
    OrderRequest,
    Outage,
    Plan,
    TemporaryError,
    Wait,
    WebhookFault,
)
from giftsim.recording.yaml_writer import scenario_text

MAX_NAME = 60


def document_text(document: dict[str, Any], comments: Sequence[str] = ()) -> str:
    """The YAML text of a scenario, with comment lines above it."""
    head = {name: value for name, value in document.items() if name != "steps"}
    return scenario_text(head, document["steps"], comments)


def write_file(folder: Path, reason: str, content: str, taken: Container[Path] = (), *, force: bool = False) -> Path:
    """Write a scenario to a folder, which is created if needed; its path.

    A number makes the name unique if a file of that name has other content, or is in `taken`. With `force` a file that
    is not in `taken` is replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = (folder / f"{_name(reason)}{suffix}.yaml" for suffix in chain([""], (f"-{n}" for n in count(2))))
    path = next(path for path in paths if path not in taken and not _is_in_the_way(path, content, force))
    path.write_text(content, encoding="utf-8")
    return path


def _is_in_the_way(path: Path, content: str, force: bool) -> bool:
    return os.path.lexists(path) and not (path.is_file() and (force or path.read_bytes() in (b"", content.encode())))


def _name(reason: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", reason.lower())[:MAX_NAME].strip("-") or "failure"


FAST_LEAD_TIMES = {
    "partner.lead_times.production": "5m",
    "partner.lead_times.label": "10m",
    "partner.lead_times.shipped": "15m",
    "partner.lead_times.transit": "15m",
}
MAX_WEBHOOK_TIMEOUT_S = 10
ORDER_PATH = "POST /api/external/team-orders"
CLAIMING_RECIPIENT = {"id": "bo", "recipient": RECIPIENT["email"], "claims": "2h", "optional": True}
RECEIVER_RESPONSES: dict[str, dict[str, Any]] = {
    "503": {"status": 503},
    "timeout": {"timeout": True},
    "reset": {"reset": True},
}

Document = dict[str, Any]


def plan_scenario(
    plan: Plan, protocol: AppProtocol, *, seed: int, title: str = "explored", delivered: str | None = None
) -> Document:
    """The scenario of a plan; it expects the last webhook of type `delivered`, if given, to reach the app."""
    builder = ScenarioBuilder(protocol, plan.destination)
    for action in supported_plan(plan, protocol).actions:
        builder.add(action)
    settings = {
        "webhooks.forward_at_once": 1,
        "webhooks.forward_timeout_s": min(protocol.timeout_s, MAX_WEBHOOK_TIMEOUT_S),
        **(FAST_LEAD_TIMES if plan.fast else {}),
    }
    document: Document = {"scenario": title, "seed": seed, "app": protocol.app, "settings": settings}
    if plan.destination == "link":
        document["actors"] = [CLAIMING_RECIPIENT]
    return {**document, "steps": builder.steps + _final_steps(protocol, delivered)}


def supported_plan(plan: Plan, protocol: AppProtocol) -> Plan:
    """The plan without problems of placing orders if the app places none."""
    if protocol.do is not None:
        return plan
    order_problems = LostConnection | TemporaryError | DeclinedPayment
    kept = tuple(action for action in plan.actions if not isinstance(action, order_problems))
    return msgspec.structs.replace(plan, actions=kept)


def _final_steps(protocol: AppProtocol, delivered: str | None) -> list[Document]:
    advance: Document = {"advance": {"until": "idle"}}
    if delivered is not None:
        advance["expect"] = {"deliveries": {"type": delivered, "last": "delivered"}}
    if protocol.check is None:
        return [advance]
    return [advance, {"app": f"GET {protocol.check}", "expect": {"status": 200, "body": {"ok": True}}}]


class ScenarioBuilder:
    """Turns actions into steps; tracks the hours that passed and the current receiver."""

    def __init__(self, protocol: AppProtocol, destination: str) -> None:
        self.protocol, self.destination = protocol, destination
        self.hours = 0
        self.receiver: Document = {"host": HOST, "to": "${app}"}
        self.steps: list[Document] = [
            {"receiver": self.receiver},
            {
                "call": "POST /api/external/webhooks",
                "as": CREDENTIAL,
                "body": {"url": protocol.webhook_url, "events": list(EVENTS)},
                "save": {"secret": "$.secret"},
            },
            {"app": f"POST {protocol.start}", "body": protocol.start_body()},
        ]
        self._setup_steps = len(self.steps)

    def add(self, action: Action) -> None:
        """Add the step of an action."""
        match action:
            case OrderRequest(number):
                self.steps.append(self._order(number))
            case Wait(hours):
                self.hours += hours
                self.steps.append({"advance": f"{hours}h"})
            case Outage(hours):
                span = {"from": f"+{self.hours}h", "to": f"+{self.hours + hours}h", "status": 503}
                self._configure_receiver({"outage": span})
            case FailedAttempt(how, times):
                self._configure_receiver({"script": [RECEIVER_RESPONSES[how]] * times, "optional": True})
            case _:
                self.steps.append({"fault": _fault(action)})

    def _order(self, number: int) -> Document:
        if self.protocol.do is not None:
            return {"app": f"POST {self.protocol.do}", "body": order_request(number, self.destination)}
        return {"call": ORDER_PATH, "as": CREDENTIAL, "body": partner_order(number, self.destination)}

    def _configure_receiver(self, members: Document) -> None:
        """Change the receiver: in the first step while no action has a step, else in a new step."""
        if len(self.steps) == self._setup_steps:
            self.receiver.update(members)
        else:
            outage = {"outage": self.receiver["outage"]} if "outage" in self.receiver else {}
            self.receiver = {"host": HOST, "to": "${app}", **outage, **members}
            self.steps.append({"receiver": self.receiver})


def _fault(action: LostConnection | TemporaryError | DeclinedPayment | WebhookFault) -> Document:
    when = {"first": action.times}
    if isinstance(action, WebhookFault):
        return {"when": when, "effect": {"webhook": action.effect}, "optional": True}
    match = {"interface": "partner", "operation": ORDER_OPERATION}
    return {"match": match, "when": when, "effect": _effect(action), "optional": True}


def _effect(action: LostConnection | TemporaryError | DeclinedPayment) -> Document:
    match action:
        case LostConnection(when):
            return {"drop": when}
        case TemporaryError(status, code):
            return {"status": status, "code": code, "retry_after": 0}
        case DeclinedPayment(code):
            return {"charge": code}
