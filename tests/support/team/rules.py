"""Rules to try things on, the people and deals that they wait for, and the mornings on which they run."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from giftsim.kernel.instants import format_instant, parse_instant
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient
from tests.support.team.people import today_in_zone
from tests.support.worlds import World

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
MUG = {"merchant_product_id": 101, "quantity": 1}


def create_rule(face: TeamClient, trigger: str = "birthday", **members: Any) -> Any:
    """A new rule, of the kind of its trigger unless told."""
    kind = "crm" if trigger in ("deal_won", "stage_changed") else "hr"
    body = {"kind": kind, "name": "A rule", "trigger_type": trigger, "bundle": {"items": [MUG]}, **members}
    return face.post_json("/rules", body)


def evaluate_rules(face: TeamClient, kind: str = "hr") -> Any:
    """What comes of running the rules of a kind now."""
    return expect_status(face.post("/rules/evaluate", {"kind": kind}), 200).json()


def preview_rule(face: TeamClient, made: Any) -> Any:
    """What the rule would do now."""
    return face.get_json(f"/rules/{made['id']}/preview?kind={made['kind']}")


def due_names(shown: Any) -> list[str]:
    """Who gets something, by a preview."""
    return [send["display_name"] for send in shown["sends"]]


def skip_reasons(shown: Any) -> list[tuple[str, str]]:
    """Who gets nothing, and why."""
    return [(each["display_name"], each["reason"]) for each in shown["skipped"]]


def list_gifts(face: TeamClient) -> list[Any]:
    """All gift sends, the oldest first."""
    return list(reversed(face.list_all("/gifts", 50)))


def local_instant(day: date, hour: int, minute: int = 0) -> str:
    """An hour of a Los Angeles day, as an instant."""
    moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=LOS_ANGELES)
    return format_instant(int(moment.timestamp()) * 1000)


def advance_to_local(world: World, day: date, hour: int, minute: int = 0) -> None:
    """Let time pass up to an hour of a Los Angeles day."""
    world.advance(to=local_instant(day, hour, minute))


def advance_to_midnight(world: World) -> date:
    """Let time pass up to the beginning of a Los Angeles day, and name it."""
    day = date.fromordinal(today_in_zone(world).toordinal() + 1)
    if parse_instant(local_instant(day, 0)) <= parse_instant(world.now):
        day = date.fromordinal(day.toordinal() + 1)
    advance_to_local(world, day, 0)
    return day
