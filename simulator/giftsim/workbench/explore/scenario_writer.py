"""Turns a plan into a scenario, which is both run and written to a file."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec

from giftsim.services.gifting.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.workbench.app.instances import INSTANCE, RESTART
from giftsim.workbench.app.protocol import (
    AGAIN_AND_AGAIN,
    CREDENTIAL,
    HOST,
    OPERATIONS,
    RECIPIENT,
    AppProtocol,
    order_request,
    partner_order,
)
from giftsim.workbench.explore.acts import act_body, email
from giftsim.workbench.explore.books import books_step
from giftsim.workbench.explore.failures import Wrong
from giftsim.workbench.explore.plan import (
    ORDER_OPERATION,
    Action,
    AppAct,
    CallFault,
    DeclinedPayment,
    FailedAttempt,
    FurtherAction,
    LostConnection,
    NewSecret,
    OrderRequest,
    OtherEvents,
    OtherInstance,
    Outage,
    Plan,
    PriceChange,
    Rehearsed,
    Restart,
    TemporaryError,
    Wait,
    WebhookFault,
    needs_two,
)
from giftsim.workbench.explore.subscription import endpoint_steps, new_secret_steps, other_event_steps
from giftsim.workbench.recording.yaml_writer import scenario_text

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
    path.write_text(content, encoding="utf-8", newline="\n")
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
OUTAGE_STATUS = 503
ORDER_PATH = "POST /api/external/team-orders"
SOON, LATE = "2h", "708h"  # in which a recipient claims; the link is good for 720 hours
RECEIVER_RESPONSES: dict[str, dict[str, Any]] = {
    "503": {"status": 503},
    "timeout": {"timeout": True},
    "reset": {"reset": True},
}

CALL_FAULTS: dict[str, dict[str, Any]] = {
    "after": {"drop": "after"},
    "before": {"drop": "before"},
    "429": {"status": 429, "code": "rate_limited", "retry_after": 0},
}
STARTS = {
    "month end": "2027-02-01T02:00:00Z",
    "clocks back": "2026-10-31T20:00:00Z",
    "leap day": "2028-02-28T20:00:00Z",
}
APPROVERS = {"approve": ("approve", "2h"), "reject": ("reject", "2h"), "late": ("approve", "72h")}

# Where the call of the first of two instances waits for the other one: where the service acts.
HELD_AT = {name: operations[0] for name, operations in OPERATIONS.items() if operations} | {"pay": ORDER_OPERATION}

# After these there is nothing to check yet: a check would only use up the failures of calls that were just prepared.
PREPARING = (
    LostConnection | TemporaryError | DeclinedPayment | CallFault | WebhookFault | FailedAttempt | Outage | PriceChange
)

Document = dict[str, Any]


def plan_scenario(
    plan: Plan,
    protocol: AppProtocol,
    *,
    seed: int,
    title: str = "explored",
    delivered: str | None = None,
    wrong: Wrong | None = None,
    checked: bool = True,
) -> Document:
    """The scenario of a plan; it expects the last webhook of type `delivered`, if given, to reach the app.

    If it is `checked`, it checks the app after each step in which something happened, if that is cheap. With `wrong` it
    has only what leads there, and that check.
    """
    steps = _action_steps(plan, protocol, wrong, checked=checked and wrong is None and protocol.cheap_check)[0]
    settings = {
        "webhooks.forward_timeout_s": min(protocol.timeout_s, MAX_WEBHOOK_TIMEOUT_S),
        **(FAST_LEAD_TIMES if plan.fast else {}),
    }
    document: Document = {"scenario": title, "seed": seed, "app": protocol.app, "settings": settings}
    if plan.start:
        document["now"] = STARTS[plan.start]
    if actors := _actors(plan, protocol):
        document["actors"] = actors
    last = _final_steps(protocol, delivered) if wrong is None else _wrong_steps(protocol, wrong)
    return {**document, "steps": steps + last}


def action_ends(plan: Plan, protocol: AppProtocol, *, checked: bool = True) -> list[int]:
    """After how many steps of its scenario each action of a plan is done; see `plan_scenario` for `checked`."""
    return _action_steps(plan, protocol, None, checked=checked and protocol.cheap_check)[1]


def action_begins(plan: Plan, protocol: AppProtocol) -> list[int]:
    """After how many steps of a scenario without checks each action of a plan begins, and then the end."""
    return [_builder(plan, protocol).setup_steps, *action_ends(plan, protocol, checked=False)]


def _action_steps(
    plan: Plan, protocol: AppProtocol, wrong: Wrong | None, *, checked: bool
) -> tuple[list[Document], list[int]]:
    builder, ends = _builder(plan, protocol), []
    actions = supported_plan(plan, protocol).actions
    for number, action in enumerate(actions[: wrong.step if wrong else None], 1):
        builder.add(action)
        if checked and not isinstance(action, PREPARING):
            builder.steps.append(_check(protocol, number))
        ends.append(len(builder.steps))
    return builder.steps, ends


def _builder(plan: Plan, protocol: AppProtocol) -> ScenarioBuilder:
    return ScenarioBuilder(protocol, plan.destination, doubled=needs_two(plan))


def _actors(plan: Plan, protocol: AppProtocol) -> list[Document]:
    """The people who act without steps."""
    if not protocol.actions:
        return [_claiming("bo", RECIPIENT["email"], SOON)] if plan.destination == "link" else []
    people = [_claiming("anybody", "any", LATE if plan.destination == "late" else SOON)]
    if plan.destination == "apart":
        people += [_claiming(reference, email(reference, 1), LATE) for reference in ("order-1", "order-2")]
    if protocol.has_team:
        decides, after = APPROVERS[plan.approver]
        people.append({"id": "boss", "approver": "any", "decides": decides, "after": after, "optional": True})
    return people


def _claiming(name: str, recipient: str, after: str) -> Document:
    return {"id": name, "recipient": recipient, "claims": after, "optional": True}


def supported_plan(plan: Plan, protocol: AppProtocol) -> Plan:
    """The plan without problems of placing orders if the app places none, and with what was asked for before."""
    order_problems = LostConnection | TemporaryError | DeclinedPayment
    asked: dict[int, int] = {}
    kept: list[Action | FurtherAction] = []
    for action in plan.actions:
        if isinstance(action, OrderRequest):
            first = asked.setdefault(action.number, action.recipients)  # the same intent has the same recipients
            kept.append(msgspec.structs.replace(action, recipients=first))
        elif isinstance(action, AppAct) and action.action in ("cancel", "pay"):
            if action.number in asked:
                kept.append(msgspec.structs.replace(action, part=action.part and asked[action.number] > 1))
        elif protocol.do is not None or not isinstance(action, order_problems):
            kept.append(action)
    return msgspec.structs.replace(plan, actions=tuple(kept))


def _check(protocol: AppProtocol, step: int | None = None) -> Document:
    query = "" if step is None else f"?{AGAIN_AND_AGAIN}={step}"
    return {"app": f"GET {protocol.check}{query}", "expect": {"status": 200, "body": {"ok": True}}}


def _wrong_steps(protocol: AppProtocol, wrong: Wrong) -> list[Document]:
    """The check that fails after a step: that of the service's books, or that of the app."""
    return [books_step(wrong.email)] if wrong.email is not None else [_check(protocol, wrong.step)]


def _final_steps(protocol: AppProtocol, delivered: str | None) -> list[Document]:
    advance: Document = {"advance": {"until": "idle"}}
    if delivered is not None:
        advance["expect"] = {"deliveries": {"type": delivered, "last": "delivered"}}
    return [advance] if protocol.check is None else [advance, _check(protocol)]


class ScenarioBuilder:
    """Turns actions into steps; tracks the hours that passed and the current receiver."""

    def __init__(self, protocol: AppProtocol, destination: str, *, doubled: bool = False) -> None:
        self.protocol, self.destination = protocol, destination
        self.hours = self.secrets = self.pairs = 0
        self._to = "${app}"
        self.receiver: Document = {"host": HOST, "to": self._to}
        self.steps: list[Document] = [
            {"receiver": self.receiver},
            *endpoint_steps(protocol),
            {"app": f"POST {protocol.start}", "body": protocol.start_body_template()},
            *[{"app": INSTANCE} for _ in ("there", "back") if doubled],  # so that both run before anything happens
        ]
        self.setup_steps = len(self.steps)

    def add(self, action: Action | FurtherAction) -> None:
        """Add the steps of an action."""
        match action:
            case OrderRequest(both=True) | AppAct(both=True):
                self.steps += self._at_once(action)
            case OrderRequest() | AppAct():
                self.steps.append(self._act(action))
            case Wait(hours):
                self.hours += hours
                self.steps += [{"advance": f"{hours}h"}, *self._told_time()]
            case Outage(hours):
                span = {"from": f"+{self.hours}h", "to": f"+{self.hours + hours}h", "status": OUTAGE_STATUS}
                self._configure_receiver({"outage": span, "optional": True})
            case FailedAttempt(how, times):
                self._configure_receiver({"script": [RECEIVER_RESPONSES[how]] * times, "optional": True})
            case PriceChange(cents):
                self.steps.append({"simulate": "price", "with": {"product": "mug-01", "price_cents": cents}})
            case Rehearsed(name, number):
                about = {"team_order_id": FIRST_ORDER - 1 + number}
                self.steps.append({"rehearse": name, "with": about, "optional": True})
            case OtherEvents():
                self.steps += other_event_steps(self.protocol)
            case Restart():
                self.steps.append({"app": RESTART})
            case OtherInstance():
                self.steps.append({"app": INSTANCE, "save": {"instance": "$.url"}})
                self._to = "${instance}"
                self._configure_receiver({})
            case NewSecret():
                self.secrets += 1
                self.steps += new_secret_steps(self.protocol, self.secrets)
            case _:
                self.steps.append({"fault": _fault(action)})

    def _told_time(self) -> list[Document]:
        if not self.protocol.is_told_time:
            return []
        now = {"action": "clock", "reference": f"clock-{self.hours}", "now": f"${{start+{self.hours}h}}"}
        return [{"app": f"POST {self.protocol.do}", "body": now}]

    def _at_once(self, action: OrderRequest | AppAct) -> list[Document]:
        """Ask one instance, ask the other one while the first one's call is held, then release the call."""
        self.pairs += 1
        here, there = (f"{where}-{self.pairs}" for where in ("here", "there"))
        name = action.action if isinstance(action, AppAct) else "order"
        match = {"match": {"operation": HELD_AT[name]}} if name in HELD_AT else {}
        held = {"id": here, **match, "when": {"first": 1}, "effect": {"hold": True}, "optional": True}
        asked = self._act(action)
        first, other = ({**asked, "background": name} for name in (here, there))
        switch: Document = {"app": INSTANCE}
        return [
            {"fault": held},
            first,
            switch,
            other,
            switch,
            {"fault": {"clear": here}},
            {"await": here},
            {"await": there},
        ]

    def _act(self, action: OrderRequest | AppAct) -> Document:
        if self.protocol.actions:
            return {"app": f"POST {self.protocol.do}", "body": self._asked(act_body(action, self.destination))}
        return self._order(action.number)

    def _asked(self, body: Document) -> Document:
        """What the app is asked, by the name that it knows."""
        return body | {"action": self.protocol.name_of(body["action"])}

    def _order(self, number: int) -> Document:
        if self.protocol.do is not None:
            return {"app": f"POST {self.protocol.do}", "body": order_request(number, self.destination)}
        return {"call": ORDER_PATH, "as": CREDENTIAL, "body": partner_order(number, self.destination)}

    def _configure_receiver(self, members: Document) -> None:
        """Change the receiver: in the first step while no action has a step, else in a new step."""
        if len(self.steps) == self.setup_steps:
            self.receiver.update(members)
        else:
            outage = {"outage": self.receiver["outage"], "optional": True} if "outage" in self.receiver else {}
            self.receiver = {"host": HOST, "to": self._to, **outage, **members}
            self.steps.append({"receiver": self.receiver})


def _fault(action: LostConnection | TemporaryError | DeclinedPayment | WebhookFault | CallFault) -> Document:
    when = {"first": action.times}
    if isinstance(action, CallFault):
        how = CALL_FAULTS[action.how]
        return {"match": {"operation": action.operation}, "when": when, "effect": how, "optional": True}
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
