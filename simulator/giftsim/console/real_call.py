"""Calls of the simulated interfaces that pages make for the user, with credentials of the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.client.response import Response
from giftsim.console.control_client import ControlError, WorldControl


def real_call(
    world: WorldControl, method: str, path: str, body: Any, headers: Mapping[str, str], *, name: str = ""
) -> Any:
    """The JSON of a call that must succeed. With `name` it is idempotent under that key. Raise ControlError."""
    sent = {**headers, "Idempotency-Key": name} if name else dict(headers)
    try:
        response = world.control.raw(method, path, body, sent)
    except ConnectionError as error:
        raise ControlError(0, "no_response", str(error), {}) from None
    if response.status >= 400:
        raise _error(response)
    return response.json() if response.body else None


def new_name(described: Mapping[str, Any]) -> str:
    """An idempotency key that no call of the console has had in this world."""
    return f"console-{described['counts']['calls'] + 1}"


def _error(response: Response) -> ControlError:
    """The error of an answer: of the museum `{type, title}`, of the others `{error: {code, message}}`."""
    content = response.json()
    error = content.get("error") or {"code": content.get("type", ""), "message": content.get("title", "")}
    return ControlError(response.status, error["code"], f"{response.status} {error['message']}", {})
