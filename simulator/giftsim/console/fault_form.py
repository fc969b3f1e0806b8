"""The form of a fault: the body that it means, and the fields that propose one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ANY_OPERATION = ""
TEXTS = ("from", "to")
WHOLE = ("first", "every")


class BadForm(Exception):
    """A field of the form is not what it should be; the message names it."""


def fault_body(form: Mapping[str, str]) -> dict[str, Any]:
    """The body of `POST /faults`. Empty fields say nothing. Raise BadForm."""
    fields = {name: value.strip() for name, value in form.items() if value.strip()}
    body: dict[str, Any] = {"effect": _effect(fields)}
    match = _match(fields)
    when = _when(fields)
    named = {"id": fields["id"]} if "id" in fields else {}
    return {**named, **body, **({"match": match} if match else {}), **({"when": when} if when else {})}


def _effect(fields: Mapping[str, str]) -> dict[str, Any]:
    name = fields.get("effect", "")
    if not name:
        raise BadForm("choose an effect")
    effect: dict[str, Any] = {name: _value(name, fields.get("value", ""))}
    if "code" in fields:
        effect["code"] = fields["code"]
    if "retry_after" in fields:
        effect["retry_after"] = _number("retry_after", fields["retry_after"])
    if "undocumented" in fields:
        effect["undocumented"] = True
    return effect


def _value(name: str, text: str) -> Any:
    if name == "hold":
        return True
    if not text:
        raise BadForm(f"{name} needs a value")
    if name == "status":
        return _number(name, text)
    if name == "delay_s":
        first, dots, last = text.partition("..")
        return {"from": _seconds(first), "to": _seconds(last)} if dots else _seconds(first)
    return text


def _match(fields: Mapping[str, str]) -> dict[str, str]:
    interface, _, operation = fields.get("target", "").partition(" ")
    members = {"interface": interface, "operation": operation}
    members |= {name: fields.get(name, "") for name in ("credential", "event", "host")}
    return {name: value for name, value in members.items() if value}


def _when(fields: Mapping[str, str]) -> dict[str, Any]:
    when: dict[str, Any] = {name: _number(name, fields[name]) for name in WHOLE if name in fields}
    when |= {name: fields[name] for name in TEXTS if name in fields}
    if "calls" in fields:
        when["calls"] = [_number("calls", part) for part in fields["calls"].replace(",", " ").split()]
    if "probability" in fields:
        when["probability"] = _seconds(fields["probability"], "probability")
    return when


def _number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadForm(f"{name} takes a whole number, not {text[:40]!r}") from None


def _seconds(text: str, name: str = "delay_s") -> float:
    try:
        return float(text)
    except ValueError:
        raise BadForm(f"{name} takes a number, not {text[:40]!r}") from None
