"""The `actors` of a scenario: parsed from the file, created in its world, and checked at the end for idle ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giftsim.engine.kernel.instants import parse_duration
from giftsim.workbench.scenario.compiled_scenario import Actor
from giftsim.workbench.scenario.play_report import StepReport
from giftsim.workbench.scenario.scenario_error import quote_words, suggest_known
from giftsim.workbench.scenario.variables import check_expressions, resolve_variables
from giftsim.workbench.scenario.world_client import StepFailed, WorldClient
from giftsim.workbench.scenario.yaml_source import Source, YamlPath


def parse_actors(source: Source, known: Mapping[str, Any], start_ms: int) -> Iterator[Actor]:
    """The actors of a file; InvalidScenario for one with wrong members or with variables that are not `known`."""
    lines: dict[str, int] = {}
    for index, data in enumerate(source.data.get("actors", ())):
        path: YamlPath = ("actors", index)
        _check_members(source, path, data)
        check_expressions(source, path, data, known, start_ms)
        line, members = source.position(path).line, dict(data)
        name = members.setdefault("id", f"actor-{index + 1}")
        if name in lines:
            place = (*path, "id") if "id" in data else path
            raise source.error(place, f'there is already an actor "{name}" on line {lines[name]}')
        lines[name] = line
        yield Actor(file=source.file, line=line, name=name, optional=members.pop("optional", False), members=members)


def create_actors(actors: Sequence[Actor], world: WorldClient, variables: Mapping[str, Any]) -> StepReport | None:
    """Create the actors in order; return the report of the first that the simulator refuses."""
    for actor in actors:
        try:
            world.control("POST", "/actors", resolve_variables(actor.members, variables))
        except StepFailed as error:
            return _failure(actor, 0, None, str(error))
    return None


def idle_actors(actors: Sequence[Actor], world: WorldClient, number: int) -> Iterator[StepReport]:
    """A failed step, numbered from `number`, for each actor that should have acted and did not."""
    if all(actor.optional for actor in actors):
        return
    rows = {row["id"]: row for row in world.rows("actors")}
    for actor in actors:
        row = rows.get(actor.name)
        problem = None if actor.optional or row is None else _problem(row)
        if problem is not None:
            yield _failure(actor, number, world.now, problem)
            number += 1


def _problem(row: Mapping[str, Any]) -> str | None:
    """What an actor has not done, and why; one that never acts must have received something to ignore."""
    from giftsim.services.gifting.domain.actor import NEVER

    request = "claim link" if "recipient" in row else "approval request"
    action = "claim" if "recipient" in row else "decide"
    if NEVER in (row.get("claims"), row.get("decides")):
        return None if row["asked"] else f"expected a {request} for it to ignore, actual none"
    if row["acted"]:
        return None
    if row["last_refusal"]:
        refusal = row["last_refusal"]
        reason = f"refused at {refusal['at']}: {refusal['code']}, {refusal['message']}"
    elif row["waiting"]:
        reason = "the scenario ended before"
    else:
        reason = f"it received no {request}"
    return f"expected it to {action}, actual never: {reason}; `optional: true` allows that"


def _failure(actor: Actor, number: int, at: str | None, message: str) -> StepReport:
    detail = f"{actor.file}:{actor.line}: {actor.title}\n  {message}"
    return StepReport(number=number, line=actor.line, title=actor.title, at=at, outcome="failed", detail=detail)


def _check_members(source: Source, path: YamlPath, data: Mapping[str, Any]) -> None:
    from giftsim.services.gifting.domain.actor import NEVER, ROLE_MEMBERS  # which few scenarios need

    roles = [role for role in ROLE_MEMBERS if role in data]
    if len(roles) != 1:
        place = (*path, roles[1]) if roles else path
        raise source.error(place, 'an actor is either a "recipient" or an "approver"', name=bool(roles))
    [role] = roles
    required, *others = ROLE_MEMBERS[role]
    for name in data:
        if name not in ("id", "optional", role, *ROLE_MEMBERS[role]):
            message = f'"{name}" is not a member of a "{role}", which has {quote_words(ROLE_MEMBERS[role])}'
            raise source.error((*path, name), message, name=True)
    if required not in data:
        raise source.error(path, f'"{role}" needs "{required}"')
    unused = [name for name in others if name in data and data[required] == NEVER]
    if unused:
        raise source.error((*path, unused[0]), f'"{unused[0]}" has no effect on an actor that never acts', name=True)
    _check_duration(source, path, data, "claims" if role == "recipient" else "after")


def _check_duration(source: Source, path: YamlPath, data: Mapping[str, Any], name: str) -> None:
    from giftsim.services.gifting.domain.actor import NEVER

    text = data.get(name, NEVER)
    if text == NEVER or "${" in text:
        return
    try:
        parse_duration(text)
    except ValueError as error:
        hint = suggest_known(text, [NEVER]) if name == "claims" and text[:1] == "n" else ""
        raise source.error((*path, name), f"{error}{hint}") from None
