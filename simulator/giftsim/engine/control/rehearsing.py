"""Rehearsals: situations of a service by one word, each as the calls of the control API that let it happen (G464)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import count
from typing import Any

from giftsim.engine.control.body_check import check_body
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import Part, Trial, change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.gateway.rehearsal import Rehearsal, Step
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.problem import InvalidState, Problem

NAME = "name"


class RehearsalNotFound(Problem, status=404, code="rehearsal_not_found"):
    """The service has no rehearsal of that name."""


def rehearse(call: Call) -> Response:
    """Let a situation happen: all of its steps in one transaction, or none."""
    rehearsal = _find(call, call.body[NAME])
    given = {name: value for name, value in call.body.items() if name != NAME}
    for name in given:
        if name not in rehearsal.takes:
            raise InvalidBody(f"{rehearsal.name} does not take {name}; {_allowed(name, rehearsal)}")
    for name in rehearsal.needs:
        if name not in given:
            raise InvalidBody(f"{rehearsal.name} needs {name}")
    with change_state(call, f"Rehearse {rehearsal.name}") as state:
        done = list(_run(call, state, rehearsal.steps, given))
    return Response(200, {NAME: rehearsal.name, "done": done, "happens": rehearsal.happens, "check": rehearsal.check})


def _rehearsals(call: Call) -> Sequence[Rehearsal]:
    return [row for rows in services_of(call).service.rehearsals for row in rows()]


def _find(call: Call, name: str) -> Rehearsal:
    rows = {row.name: row for row in _rehearsals(call)}
    if name not in rows:
        listed = "`GET /_sim/v1/reference/rehearsals` lists them"
        raise RehearsalNotFound(f"there is no rehearsal {name[:60]!r}; {suggest_name(name, list(rows), listed)}")
    return rows[name]


def _allowed(name: str, rehearsal: Rehearsal) -> str:
    return suggest_name(name, rehearsal.takes, f"it takes {', '.join(rehearsal.takes) or 'nothing'}")


def _run(call: Call, state: State, steps: Sequence[Step], given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Make the calls of some steps. A Problem of a step ends it, and says which of those before were left out."""
    left_out: list[str] = []
    for step in steps:
        body = step.body_with(given)
        try:
            yield from [_make(call, state, step, body)] if step.each is None else _make_each(call, state, step, body)
        except Problem as problem:
            if not step.usual:
                problem.message = "; before that, ".join([problem.message, *left_out])
                raise
            left_out.append(f"{step.call} was refused: {problem.message}")


def _make_each(call: Call, state: State, step: Step, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Make the call of a step for each record. InvalidState if all are gone."""
    done: list[dict[str, Any]] = []
    for place in count():
        if done and isinstance(call, Trial):  # it can happen: that is all that a trial asks
            break
        try:
            done.append(_make(call, state, step, {**body, f"{step.each}": place}))
        except Problem as problem:
            if problem.status == HTTPStatus.NOT_FOUND and place:
                break
            if problem.status != HTTPStatus.GONE:
                raise
    if not done:
        raise InvalidState(f"{step.call}: none of the {place} is left for it")
    return done


def _make(call: Call, state: State, step: Step, body: Mapping[str, Any]) -> dict[str, Any]:
    """Make a call as a part of this one: the call, its body, and the body of its response."""
    method, _, path = step.call.partition(" ")
    operation = next(
        each
        for each in call.interface.contract.operations.values()
        if (each.method, each.template) == (method, f"/worlds/{{w}}{path}")
    )
    part = Part(
        method, "", "", call.environ, b"", call.interface, call.registry, call.world, state, operation, call.params,
        body=dict(body),
    )  # fmt: skip
    if operation.body_schema is not None:
        check_body(part, operation.body_schema.violations(part.body))
    response = call.interface.handlers[operation.id](part)
    if not isinstance(response, Response):
        raise TypeError(f"{operation.id} cannot be a part of a rehearsal: it defers its response")
    return {"call": step.call, "body": body, "answer": response.body}
