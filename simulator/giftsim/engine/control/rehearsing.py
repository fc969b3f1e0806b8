"""Rehearsals: situations of a service by one word, each as the calls of the control API that let it happen (G464)."""

from __future__ import annotations

import re
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
from giftsim.engine.kernel.texts import join_or, suggest_name
from giftsim.engine.problem import InvalidState, Problem

NAME = "name"
_BEGINNING = re.compile("[:;]")  # ends what a message says first, such as `order 1001 is canceled`


class RehearsalNotFound(Problem, status=404, code="rehearsal_not_found"):
    """The service has no rehearsal of that name."""


def rehearse(call: Call) -> Response:
    """Let a situation happen: all of its steps in one transaction, or none."""
    rehearsal = _find(call, call.body[NAME])
    check_rehearsal(call)
    given = {name: value for name, value in call.body.items() if name != NAME}
    with change_state(call, rehearsed(rehearsal.name)) as state:
        done = list(_run(call, state, rehearsal.steps, given))
    return Response(200, {NAME: rehearsal.name, "done": done, "happens": rehearsal.happens, "check": rehearsal.check})


def rehearsed(name: str) -> str:
    """What changes and undo say of a rehearsal."""
    return f"Rehearse {name}"


def check_rehearsal(call: Call) -> None:
    """Check the members of a body by what its rehearsal takes and needs. InvalidBody for the first mistake."""
    given = call.body if isinstance(call.body, dict) else {}
    rehearsal = next((row for row in _rehearsals(call) if row.name == given.get(NAME)), None)
    if rehearsal is None:
        return
    for name in given:
        if name not in (NAME, *rehearsal.takes):
            raise InvalidBody(f"{rehearsal.name} does not take {name[:60]}; {_allowed(name, rehearsal)}")
    for group in rehearsal.needs:
        if given.keys().isdisjoint(group):
            raise InvalidBody(f"{rehearsal.name} needs {join_or(group)}")


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
    left_out: list[tuple[str, str]] = []
    for step in steps:
        body = step.body_with(given)
        try:
            each = step.each
            yield from [_make(call, state, step, body)] if each is None else _make_each(call, state, step, each, body)
        except Problem as problem:
            problem.message = _in_words_of_the_rehearsal(step, problem.message)
            if not step.usual:
                problem.message = _with_those_before(problem.message, left_out)
                raise
            left_out.append((step.call, problem.message))


def _in_words_of_the_rehearsal(step: Step, message: str) -> str:
    """A message with the members of the rehearsal for those that they are in the call."""
    for name, inner in step.takes.items():
        if name != inner:
            message = message.replace(inner, name)
    return message


def _with_those_before(message: str, left_out: Sequence[tuple[str, str]]) -> str:
    """A message, and why steps before it were refused, if it does not begin with the same."""
    said = [message]
    for call, refusal in left_out:
        if not any(each.startswith(_BEGINNING.split(refusal)[0]) for each in said):
            said += [refusal]
            message += f"; before that, {call} was refused: {refusal}"
    return message


def _make_each(call: Call, state: State, step: Step, each: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Make the call of a step for each record, by its place as the member `each`. InvalidState if all are gone."""
    done: list[dict[str, Any]] = []
    for place in count():
        if done and isinstance(call, Trial):  # it can happen: that is all that a trial asks
            break
        try:
            done.append(_make(call, state, step, {**body, each: place}))
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
