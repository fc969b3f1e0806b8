"""Arguments of tool calls by assistants."""

from __future__ import annotations

from itertools import count

from tests.support.team.clients import TEAM_CONTRACT

_NUMBERS = count(1)


def fresh_key(tool: str) -> dict[str, str]:
    """The argument with a fresh idempotency key, if the tool needs one."""
    operation = TEAM_CONTRACT.operations.get(tool)
    needs_key = operation is not None and operation.method != "GET" and operation.idempotency == "required"
    return {"idempotency_key": f"assistant-{next(_NUMBERS)}"} if needs_key else {}
