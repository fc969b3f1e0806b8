"""The middleware of a call, in one order for all interfaces (G13). Read the tuples at the end and you know the system.

Each middleware either calls `call_next(call)` or returns a response. Problems may be raised anywhere; `render_problems`
turns them into the documented error responses.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

from giftsim.gateway import call_logging, idempotency, json_body, parameter_parsing, rate_limits
from giftsim.gateway.call import NOT_LOGGED, Call, CallNext, ConnectionDropped, Response
from giftsim.gateway.execute import handle, transact
from giftsim.gateway.faults import injection
from giftsim.gateway.faults.table import FAULTS
from giftsim.gateway.nearest_route import INDEX_HINT, nearest_route
from giftsim.gateway.problem import Internal, InvalidJson, MethodNotAllowed, RouteNotFound
from giftsim.gateway.unknown_fields import STRICT_BODIES, find_unknown_fields
from giftsim.kernel.url_passwords import hide_url_passwords
from giftsim.problem import Problem
from giftsim.worlds import checkpoint, held_calls
from giftsim.worlds.problem import CallUndone


class Middleware(Protocol):
    """One step of a call."""

    def __call__(self, call: Call, /, call_next: CallNext) -> Response: ...


def lock_world(call: Call, call_next: CallNext) -> Response:
    """Lock the world, bring its clock up to date, log the call as an event, and give it a request id."""
    world = call.world
    with world.locked():
        world.catch_up()
        if checkpoint.is_due(world.runtime):
            checkpoint.write_in_background(call.registry)
        call.logged = call_logging.call_event(call)
        world.add_event(call.logged)
        call.request_id = world.next_request_id()
        observer = world.runtime.observer
        if observer is None:
            return call_next(call)
        before = observer.call_begins(world, call.header("Authorization"))
        try:
            return call_next(call)
        finally:
            call.effects = observer.call_ends(world, before)


def log_call(call: Call, call_next: CallNext) -> Response:
    """Write the call and its response into the world's call log; a dropped connection has no response."""
    try:
        response = call_next(call)
    except ConnectionDropped:
        call_logging.log_response(call, None)
        raise
    call_logging.log_response(call, response)
    return response


def render_problems(call: Call, call_next: CallNext) -> Response:
    """Turn every problem into the interface's documented error body, and a bug into a 500 without a traceback."""
    try:
        response = call_next(call)
    except ConnectionDropped:
        raise
    except Problem as problem:
        response = call.interface.refuse(call, problem)
    except Exception as error:  # noqa: BLE001 - the one place where a bug becomes a response
        call.registry.runtime.log_bug(call.request_id, error)
        response = call.interface.envelope(call, Internal("the simulator failed; its log has the request id"))
    rate_limits.add_headers(response, call)
    response.headers["X-Request-Id"] = call.request_id
    return response


def route(call: Call, call_next: CallNext) -> Response:
    """Find the operation. A 404 names the nearest known route, a 405 the methods of the path."""
    match = call.interface.contract.match(call.path)
    if match is None:
        raise RouteNotFound(_no_route(call))
    node, call.params = match
    call.matched_operation = node.operation(call.method)
    if call.matched_operation is None:
        methods = ", ".join(node.methods)
        call.headers["Allow"] = methods
        path = call.path[:200] if call.interface.echoes_input else "this path"
        raise MethodNotAllowed(f"{path} has {methods}, not {call.method}")
    return call_next(call)


def _no_route(call: Call) -> str:
    """The message of a 404, with the nearest route; it repeats the path only where the interface may."""
    contract = call.interface.contract
    near = nearest_route(call.path, sorted({operation.template for operation in contract.operations.values()}))
    way = f"did you mean {contract.prefix}{near}?" if near else INDEX_HINT
    place = hide_url_passwords(contract.prefix + call.path)[:200] if call.interface.echoes_input else "this path"
    return f"there is no operation at {place}; {way}"


def authenticate(call: Call, call_next: CallNext) -> Response:
    """Identify the caller; 401 without a valid credential."""
    call.caller = call.interface.authenticate(call)
    return call_next(call)


def limit_rate(call: Call, call_next: CallNext) -> Response:
    """Count the call, where the interface has rate limits; 429 when the key's window is full."""
    if call.interface.rate_limited:
        rate_limits.count(call)
    return call_next(call)


def inject_faults(call: Call, call_next: CallNext) -> Response:
    """Choose the fault for this call and apply what acts around the execution (G16)."""
    injection.choose_fault(call)
    return injection.inject(call, call_next) if call.effect else call_next(call)


def authorize(call: Call, call_next: CallNext) -> Response:
    """403 where the caller may not use the operation; it then learns nothing about the request (A2.2)."""
    call.interface.authorize(call)
    return call_next(call)


def check_idempotency_header(call: Call, call_next: CallNext) -> Response:
    """400 where the contract requires an Idempotency-Key header and it is missing, or where it is malformed."""
    idempotency.header_key(call)
    return call_next(call)


def parse_body(call: Call, call_next: CallNext) -> Response:
    """Parse the body as strict JSON, where the operation takes one. An empty optional body is `{}`."""
    if call.operation.body_schema is not None:
        if call.raw.strip():
            call.body = json_body.parse(call.raw)
        elif call.operation.body_required:
            raise InvalidJson("this operation requires a JSON object as its body, and the body is empty")
        else:
            call.body = {}
    return call_next(call)


def inject_magic_values(call: Call, call_next: CallNext) -> Response:
    """Apply the fault that a magic value of the body or query stands for, unless the call has a fault already."""
    if injection.MAGIC_HINT_BYTES not in call.raw and injection.MAGIC_HINT not in call.query_string:
        return call_next(call)
    return call_next(call) if call.effect else injection.inject_magic_value(call, call_next)


def authorize_body(call: Call, call_next: CallNext) -> Response:
    """403 where the body asks for more than the caller may have."""
    call.interface.authorize_body(call)
    return call_next(call)


def replay_idempotent(call: Call, call_next: CallNext) -> Response:
    """Replay the stored response of a known idempotency key; a key that is only bound continues with its record."""
    call.idempotency_key = idempotency.look_up(call)
    record = call.idempotency_key.row if call.idempotency_key else None
    if record and record.body is not None:
        return idempotency.replay(record, idempotency.hidden_members(call))
    call.bound_slot = record.subject if record else None
    return call_next(call)


def parse_query(call: Call, call_next: CallNext) -> Response:
    """Parse query parameters by the contract; 400 naming every invalid one."""
    parameter_parsing.parse_query(call)
    return call_next(call)


def parse_path(call: Call, call_next: CallNext) -> Response:
    """Parse path parameters by the contract and find the record that they name."""
    parameter_parsing.parse_path(call)
    call.interface.locate(call)
    return call_next(call)


def validate_body(call: Call, call_next: CallNext) -> Response:
    """Validate the body against its schema and the interface's own rules."""
    schema = call.operation.body_schema_for(call.interface.mode(call))
    if schema is not None:
        violations = schema.violations(call.body)
        strictable = call.interface.simulated and call.interface.can_refuse_unknown_fields
        if strictable and call.state.setting(STRICT_BODIES):
            violations += find_unknown_fields(schema.document, call.body)
        call.interface.validate_body(call, violations)
    return call_next(call)


def hold(call: Call, call_next: CallNext) -> Response:
    """Hold the call in flight under the fault `hold`: claim its idempotency key and release the world's lock.

    A released call is checked again, since the world may have changed: the key may be revoked, the order canceled, the
    world reset.
    """
    if not call.effect.get("hold"):
        return call_next(call)
    world, fault = call.world, injection.holding_fault(call)

    def is_held() -> bool:
        row = world.state[FAULTS].find("id", fault.id)
        return row is not None and row.n == fault.n  # another one may have its id by now

    name = call.idempotency_key.name if call.idempotency_key else None
    if name:
        world.busy_keys[name] = call.logged.n
    try:
        held_calls.hold(world, call.logged.n, fault.id, is_held)
    except CallUndone:
        name, call.logged = None, NOT_LOGGED
        raise
    finally:
        if name:
            world.busy_keys.pop(name, None)
    return handle_released_call(call)


def locate_again(call: Call, call_next: CallNext) -> Response:
    """Find the record that the path names, as it is now."""
    call.interface.locate(call)
    return call_next(call)


def compose(stack: tuple[Middleware, ...]) -> CallNext:
    """One function that runs a call through the middleware, first to last."""

    def end(_: Call) -> Response:
        raise RuntimeError("the last middleware must return a response")

    call_next: CallNext = end
    for middleware in reversed(stack):
        call_next = _bind(middleware, call_next)
    return call_next


def _bind(middleware: Middleware, call_next: CallNext) -> CallNext:
    return partial(middleware, call_next=call_next)  # unlike a function around it, it costs no frame


# A call of a simulated interface: team, partner or museum.
SIMULATED: tuple[Middleware, ...] = (
    lock_world,
    log_call,
    render_problems,
    route,
    authenticate,
    limit_rate,
    inject_faults,
    authorize,
    check_idempotency_header,
    parse_body,
    inject_magic_values,
    authorize_body,
    replay_idempotent,
    parse_query,
    parse_path,
    validate_body,
    hold,
    transact,
)

# The rest of a call that was held, once it is released.
RELEASED: tuple[Middleware, ...] = (
    authenticate,
    authorize,
    authorize_body,
    replay_idempotent,
    locate_again,
    validate_body,
    transact,
)

# A call of a simulated interface whose credential names no world.
UNKNOWN_WORLD: tuple[Middleware, ...] = (
    render_problems,
    route,
    authenticate,
)

# A call of the control API. Its handlers take the locks that they need.
CONTROL: tuple[Middleware, ...] = (
    render_problems,
    route,
    authenticate,
    parse_body,
    parse_query,
    parse_path,
    validate_body,
    handle,
)

handle_simulated_call = compose(SIMULATED)
handle_released_call = compose(RELEASED)
handle_unknown_world_call = compose(UNKNOWN_WORLD)
handle_control_call = compose(CONTROL)
