"""People of a story who act by themselves: read, made right after the world is, and asked at the end what they did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from giftsim.kernel.instants import parse_duration
from giftsim.scenario.names import check_holes
from giftsim.scenario.report import StepReport
from giftsim.scenario.scenario_error import meant, quoted
from giftsim.scenario.step import Actor
from giftsim.scenario.variables import fill
from giftsim.scenario.world_client import Refused, Sandbox
from giftsim.scenario.yaml_source import Source, Trail

NEVER: Final = "never"
ROLES: Final[Mapping[str, Sequence[str]]] = {
    "recipient": ("claims", "address", "selection"),
    "approver": ("decides", "after", "note"),
}


def actors(source: Source, known: Mapping[str, Any], start_ms: int) -> Iterator[Actor]:
    """The actors of a file; InvalidScenario for one that could not act, or is told of by names that are not `known`."""
    names: dict[str, int] = {}
    for index, told in enumerate(source.data.get("actors", ())):
        trail: Trail = ("actors", index)
        _check(source, trail, told)
        check_holes(source, trail, told, known, start_ms)
        line, members = source.mark(trail).line, dict(told)
        name = members.setdefault("id", f"actor-{index + 1}")
        if name in names:
            at = (*trail, "id") if "id" in told else trail
            raise source.refuse(at, f'there is an actor "{name}" already, on line {names[name]}')
        names[name] = line
        yield Actor(
            file=source.file, line=line, name=name, optional=members.pop("optional", False), members=members
        )  # fmt: skip


def enter(told: Sequence[Actor], sandbox: Sandbox, variables: Mapping[str, Any]) -> StepReport | None:
    """Make the actors; the report of the first that the simulator refuses."""
    for actor in told:
        try:
            sandbox.control("POST", "/actors", fill(actor.members, variables))
        except Refused as error:
            return _failed(actor, 0, None, str(error))
    return None


def idle(told: Sequence[Actor], sandbox: Sandbox, number: int) -> Iterator[StepReport]:
    """A failed step, from `number` on, for every actor that did nothing and was to do something."""
    if all(actor.optional for actor in told):
        return
    found = {row["id"]: row for row in sandbox.control("GET", "/actors?limit=1000")["actors"]}
    for actor in told:
        row = found.get(actor.name)
        fault = None if actor.optional or row is None else _fault(row)
        if fault is not None:
            yield _failed(actor, number, sandbox.now, fault)
            number += 1


def _fault(row: Mapping[str, Any]) -> str | None:
    """What an actor has not done, and why; one who never acts must at least have been asked."""
    thing = "claim link" if "recipient" in row else "request for approval"
    deed = "claimed" if "recipient" in row else "decided"
    if NEVER in (row.get("claims"), row.get("decides")):
        return None if row["asked"] else f"expected a {thing} that it leaves alone, actual none came to it"
    if row["acted"]:
        return None
    if row["last_refusal"]:
        refusal = row["last_refusal"]
        why = f"refused at {refusal['at']}: {refusal['code']}, {refusal['message']}"
    elif row["waiting"]:
        why = "the story ended before"
    else:
        why = f"no {thing} came to it"
    return f"expected that it {deed}, actual never: {why}; `optional: true` allows that"


def _failed(actor: Actor, number: int, at: str | None, fault: str) -> StepReport:
    detail = f"{actor.file}:{actor.line}: {actor.title}\n  {fault}"
    return StepReport(number=number, line=actor.line, title=actor.title, at=at, outcome="failed", detail=detail)


def _check(source: Source, trail: Trail, told: Mapping[str, Any]) -> None:
    roles = [role for role in ROLES if role in told]
    if len(roles) != 1:
        at = (*trail, roles[1]) if roles else trail
        raise source.refuse(at, 'an actor is one of "recipient" and "approver"', name=bool(roles))
    [role] = roles
    deed, *others = ROLES[role]
    for name in told:
        if name not in ("id", "optional", role, *ROLES[role]):
            known = quoted(ROLES[role])
            raise source.refuse((*trail, name), f'"{name}" is not for "{role}", which has {known}', name=True)
    if deed not in told:
        raise source.refuse(trail, f'"{role}" needs "{deed}"')
    idle = [name for name in others if name in told and told[deed] == NEVER]
    if idle:
        raise source.refuse((*trail, idle[0]), f'"{idle[0]}" is of no use to one who never acts', name=True)
    _check_span(source, trail, told, "claims" if role == "recipient" else "after")


def _check_span(source: Source, trail: Trail, told: Mapping[str, Any], name: str) -> None:
    text = told.get(name, NEVER)
    if text == NEVER or "${" in text:
        return
    try:
        parse_duration(text)
    except ValueError as error:
        near = meant(text, [NEVER]) if name == "claims" and text[:1] == "n" else ""
        raise source.refuse((*trail, name), f"{error}{near}") from None
