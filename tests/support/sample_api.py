"""A small API for unit tests of the gateway: one contract, handlers that return what they got, and calls to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from giftsim.engine.definitions import DEFINITIONS
from giftsim.engine.gateway.call import Call, Interface, Response
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.simulated_service import SERVICES
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.signals import connect
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.services.known import merged_service

PREFIX = "/sample/v1"
THING = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "maxLength": 40}, "count": {"type": "integer", "minimum": 1}},
    "x-code": "invalid_thing",
}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}
KIND = {"name": "kind", "in": "query", "schema": {"enum": ["mug", "card"], "x-code": "invalid_kind"}}
OPTIONAL_BODY = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}
JSON_BODY = {**OPTIONAL_BODY, "required": True}
RESPONSES = {"200": {"description": "OK"}, "503": {"description": "Unavailable", "x-codes": ["unavailable"]}}


def operation(operation_id: str, **members: Any) -> dict[str, Any]:
    """An operation node of the contract; an `x_name` argument is the member `x-name`."""
    extensions = {name.replace("x_", "x-", 1): value for name, value in members.items()}
    return {"operationId": operation_id, "responses": RESPONSES, **extensions}


def document(**paths: Any) -> dict[str, Any]:
    """The contract document, with other paths where they are given."""
    return {
        "servers": [{"url": PREFIX}],
        "paths": paths.get("paths")
        or {
            "/things": {
                "get": operation("listThings", parameters=[LIMIT, KIND]),
                "post": operation("createThing", requestBody=OPTIONAL_BODY, x_idempotency="body"),
            },
            "/things/{id}": {
                "get": operation("getThing", parameters=[ID]),
                "put": operation("changeThing", parameters=[ID], requestBody=JSON_BODY, x_idempotency="optional"),
            },
            "/things/{id}/copies": {
                "post": operation(
                    "copyThing", parameters=[ID, LIMIT, KIND], requestBody=JSON_BODY, x_idempotency="required"
                ),
            },
        },
        "components": {"schemas": {"Thing": THING}},
    }


class Caller(NamedTuple):
    """A caller by name."""

    name: str
    plan: str = "starter"

    @property
    def scope(self) -> str:
        """The name is the scope of idempotency keys."""
        return self.name

    @property
    def bucket(self) -> str:
        """The name is the rate-limit bucket."""
        return self.name


def echo(call: Call) -> Response:
    """A handler that returns what the middleware found out about the call."""
    return Response(
        200, {"operation": call.operation.id, "params": call.params, "query": call.query, "body": call.body}
    )


def error_response(_call: Call, problem: Problem) -> Response:
    """Status, code and message of a problem."""
    return Response(problem.status, {"code": problem.details.get("code") or problem.code, "message": problem.message})


def sample_interface(handlers: Mapping[str, Callable[[Call], Response]] | None = None, **fields: Any) -> Interface:
    """The interface of the sample API; handlers not given are `echo`."""
    contract = Contract(document())
    return Interface(
        **{
            "name": "sample",
            "contract": contract,
            "handlers": dict.fromkeys(contract.operations, echo) | dict(handlers or {}),
            "credential_world_id": lambda call: call.header("X-World"),
            "authenticate": lambda call: Caller(call.header("X-Caller") or "ada"),
            "envelope": error_response,
            **fields,
        }
    )


def gateway_state(seed: int = 1, now_ms: int = 0) -> State:
    """A state with the gateway's definitions alone, which knows the services."""
    services = PackageDefinitions(connections=(connect(SERVICES, merged_service()),))
    return State(merge_definitions(DEFINITIONS, services).compiled(), seed, now_ms)


def make_call(
    method: str = "GET", path: str = "/things", query: str = "", *, raw: bytes = b"", state: State | None = None,
    caller: str = "ada", interface: Interface | None = None, **headers: str,
) -> Call:  # fmt: skip
    """A call that is routed and authenticated. Header names are written with `_` for `-`."""
    interface = interface or sample_interface()
    environ = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    world: Any = SimpleNamespace(id="w1", state=state or gateway_state(), calls=SimpleNamespace(busy_keys={}))
    registry: Any = SimpleNamespace()
    call = Call(method, path, query, environ, raw, interface, registry, world, world.state, caller=Caller(caller))
    if match := interface.contract.match(path):
        node, call.params = match
        call.matched_operation = node.operations.get(method)
    return call
