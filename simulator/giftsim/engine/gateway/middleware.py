"""The middleware of a call, in one order for all interfaces (G13). Read the tuples at the end and you know the system.

The functions of OUTER wrap every call; each calls `call_next`. For each operation, a step returns a check, or None if
the operation needs none. A check returns a response, which ends the call, or None. Problems may be raised anywhere;
`render_problems` turns them into the documented error responses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from giftsim.engine.gateway import call_logging, idempotency, json_body, parameter_parsing, rate_limits
from giftsim.engine.gateway.body_schema import LINE_ENDS
from giftsim.engine.gateway.call import (
    NOT_LOGGED,
    Call,
    CallNext,
    ConnectionDropped,
    Interface,
    Response,
    allow,
    no_mode,
)
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.execute import Around, Check, Stack, handle, transact
from giftsim.engine.gateway.faults import injection
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.ignored_members import STRICT_BODIES, STRICT_NULLS, find_unknown_fields, without_nulls
from giftsim.engine.gateway.json_body import STRICT_CONTENT_TYPE
from giftsim.engine.gateway.nearest_route import INDEX_HINT, extra_slashes, nearest_route
from giftsim.engine.gateway.other_readings import read_otherwise
from giftsim.engine.gateway.problem import Internal, InvalidJson, MethodNotAllowed, RouteNotFound
from giftsim.engine.kernel.url_passwords import hide_url_passwords
from giftsim.engine.problem import Problem
from giftsim.engine.worlds.world_calls import BusyKey
from giftsim.engine.worlds.world_errors import CallUndone


def lock_world(call_next: CallNext, call: Call) -> Response:
    """Lock the world, bring its clock up to date, log the call as an event, and give it a request id."""
    world = call.world
    with world as call.state:
        world.clock.catch_up()
        if world.runtime.is_checkpoint_due():
            _write_checkpoints(call)
        call.logged = call_logging.call_event(call)
        world.add_event(call.logged)
        call.request_id = world.next_request_id()
        observer = world.runtime.observer
        try:
            if observer is None:
                return call_next(call)
            before = observer.call_begins(world, call.header("Authorization"))
            try:
                return call_next(call)
            finally:
                call.effects = observer.call_ends(world, before)
        finally:
            if world.calls.continued:
                from giftsim.engine.worlds import checkpoint

                checkpoint.write_after(world)


def write_checkpoints_when_due(call_next: CallNext, call: Call) -> Response:
    """Write checkpoints when they are due, also where a world has calls of the control API only."""
    if call.registry.runtime.is_checkpoint_due():
        _write_checkpoints(call)
    return call_next(call)


def _write_checkpoints(call: Call) -> None:
    from giftsim.engine.worlds import checkpoint  # only a process with a journal file writes checkpoints

    checkpoint.write_in_background(call.registry)


def log_call(call_next: CallNext, call: Call) -> Response:
    """Write the call and its response into the world's call log; a dropped connection has no response."""
    try:
        response = call_next(call)
    except ConnectionDropped:
        call_logging.log_response(call, None)
        raise
    if call.state.setting_values:
        try:
            read_otherwise(call, response)
        except Exception as error:  # noqa: BLE001
            response = failed(call, error)
    call_logging.log_response(call, response)
    return response


def render_problems(call_next: CallNext, call: Call) -> Response:
    """Turn every problem into the interface's documented error body, and a bug into a 500 without a traceback."""
    try:
        response = call_next(call)
    except ConnectionDropped:
        raise
    except Problem as problem:
        response = call.interface.refuse(call, problem)
        problem.__traceback__ = None  # else its frames and it keep each other, until the garbage collector comes
    except Exception as error:  # noqa: BLE001
        response = failed(call, error)
    rate_limits.add_headers(response, call)
    response.headers["X-Request-Id"] = call.request_id
    return response


def failed(call: Call, error: Exception) -> Response:
    """The response in place of the one that a bug prevented (G348)."""
    call.registry.runtime.log_bug(call.request_id, error)
    response = call.interface.envelope(call, Internal("the simulator failed; its log has the request id"))
    response.headers["X-Request-Id"] = call.request_id
    return response


def route(stack: Stack, call: Call) -> Response:
    """Find the operation, and pass its steps. A 404 names the nearest known route, a 405 the methods of the path."""
    match = call.interface.contract.match(call.path) if call.base is None else None
    if match is None:
        raise RouteNotFound(_no_route(call))
    node, call.params = match
    operation = node.operation(call.method)
    if operation is None:
        methods = ", ".join(node.methods)
        call.headers["Allow"] = methods
        path = call.path[:200] if call.interface.echoes_input else "this path"
        raise MethodNotAllowed(f"{path} has {methods}, not {call.method}")
    call.operation = operation
    return stack.plan(call)(call)


def _no_route(call: Call) -> str:
    """The message of a 404, with the nearest route; it repeats the path only where the interface may."""
    contract = call.interface.contract
    path = hide_url_passwords((contract.prefix if call.base is None else call.base) + call.path)
    near = nearest_route(call.path, sorted({operation.template for operation in contract.operations.values()}))
    way = f"did you mean {contract.prefix}{near}?" if near else INDEX_HINT
    repeats = call.interface.echoes_input
    place = path[:200] if repeats else "this path"
    return f"there is no operation at {place}; {extra_slashes(path, repeats=repeats)}{way}"


def authenticate(interface: Interface, _: Operation) -> Check:
    """Identify the caller; 401 without a valid credential."""

    def identify(call: Call) -> None:
        call.caller = interface.authenticate(call)

    return identify


def limit_rate(interface: Interface, _: Operation) -> Check | None:
    """Count the call, where the interface has rate limits; 429 when the key's window is full."""
    return rate_limits.count if interface.rate_limited else None


def inject_faults(_: Interface, __: Operation) -> Around:
    """Choose the fault for a call and apply what acts around the execution (G16)."""
    return Around(injection.inject_chosen)


def authorize(interface: Interface, _: Operation) -> Check:
    """403 where the caller may not use the operation; it then learns nothing about the request (A2.2)."""
    return interface.authorize


def check_idempotency_header(_: Interface, operation: Operation) -> Check | None:
    """400 where the contract requires an Idempotency-Key header and it is missing, or where it is malformed."""
    return idempotency.check_header if idempotency.takes_header(operation) else None


def parse_body(_: Interface, operation: Operation) -> Check | None:
    """Parse the body as strict JSON, where the operation takes one. An empty optional body is `{}`.

    A member that is null and may not be counts as absent (G188).
    """
    return _parse_body if operation.body_schema is not None else None


def _parse_body(call: Call) -> None:
    if call.raw.strip():
        if call.interface.simulated and STRICT_CONTENT_TYPE.name in call.state.setting_values:
            _check_content_type(call)
        call.body, call.canonical = json_body.parse_with_canonical(call.raw)
        if b"null" in call.raw and not (call.interface.simulated and call.state.setting(STRICT_NULLS)):
            call.body = without_nulls(call.operation.body_node, call.body)
            call.canonical = json_body.canonical_json(call.body)
    elif call.operation.body_required:
        raise InvalidJson("this operation requires a JSON object as its body, and the body is empty")
    else:
        call.body, call.canonical = {}, b"{}"


def _check_content_type(call: Call) -> None:
    if call.state.setting(STRICT_CONTENT_TYPE):
        json_body.check_type(str(call.environ.get("CONTENT_TYPE", "")))


def inject_magic_values(_: Interface, __: Operation) -> Around:
    """Apply the fault that a magic value of the body or query stands for, unless the call has a fault already."""
    return Around(injection.inject_magic_value)


def authorize_body(interface: Interface, _: Operation) -> Check | None:
    """403 where the body asks for more than the caller may have."""
    return None if interface.authorize_body is allow else interface.authorize_body


def replay_idempotent(_: Interface, operation: Operation) -> Check | None:
    """Replay the stored response of a known idempotency key; a key that is only bound continues with its record."""
    return _replay_idempotent if idempotency.takes_key(operation) else None


def _replay_idempotent(call: Call) -> Response | None:
    call.idempotency_key = idempotency.look_up(call)
    record = call.idempotency_key.row if call.idempotency_key else None
    if record and record.body is not None:
        return idempotency.replay(record, idempotency.hidden_members(call))
    call.bound_slot = record.subject if record else None
    return None


def parse_query(interface: Interface, operation: Operation) -> Check | None:
    """Parse query parameters by the contract; 400 naming every invalid one."""
    unread = interface.simulated and not operation.query_params
    return None if unread else parameter_parsing.parse_query


def parse_path(interface: Interface, operation: Operation) -> Check | None:
    """Parse path parameters by the contract and find the record that they name."""
    if not operation.path_params:
        return find_subject_again(interface, operation)

    def parse(call: Call) -> None:
        parameter_parsing.parse_path(call)
        interface.find_subject(call)

    return parse


def validate_body(interface: Interface, operation: Operation) -> Check | None:
    """Validate the body against its schema and the interface's own rules."""
    if operation.body_schema is None:
        return None
    strictable = interface.simulated and interface.can_refuse_unknown_fields
    of_any_mode = operation.body_schema if interface.mode is no_mode else None

    def validate(call: Call) -> None:
        schema = of_any_mode or operation.body_schema_for(interface.mode(call))
        if strictable and call.state.setting_values.get(LINE_ENDS.name) == "lf":
            schema = schema.with_line_feeds_only
        violations = schema.violations(call.body)
        if strictable and call.state.setting(STRICT_BODIES):
            violations += find_unknown_fields(schema.document, call.body)
        interface.validate_body(call, violations)

    return validate


def hold(_: Interface, __: Operation) -> Check:
    """Hold the call in flight under the fault `hold`: take its idempotency key and release the world's lock.

    A released call is checked again, since the world may have changed: the key may be revoked, the order canceled, the
    world reset.
    """
    return _hold


def _hold(call: Call) -> Response | None:
    if not call.effect.get("hold"):
        return None
    world, fault = call.world, injection.holding_fault(call)

    def is_held() -> bool:
        row = world.state[FAULTS].find("id", fault.id)
        return row is not None and row.n == fault.n  # another one may have its id by now

    key = call.idempotency_key
    name = key.name if key else None
    if key:
        world.calls.busy_keys[key.name] = BusyKey(call.logged.n, key.fingerprint)
    try:
        world.calls.hold(call.logged.n, fault.id, is_held)
    except CallUndone:
        name, call.logged = None, NOT_LOGGED
        raise
    finally:
        if name:
            world.calls.busy_keys.pop(name, None)
    call.refresh()
    return RELEASED.plan(call)(call)


def find_subject_again(interface: Interface, _: Operation) -> Check | None:
    """Find the record that the path names, as it is now."""
    return None if interface.find_subject is allow else interface.find_subject


def compose(outer: tuple[Callable[[CallNext, Call], Response], ...], stack: Stack) -> CallNext:
    """One function that runs a call through the outer functions (the last is `route`), then through the steps."""
    call_next: CallNext = partial(route, stack)
    for around in reversed(outer):
        call_next = partial(around, call_next)  # unlike a function around it, it costs no frame
    return call_next


# Around each call of a simulated interface. Then come `route` and the steps.
OUTER = (lock_world, log_call, render_problems)
SIMULATED = Stack(
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
RELEASED = Stack(
    authenticate,
    authorize,
    authorize_body,
    replay_idempotent,
    find_subject_again,
    validate_body,
    transact,
)

# A call of a simulated interface whose credential names no world.
UNKNOWN_WORLD = Stack(authenticate)

# A call of the control API. Its handlers take the locks that they need.
CONTROL = Stack(
    authenticate,
    parse_body,
    parse_query,
    parse_path,
    validate_body,
    handle,
)

handle_simulated_call = compose(OUTER, SIMULATED)
handle_unknown_world_call = compose((render_problems,), UNKNOWN_WORLD)
handle_control_call = compose((write_checkpoints_when_due, render_problems), CONTROL)
