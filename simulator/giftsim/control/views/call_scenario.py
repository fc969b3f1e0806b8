"""One logged call as a scenario of its own, to begin a test from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from giftsim.event_log.config import WorldConfig
from giftsim.kernel.instants import format_instant

SENT_HEADERS = ("idempotency-key", "x-sim-fault", "content-type")
JSON = "application/json"


def call_scenario(view: Mapping[str, Any], config: WorldConfig) -> str:
    """A scenario in YAML that makes the call of a view in a new world, and expects the status it got."""
    step = _step(view)
    document: dict[str, Any] = {
        "scenario": f"Call {view['seq']}: {view['operation'] or step['call']}",
        **({"fixture": config.fixture} if isinstance(config.fixture, str) and "/" not in config.fixture else {}),
        "seed": config.seed,
        "now": format_instant(config.now_ms),
    }
    head = [f"{name}: {_json(value)}" for name, value in document.items()]
    members = [f"{name}: {_json(value)}".replace("\n", "\n    ") for name, value in step.items()]
    return "\n".join([*head, "steps:", "  - " + "\n    ".join(members)]) + "\n"


def _step(view: Mapping[str, Any]) -> dict[str, Any]:
    request, response = view["request"], view["response"]
    step: dict[str, Any] = {"call": f"{request['method']} {request['path']}"}
    if view["credential"] is not None:
        step["as"] = view["credential"]
    headers = {name: value for name, value in request["headers"].items() if _is_needed(name, value)}
    if headers:
        step["headers"] = headers
    if request["body"] is not None:
        step["body"] = _body(request["body"])
    return {**step, "expect": {"connection": "lost"} if response is None else {"status": response["status"]}}


def _is_needed(name: str, value: str) -> bool:
    return name.lower() in SENT_HEADERS and (name.lower(), value) != ("content-type", JSON)


def _body(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _json(value: Any) -> str:
    """The value as JSON, which is YAML too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
