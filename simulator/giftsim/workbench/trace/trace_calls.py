"""Calls as a trace shows them: request, response, the operation that they matched, and what came nearest to it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.control.call_names import CallNames
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.nearest_route import nearest_route
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import ClientCall, ControlCall
from giftsim.engine.provenance.record_json import cut_text
from giftsim.engine.webhooks.trace_context import TRACEPARENT, valid_traceparent
from giftsim.workbench.trace.playback import Input

LONGEST_TEXT, LONGEST_BYTES = 256 * 1024, 64 * 1024
IDEMPOTENCY_KEY = "idempotency_key"


class Calls:
    """The facts of calls. `operations` are those that were called, by their ids."""

    def __init__(
        self, simulated: Sequence[Interface], control: Interface, state: State, world_id: str, origin: str
    ) -> None:
        self.operations: dict[str, dict[str, Any]] = {}
        self._simulated, self._control = simulated, control
        self._names = CallNames(simulated, state, world_id)
        self._secrets = service_of(state).secret_table
        self._origin, self._world_id = origin, world_id

    def fill(self, stored: bytes) -> bytes:
        """Stored bytes with the origin and the world's id in place of their placeholders."""
        return fill_placeholders(stored, self._origin, self._world_id)

    def facts(self, _state: State, each: Input, call: ClientCall) -> dict[str, Any]:
        """A client's call; `response` is null if the connection was dropped."""
        entry = each.outcome.entry if each.outcome else None
        request = {
            "method": call.method,
            "path": call.path,
            "headers": self._secrets.redact_request_headers(call.headers),
            **body_members(call.body),
        }
        if entry is None:  # a claim page, whose answer is a page, or a call that is still held
            status = each.outcome.status if each.outcome else None
            return {"request": request, "response": None if status is None else {"status": status, "headers": {}}}
        response = {
            "status": entry.status,
            "headers": self._secrets.redact_response_headers(entry.typed_headers),
            **body_members(entry.answer if each.outcome and each.outcome.opaque else self.fill(entry.answer)),
        }
        interface, operation, credential = self._names.of(entry)
        more = {"seq": entry.seq, "operation": operation, "credential": credential, "fault": entry.fault}
        shown = {name: value for name, value in more.items() if value is not None}
        if interface is not None:
            shown |= self._matched(interface, operation, call)
        if call.assistant is not None:
            shown["assistant"] = True
        if (parent := valid_traceparent(dict(call.headers).get("Traceparent", ""))) is not None:
            shown[TRACEPARENT] = parent
        return shown | {"request": request, "response": None if entry.status is None else response}

    def _matched(self, name: str, operation_id: str | None, call: ClientCall) -> dict[str, Any]:
        """The interface, and the nearest route for a path that matches none."""
        interface = next(each for each in self._simulated if each.name == name)
        contract = interface.contract
        if operation_id is not None:
            self._note(interface, contract.operations[operation_id])
            return {"interface": name}
        path = call.path.partition("?")[0].removeprefix(contract.prefix)
        if match := contract.match(path):
            return {"interface": name, "near": f"{', '.join(match[0].methods)} {contract.prefix}{path}"}
        near = nearest_route(path, sorted({operation.template for operation in contract.operations.values()}))
        return {"interface": name} | ({"near": f"{contract.prefix}{near}"} if near else {})

    def control_facts(self, each: Input, call: ControlCall) -> dict[str, Any]:
        """A call of the control API; `status` if it was refused."""
        match = self._control.contract.match(f"/worlds/{each.world_id}{call.path.partition('?')[0]}")
        operation = match[0].operation(call.method) if match else None
        if operation is not None:
            self._note(self._control, operation)
        summary = operation.node["summary"] if operation else f"{call.method} {call.path}"
        status = each.outcome.status if each.outcome else None
        return {
            "summary": summary,
            **({"operation": operation.id} if operation else {}),
            "method": call.method,
            "path": call.path,
            **({"status": status} if status is not None else {}),
            **body_members(call.body),
        }

    def _note(self, interface: Interface, operation: Operation) -> None:
        if operation.id not in self.operations:
            whole: Sequence[str] = interface.contract.document.get("x-source", ())
            self.operations[operation.id] = {
                "interface": interface.name,
                "method": operation.method,
                "path": f"{interface.contract.prefix}{operation.template}",
                "summary": operation.node.get("summary", ""),
                "sources": list(operation.node.get("x-source", whole)),
            }


def body_members(raw: bytes) -> dict[str, Any]:
    """The member for a body: `body` as text, or `base64`. Of a long one only the beginning, and its `bytes`."""
    if not raw:
        return {}
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        if len(raw) > LONGEST_BYTES:
            return {"body": f"({len(raw):,} bytes)", "bytes": len(raw)}
        return {"base64": b64encode(raw).decode()}
    return {"body": text} if len(text) <= LONGEST_TEXT else {"body": cut_text(text, LONGEST_TEXT), "bytes": len(raw)}


def same_call(call: ClientCall) -> object:
    """What is the same for a write and its repetition, which may have another idempotency key; None for a read."""
    if call.method in ("GET", "HEAD"):
        return None
    try:
        data = msgspec.json.decode(call.body) if call.body else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        data = call.body
    if isinstance(data, Mapping):
        data = {name: member for name, member in data.items() if name != IDEMPOTENCY_KEY}
    return call.method, call.path, data if isinstance(data, bytes) else msgspec.json.encode(data)
