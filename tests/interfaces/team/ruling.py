"""Rules to try things on, the people and deals that they wait for, and the mornings on which they run."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from giftsim.kernel.instants import format_instant, parse_instant
from tests.harness import World
from tests.interfaces.team.company import today
from tests.interfaces.team.scene import TeamFace, well

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
MUG = {"merchant_product_id": 101, "quantity": 1}


def rule(face: TeamFace, trigger: str = "birthday", **members: Any) -> Any:
    """A new rule, of the kind of its trigger unless told."""
    kind = "crm" if trigger in ("deal_won", "stage_changed") else "hr"
    body = {"kind": kind, "name": "A rule", "trigger_type": trigger, "bundle": {"items": [MUG]}, **members}
    return face.make("/rules", body)


def evaluated(face: TeamFace, kind: str = "hr") -> Any:
    """What comes of running the rules of a kind now."""
    return well(face.post("/rules/evaluate", {"kind": kind}), 200).json()


def preview(face: TeamFace, made: Any) -> Any:
    """What the rule would do now."""
    return face.got(f"/rules/{made['id']}/preview?kind={made['kind']}")


def due(shown: Any) -> list[str]:
    """Who gets something, by a preview."""
    return [send["display_name"] for send in shown["sends"]]


def reasons(shown: Any) -> list[tuple[str, str]]:
    """Who gets nothing, and why."""
    return [(each["display_name"], each["reason"]) for each in shown["skipped"]]


def gifts(face: TeamFace) -> list[Any]:
    """All gift sends, the oldest first."""
    return list(reversed(face.listed("/gifts", 50)))


def at(day: date, hour: int, minute: int = 0) -> str:
    """An hour of a Los Angeles day, as an instant."""
    moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=LOS_ANGELES)
    return format_instant(int(moment.timestamp()) * 1000)


def go(world: World, day: date, hour: int, minute: int = 0) -> None:
    """Let time pass up to an hour of a Los Angeles day."""
    world.advance(to=at(day, hour, minute))


def midnight(world: World) -> date:
    """Let time pass up to the beginning of a Los Angeles day, and name it."""
    day = date.fromordinal(today(world).toordinal() + 1)
    if parse_instant(at(day, 0)) <= parse_instant(world.now):
        day = date.fromordinal(day.toordinal() + 1)
    go(world, day, 0)
    return day
