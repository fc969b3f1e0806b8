"""The text of results: a line for each row, cut where it is long, because an assistant pays for each word."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Lines = list[str]  # a result of a tool, or a part of one; each is made fit for one line before it is sent
MOST_TEXT = 400  # characters of a body, or of a value
MOST_LINES = 60


def titled_block(title: str, rows: Iterable[str], empty: str = "") -> Lines:
    """A title and a line for each row. Without rows, the text for that."""
    lines = list(rows)
    return [f"{title}:", *(f"  {line}" for line in capped(lines))] if lines else [empty or f"{title}: none"]


def capped(lines: Sequence[str]) -> Lines:
    """The lines, or the first of too many with a line that counts the others."""
    more = len(lines) - MOST_LINES
    return list(lines) if more <= 0 else [*lines[:MOST_LINES], f"... and {more} more"]


def cut_value(value: object, most: int = MOST_TEXT) -> str:
    """A value as text on one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def named(name: str | None) -> str:
    """The name of a world, after its id; most have none."""
    return f" {cut_value(name, 60)!r}" if name else ""


def money(cents: int) -> str:
    """An amount."""
    return f"{cents / 100:.2f}"


def pairs(data: Mapping[str, Any]) -> str:
    """Members as `name=value`."""
    return " ".join(f"{name}={cut_value(value, 80)}" for name, value in data.items())


def call_line(call: Mapping[str, Any]) -> str:
    """A call: its number, when, what, with which credential, and how it was answered."""
    response, request = call["response"], call["request"]
    status = "no response (the connection was dropped)" if response is None else str(response["status"])
    code = "" if response is None else _code(response["body"])
    fault = f", changed by {call['fault']}" if call["fault"] else ""
    who = f" as {call['credential']}" if call["credential"] else ""
    return (
        f"call {call['seq']}  {call['at']}  {call['operation'] or '-'}  {request['method']} {request['path']}{who}"
        f" -> {status}{code}{fault}"
    )


def _code(body: str | None) -> str:
    try:
        error = json.loads(body or "")["error"]
        return f" {error['code']}: {cut_value(error.get('message', ''), 160)}"
    except (ValueError, TypeError, KeyError):
        return ""


def attempt_line(attempt: Mapping[str, Any]) -> str:
    """An attempt to deliver a webhook."""
    status = f" ({attempt['status']})" if attempt["status"] is not None else ""
    after = f", next attempt {attempt['next_attempt_at']}" if attempt.get("next_attempt_at") else ""
    fault = f", changed by {attempt['fault']}" if attempt.get("fault") else ""
    return (
        f"attempt {attempt['seq']}  {attempt['at']}  {attempt['type']} {attempt['event_id']} to {attempt['url']},"
        f" try {attempt['attempt']}: {attempt['outcome']}{status}{fault}{after}"
    )


def order_line(order: Mapping[str, Any]) -> str:
    """An order: its money and whose it is."""
    return (
        f"order {order['id']}  {order['created_at']}  {order['status']}  {cut_value(order['title'], 60)}"
        f"  total {money(order['total_cents'])} charged {money(order['charged_cents'])}"
        f" refunded {money(order['refunded_cents'])}  by {order['key'] or order['team_id']}"
    )


def change_lines(changes: Iterable[Mapping[str, Any]], name: Callable[[str], str]) -> Iterable[str]:
    """What a step changed: records by their names, with the members that say most."""
    for change in changes:
        members = {member: _change(value) for member, value in change.get("members", {}).items() if _is_plain(value)}
        yield f"{change['what']} {name(change['record'])} {cut_value(pairs(members), 200)}".rstrip()


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict) and not (isinstance(value, list) and any(map(_is_nested, value)))


def _is_nested(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _change(value: Any) -> Any:
    """A member that changed is a pair of its values."""
    return f"{value[0]}->{value[1]}" if isinstance(value, list) and len(value) == 2 else value
