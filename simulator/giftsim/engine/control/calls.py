"""The call log of a world: client calls with their responses, as JSON and as scenarios, and usage counted from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from giftsim.engine.client.control import sent_path
from giftsim.engine.control.call_names import CallNames
from giftsim.engine.control.call_search import CLASSES, class_of, searchable_calls
from giftsim.engine.control.pagination import NEWEST, Rows, searched_page
from giftsim.engine.control.search import every
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.json_body import lossless_data
from giftsim.engine.gateway.secret_kinds import SecretTable
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import CallRecord, WorldConfig
from giftsim.engine.provenance.call_effects import effects_of_call
from giftsim.engine.worlds.world import World


def call_view(world: World, entry: CallRecord, names: CallNames, *, bodies: bool = True) -> dict[str, Any]:
    """A client call and its response, without secrets. `response` is null if the connection was dropped."""
    secrets = service_of(world.state).secret_table
    response = {
        "status": entry.status,
        "headers": secrets.redact_response_headers(entry.typed_headers),
        "body": _body_view(world, secrets, entry.answer) if bodies else None,
    }
    return {
        "seq": entry.seq,
        "at": format_instant(entry.at_ms),
        **names.of(entry)._asdict(),
        "request": {
            "method": entry.method,
            "path": secrets.redact(entry.path),
            "headers": secrets.redact_request_headers(entry.headers),
            "body": _body_view(world, secrets, entry.body) if bodies else None,
        },
        "response": None if entry.status is None else response,
        "fault": entry.fault,
        "note": entry.note,
    }


def _body_view(world: World, secrets: SecretTable, stored: bytes) -> str | None:
    """A body as text, or `(N bytes)` if it is not UTF-8."""
    if not stored:
        return None
    try:
        return secrets.redact(fill_placeholders(stored, world.runtime.origin, world.id).decode())
    except UnicodeDecodeError:
        return f"({len(stored)} bytes)"


SENT_HEADERS = ("idempotency-key", "x-sim-fault", "content-type")
JSON = "application/json"
_UNPRINTABLE = re.compile(r"[^ -~\n]")


def call_scenario(view: Mapping[str, Any], config: WorldConfig) -> str:
    """A scenario in YAML that makes the call of a view in a new world, and expects the status it got."""
    step = _step(view)
    document: dict[str, Any] = {
        "scenario": f"Call {view['seq']}: {view['operation'] or step['call']}",
        **({"fixture": config.fixture} if isinstance(config.fixture, str) and "/" not in config.fixture else {}),
        "seed": config.seed,
        "now": format_instant(config.now_ms),
    }
    head = [f"{name}: {_yaml(value)}" for name, value in document.items()]
    members = [f"{name}: {_yaml(value)}".replace("\n", "\n    ") for name, value in step.items()]
    return "\n".join([*head, "steps:", "  - " + "\n    ".join(members)]) + "\n"


def _step(view: Mapping[str, Any]) -> dict[str, Any]:
    request, response = view["request"], view["response"]
    step: dict[str, Any] = {"call": f"{request['method']} {sent_path(request['path'])}"}
    if view["credential"] is not None:
        step["as"] = view["credential"]
    headers = {name: value for name, value in request["headers"].items() if _is_needed(name, value)}
    if headers:
        step["headers"] = headers
    if request["body"] is not None:
        data = lossless_data(request["body"].encode())
        step["body"] = request["body"] if data is None else data
    return {**step, "expect": {"connection": "lost"} if response is None else {"status": response["status"]}}


def _is_needed(name: str, value: str) -> bool:
    return name.lower() in SENT_HEADERS and (name.lower(), value) != ("content-type", JSON)


def _yaml(value: Any) -> str:
    """The value as JSON, which is YAML too if no character in it is a line break or a control character."""
    text = msgspec.json.format(msgspec.json.encode(_without_variables(value)), indent=2).decode()
    return _UNPRINTABLE.sub(lambda match: match[0] if match[0].isprintable() else _escaped(ord(match[0])), text)


def _escaped(code: int) -> str:
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


def _without_variables(value: Any) -> Any:
    """The value as a scenario has it, in which `${` begins a variable."""
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, dict):
        return {name: _without_variables(member) for name, member in value.items()}
    return [_without_variables(item) for item in value] if isinstance(value, list) else value


ANY = "*"

Keep = Callable[[CallRecord], bool]


def list_calls(call: Call) -> Response:
    """List the calls in the log."""
    world = call.world
    with current_state(world) as state:
        log, names = world.calls.log, _names(call, state)
        if call.query["after"] is not None and call.query["order"] != NEWEST:
            log.check_kept(call.query["after"])
        entries = list(log.entries)
        rows = Rows(log.next_seq - 1, lambda seq: entries[seq - log.dropped - 1], log.dropped + 1)
        return searched_page(
            call,
            "calls",
            rows,
            partial(call_view, world, names=names, bodies=call.query["bodies"]),
            searchable_calls(call, state, names),
            keep=every([*_filters(call.query, names)]),
            status=class_of,
            statuses=CLASSES,
            dropped=log.dropped,
        )


def get_call(call: Call) -> Response:
    """Read a call."""
    with current_state(call.world) as state:
        entry = call.world.calls.log.find(call.params["seq"])
        return Response(200, call_view(call.world, entry, _names(call, state)))


def get_call_scenario(call: Call) -> Response:
    """Read a call as a scenario."""
    with current_state(call.world) as state:
        entry = call.world.calls.log.find(call.params["seq"])
        view = call_view(call.world, entry, _names(call, state))
        text = call_scenario(view, call.world.config)
    return Response(200, text.encode(), content_type="application/yaml", opaque=True)


def get_call_effects(call: Call) -> Response:
    """Read what a call changed."""
    world = call.world
    with current_state(world) as state:
        entry = world.calls.log.find(call.params["seq"])
        return Response(200, effects_of_call(world, state, entry.seq))


def _names(call: Call, state: State) -> CallNames:
    return CallNames(services_of(call).simulated(), state, call.world.id)


def _filters(query: Mapping[str, Any], names: CallNames) -> Iterator[Keep]:
    """The conditions of a query beside its search and its status."""
    if (fault := query["fault"]) is not None:
        yield lambda entry: entry.fault is not None and fault in (ANY, entry.fault)
    if (credential := query["credential"]) is not None:
        yield lambda entry: names.credential(entry) == credential
    if query["interface"] is not None or query["operation"] is not None:
        wanted = query["interface"], query["operation"]
        yield lambda entry: all(one in (None, own) for one, own in zip(wanted, names.operation(entry), strict=True))


class UsageCount(msgspec.Struct):
    """How often one credential called one operation."""

    calls: int = 0
    refused: int = 0
    last_ms: int = 0

    def count(self, entry: CallRecord) -> None:
        """Add one call."""
        self.calls += 1
        self.refused += entry.status is not None and entry.status >= 400
        self.last_ms = entry.at_ms


def get_usage(call: Call) -> Response:
    """Count the calls in the log by credential and operation."""
    world = call.world
    with current_state(world) as state:
        log, counts = world.calls.log, dict[tuple[str | None, ...], UsageCount]()
        names = CallNames(services_of(call).simulated(), state, world.id)
        for entry in log.entries:
            interface, operation, credential = names.of(entry)
            counts.setdefault((credential, interface, operation), UsageCount()).count(entry)
        usage = [_usage_row(key, count) for key, count in counts.items()]
        since = log.entries[0].seq if log.entries else None
        return Response(200, {"usage": usage, "calls": state.meters.get("calls", 0), "since": since})


def _usage_row(key: tuple[str | None, ...], count: UsageCount) -> dict[str, Any]:
    credential, interface, operation = key
    return {
        "credential": credential,
        "interface": interface,
        "operation": operation,
        "calls": count.calls,
        "refused": count.refused,
        "last_at": format_instant(count.last_ms),
    }
