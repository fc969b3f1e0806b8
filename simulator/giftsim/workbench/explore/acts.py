"""What explore asks of an app that says what it can do: the bodies of `do`, one for each action and number.

Each intent has its own recipients. Their addresses identify in the service's books what it did.
"""

from __future__ import annotations

from typing import Any

from giftsim.workbench.app.protocol import ADDRESS, order_members
from giftsim.workbench.explore.plan import Action, AppAct, FurtherAction, OrderRequest

MAKES = {"order": "order", "gift": "gift", "campaign": "campaign"}  # actions that make recipients
PLACES = ("", "-second")
NAMES = ("Bo", "Zoë")


def act_body(action: OrderRequest | AppAct, destination: str) -> dict[str, Any]:
    """The body of the call that asks the app for something."""
    match action:
        case OrderRequest(number, count):
            people = [person(f"order-{number}", place, destination) for place in range(count)]
            return {"action": "order", **order_members(f"order-{number}", people)}
        case AppAct("cancel", number, part):
            some = {"recipients": [email(f"order-{number}", 1)]} if part else {}
            return {"action": "cancel", "reference": f"order-{number}", **some}
        case AppAct("pay", number):
            return {"action": "pay", "reference": f"order-{number}"}
        case AppAct(name, number):
            return {"action": name, "reference": f"{name}-{number}", **_members(name, f"{name}-{number}")}


def _members(name: str, reference: str) -> dict[str, Any]:
    match name:
        case "gift":
            return {"recipient": person(reference, 0), "item": "mug-01"}
        case "campaign":
            people = [person(reference, place) for place in range(len(PLACES))]
            return {"name": reference, "collection": "welcome-kit", "recipients": people}
        case "rule":
            return {"name": reference, "kind": "birthday", "person": _employee(reference), "budget_cents": 6000}
        case _:
            return {"email": email(reference, 0), "date": "${start_date}"}


def _employee(reference: str) -> dict[str, Any]:
    return {"email": email(reference, 0), "first_name": NAMES[0], "birthday": "01-06"}


def person(reference: str, place: int, destination: str = "link") -> dict[str, Any]:
    """A recipient of an intent, with an address if the gift goes to it."""
    address = {"address": ADDRESS} if destination == "address" else {}
    return {"name": NAMES[place], "email": email(reference, place), **address}


def email(reference: str, place: int) -> str:
    """The address of a recipient, which no other intent has."""
    return f"{reference}{PLACES[place]}@example.com"


def emails_made(actions: tuple[Action | FurtherAction, ...]) -> list[str]:
    """The address of the first recipient of each intent that makes some, in order."""
    made: dict[str, None] = {}
    for action in actions:
        if isinstance(action, OrderRequest):
            made[email(f"order-{action.number}", 0)] = None
        elif isinstance(action, AppAct) and action.action in MAKES:
            made[email(f"{action.action}-{action.number}", 0)] = None
    return list(made)
