"""The life of a call, in one order for all interfaces (G13). Read the two tuples at the end and you know the system.

A stage either goes on with `proceed(call)` or answers; a problem anywhere becomes the documented error answer.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from urllib.parse import parse_qsl

from giftsim.gateway import call_logging, idempotency, json_body, rate_limits
from giftsim.gateway.call import NOT_YET, Call, Dropped, Proceed, Reply
from giftsim.gateway.contract import templates
from giftsim.gateway.execute import handle, transact
from giftsim.gateway.faults import injection
from giftsim.gateway.faults.table import FAULTS
from giftsim.gateway.parameter import CLAMP_LIMITS, Parameter, Unfit
from giftsim.gateway.problem import Internal, InvalidJson, InvalidParameter, MethodNotAllowed, RouteNotFound
from giftsim.gateway.unknown_fields import STRICT_BODIES, strangers
from giftsim.kernel.problem import Problem
from giftsim.worlds import advance, checkpoint, held_calls
from giftsim.worlds.problem import CallUndone

Stage = Callable[[Call, Proceed], Reply]


def answer(call: Call, proceed: Proceed) -> Reply:
    """Turn every problem into the interface's documented error body; a bug into a 500 without a trace."""
    try:
        reply = proceed(call)
    except Dropped:
        raise
    except Problem as problem:
        reply = call.interface.envelope(call, problem)
    except Exception as error:  # noqa: BLE001 - the one place where a bug becomes an answer
        call.registry.report(call.request_id, error)
        reply = call.interface.envelope(call, Internal("the simulator failed; its log has the request id"))
    rate_limits.headers(reply, call)
    reply.headers["X-Request-Id"] = call.request_id
    return reply


def enter(call: Call, proceed: Proceed) -> Reply:
    """Have the call's world to oneself, at its present instant; the call is counted and named, refused or not."""
    world = call.here
    with world.held():
        advance.catch_up(world)
        if checkpoint.due(world):
            checkpoint.take(world)
        call.came = call_logging.begun(call)
        world.event_log.add(call.came)
        call.request_id = world.next_request_id()
        return proceed(call)


def record(call: Call, proceed: Proceed) -> Reply:
    """Write the call and its answer into the world's journal; a dropped connection has no answer."""
    try:
        reply = proceed(call)
    except Dropped:
        call_logging.note(call, None)
        raise
    call_logging.note(call, reply)
    return reply


def route(call: Call, proceed: Proceed) -> Reply:
    """Find the operation; 404 names the nearest route there is, 405 the methods that the path has."""
    found = call.interface.contract.match(call.path)
    if found is None:
        if not call.interface.echo:
            raise RouteNotFound("nothing stands at this path")
        full = call.interface.contract.prefix + call.path
        near = get_close_matches(full, list(templates(call.interface.contract)), 1, 0.5)
        raise RouteNotFound(f"nothing stands at {full[:200]}" + (f"; did you mean {near[0]}?" if near else ""))
    branch, call.params = found
    call.op = branch.operations.get(call.method)
    if call.op is None:
        call.headers["Allow"] = ", ".join(branch.operations)
        place = call.path[:200] if call.interface.echo else "this path"
        raise MethodNotAllowed(f"{place} has {', '.join(branch.operations)}, not {call.method}")
    return proceed(call)


def authenticate(call: Call, proceed: Proceed) -> Reply:
    """Who calls; 401 otherwise."""
    call.caller = call.interface.authenticate(call)
    return proceed(call)


def meet_faults(call: Call, proceed: Proceed) -> Reply:
    """Choose the fault for this call, and let those act that act on entry; `drop: after` acts on the way out."""
    injection.choose(call)
    return injection.meet(call, proceed) if call.effect else proceed(call)


def limit(call: Call, proceed: Proceed) -> Reply:
    """429 when the key's window is full; the headers in any case, on an interface that has limits."""
    if call.interface.limited:
        rate_limits.limit(call)
    return proceed(call)


def authorize(call: Call, proceed: Proceed) -> Reply:
    """403 where the caller may not: who lacks the right learns nothing more (A2.2)."""
    call.interface.authorize(call)
    return proceed(call)


def need_key(call: Call, proceed: Proceed) -> Reply:
    """An Idempotency-Key header where the contract asks for one, and well formed where there is one."""
    idempotency.header_key(call)
    return proceed(call)


def parse(call: Call, proceed: Proceed) -> Reply:
    """The body as strict JSON, where the operation takes one; none at all is `{}` where the contract allows it."""
    if call.operation.shape is not None:
        if call.raw.strip():
            call.body, call.loose_numbers = json_body.read(call.raw)
        elif call.operation.body_required:
            raise InvalidJson("this operation takes a JSON object as its body; there is none")
        else:
            call.body = {}
    return proceed(call)


def meet_magic(call: Call, proceed: Proceed) -> Reply:
    """Let a magic value of the body or the query act as the fault that it stands for, where no fault acts already."""
    if injection.MARK_BYTES not in call.raw and injection.MARK not in call.query_string:
        return proceed(call)
    return proceed(call) if call.effect else injection.conjure(call, proceed)


def authorize_body(call: Call, proceed: Proceed) -> Reply:
    """403 where the body asks for more than the caller may."""
    call.interface.authorize_body(call)
    return proceed(call)


def replay(call: Call, proceed: Proceed) -> Reply:
    """The first answer again for a known idempotency key; a key that is only bound goes on with its record."""
    call.memory = idempotency.keyed(call)
    row = call.memory.row if call.memory else None
    if row and row.body is not None:
        return idempotency.replayed(row)
    call.bound = row.subject if row else None
    return proceed(call)


def read_query(call: Call, proceed: Proceed) -> Reply:
    """Query parameters by the contract: what does not fit is named, all of it, with the code of the first.

    Unknown ones are tolerated by modelled interfaces and named by the control.
    """
    given: dict[str, list[str]] = {}
    for name, value in parse_qsl(call.query_string, keep_blank_values=True):
        given.setdefault(name, []).append(value)
    declared = call.operation.query_params
    misfits: list[InvalidParameter] = []
    for parameter in declared:
        try:
            call.query[parameter.name] = _single(call, parameter, given.get(parameter.name, []))
        except InvalidParameter as misfit:
            misfits.append(misfit)
    if misfits:
        raise InvalidParameter("; ".join(misfit.message for misfit in misfits), **misfits[0].details)
    if not call.interface.modelled:
        _refuse_unknown(given, [parameter.name for parameter in declared])
    return proceed(call)


def read_path(call: Call, proceed: Proceed) -> Reply:
    """Path parameters by the contract, then what they name; a malformed id is a 404, or as the interface says."""
    missing = call.interface.malformed_is_unknown
    for parameter in call.operation.path_params:
        call.params[parameter.name] = _value(call, parameter, call.params[parameter.name], missing=missing)
    call.interface.locate(call)
    return proceed(call)


def validate(call: Call, proceed: Proceed) -> Reply:
    """The body against its shape, judged together with what the interface alone can know."""
    shape = call.operation.shape_of(call.interface.mode(call))
    if shape is not None:
        violations = shape.violations(call.body, call.loose_numbers)
        if call.interface.modelled and call.interface.strictable and call.state.setting(STRICT_BODIES):
            violations += strangers(shape.document, call.body)
        call.interface.examine(call, violations)
    return proceed(call)


def park(call: Call, proceed: Proceed) -> Reply:
    """`hold` keeps the call in flight: its key claimed, the lock given back.

    Afterwards it is judged again by what the world has become: the key may be revoked, the order another, all reset.
    """
    if not call.effect.get("hold"):
        return proceed(call)
    world, name, fault = call.here, call.memory.name if call.memory else None, injection.holding(call)
    if name:
        world.claimed[name] = None
    try:
        held_calls.hold(world, call.came.n, lambda: any(row.id == fault for row in world.state[FAULTS]))
    except CallUndone:
        name, call.came = None, NOT_YET
        raise
    finally:
        if name:
            world.claimed.pop(name, None)
    return RESUMED(call)


def locate_again(call: Call, proceed: Proceed) -> Reply:
    """What the path names, as it is now."""
    call.interface.locate(call)
    return proceed(call)


def _single(call: Call, parameter: Parameter, texts: list[str]) -> object:
    if len(texts) > 1:
        raise InvalidParameter(f"the parameter {parameter.name} is given {len(texts)} times")
    return _value(call, parameter, texts[0] if texts else None)


def _value(call: Call, parameter: Parameter, text: str | None, missing: bool = False) -> object:
    clamp = parameter.name == "limit" and call.interface.modelled and call.state.setting(CLAMP_LIMITS)
    try:
        return parameter.value(text, clamp=clamp)
    except Unfit as misfit:
        said = str(misfit) if call.interface.echo else misfit.fits
        kind = RouteNotFound if missing else InvalidParameter
        raise kind(said, code=parameter.code) from None


def _refuse_unknown(given: dict[str, list[str]], known: list[str]) -> None:
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known) or 'none'}"
            raise InvalidParameter(f"unknown parameter {name[:60]!r}; {hint}")


def chain(stages: tuple[Stage, ...]) -> Proceed:
    """Stages as one function: each gets the rest of them as its `proceed`."""

    def end(_: Call) -> Reply:
        raise RuntimeError("the last stage answers")

    proceed: Proceed = end
    for stage in reversed(stages):
        proceed = _linked(stage, proceed)
    return proceed


def _linked(stage: Stage, proceed: Proceed) -> Proceed:
    return lambda call: stage(call, proceed)


MODELLED = chain(
    (enter, record, answer, route, authenticate, limit, meet_faults, authorize, need_key, parse, meet_magic,
     authorize_body, replay, read_query, read_path, validate, park, transact)
)  # fmt: skip
RESUMED = chain((authenticate, authorize, authorize_body, replay, locate_again, validate, transact))
NOWHERE = chain((answer, route, authenticate))
CONTROL = chain((answer, route, authenticate, parse, read_query, read_path, validate, handle))
