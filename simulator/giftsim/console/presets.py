"""The panel "Break something": faults and outages as presets with durations, and rehearsals of what people fear.

A preset breaks what is between an app and the service, for a while. A rehearsal happens once, in the world around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from giftsim.console.control_client import WorldControl, current_control
from giftsim.console.filters import plural, until
from giftsim.engine.client.control import quote_segment

Row = Mapping[str, Any]
SPANS: Final = {"1h": ("1 h", timedelta(hours=1)), "1d": ("1 d", timedelta(days=1)), "3d": ("3 d", timedelta(days=3))}
TIMES: Final = {"1": "Once", "3": "3 times", "5": "5 calls"}
OUTAGE = "outage"


class Preset(NamedTuple):
    """A way to break something: its name, what it says, the effect of the fault, and the choices of how long.

    A number of choices is how often it acts, a span how long.
    """

    name: str
    title: str
    text: str
    icon: str
    effect: Mapping[str, Any]
    choices: tuple[str, ...]


PRESETS: Final = (
    Preset("decline", "Fail the next charge", "Your app gets 402: the card was declined.", "money",
           {"charge": "card_charge_failed"}, ("1", "1h", "1d")),
    Preset(OUTAGE, "Webhooks get 503", "Every host of your endpoints is down, and the retries begin.", "hook",
           {}, ("1h", "1d", "3d")),
    Preset("lose", "Lose the next response", "The call is done, and its answer never comes.", "x",
           {"drop": "after"}, ("1", "3")),
    Preset("too-many", "Too many requests", "429 with Retry-After: 30, where a call documents it.", "clock",
           {"status": 429, "retry_after": 30}, ("5", "1h")),
    Preset("twice", "Send webhooks twice", "The same event id comes again.", "copy",
           {"webhook": "duplicate"}, ("1h", "1d")),
    Preset("out-of-order", "Send webhooks out of order", "An event is overtaken by the next one.", "split",
           {"webhook": "reorder"}, ("1h", "1d")),
)  # fmt: skip
BY_NAME: Final = {preset.name: preset for preset in PRESETS}


# What is not named by an id of the service, by what a rehearsal is about.
FIELDS: Final[Mapping[str, Sequence[str]]] = {
    "contact": ("contact", "into"),
    "provider": ("provider",),
    "product": ("product", "option"),
}


def rehearsals() -> list[Row]:
    """The situations that can be rehearsed, each with the members of which a form asks."""
    rows: list[Row] = current_control().get("/reference/rehearsals", limit=1000)["rehearsals"]
    return [{**row, "fields": _fields(row), "names": {}} for row in rows]


def _fields(rehearsal: Row) -> list[str]:
    """The members of which a form asks one by one. Others are asked for an id, which tells itself what it names."""
    return [member for member in FIELDS.get(rehearsal["about"], ()) if member in rehearsal["takes"]]


class Shown(NamedTuple):
    """A preset as the panel shows it: `left` says how long it still acts, "" if it does not; `used` how it acted."""

    preset: Preset
    choices: list[tuple[str, str]]
    left: str
    used: str
    call: int | None


def end_of(now: str, choice: str) -> str:
    """The instant at which a span from now ends."""
    return (datetime.fromisoformat(now) + SPANS[choice][1]).strftime("%Y-%m-%dT%H:%M:%SZ")


def fault_of(preset: Preset, choice: str, now: str) -> dict[str, Any]:
    """The fault of a preset, from now on."""
    when = {"first": int(choice)} if choice in TIMES else {"from": now, "to": end_of(now, choice)}
    return {"id": preset.name, "effect": dict(preset.effect), "when": when}


def hosts(world: WorldControl) -> list[str]:
    """The hosts of the endpoints, or all hosts if there is no endpoint."""
    urls = [row["url"] for row in world.get("endpoints", limit=1000)["endpoints"]]
    return sorted({url.split("/")[2].partition(":")[0] for url in urls}) or ["*"]


def replace_fault(world: WorldControl, body: Row) -> Any:
    """Add a fault in place of the one of the same preset that has acted or still acts."""
    if any(row["id"] == body["id"] for row in _faults(world)):
        world.delete(f"faults/{quote_segment(body['id'])}")
    return world.post("faults", body)


def panel(world: WorldControl, now: str) -> list[Shown]:
    """All presets, with what they do now and did before."""
    faults = {row["id"]: row for row in _faults(world)}
    return [_outage(world, now) if each.name == OUTAGE else _shown(world, each, faults, now) for each in PRESETS]


def _faults(world: WorldControl) -> list[Row]:
    rows: list[Row] = world.get("faults", limit=1000)["faults"]
    return rows


def _choices(preset: Preset) -> list[tuple[str, str]]:
    return [(each, TIMES[each] if each in TIMES else SPANS[each][0]) for each in preset.choices]


def _shown(world: WorldControl, preset: Preset, faults: Mapping[str, Row], now: str) -> Shown:
    fault = faults.get(preset.name)
    if fault is None:
        return Shown(preset, _choices(preset), "", "", None)
    call = None
    if fault["hits"] and "webhook" not in preset.effect:
        calls = world.get("calls", fault=preset.name, order="newest", limit=1, bodies=False)["calls"]
        call = calls[0]["seq"] if calls else None
    used = f"Used {plural(fault['hits'], 'time')}" if fault["hits"] else ""
    return Shown(preset, _choices(preset), _left(fault, now), used, call)


def _left(fault: Row, now: str) -> str:
    """How long a fault will still act; "" if it has ended."""
    when = fault["when"]
    if "first" in when:
        rest = when["first"] - fault["hits"]
        return "" if rest <= 0 else "waits for the next one" if rest == 1 else f"{rest} more"
    return _rest(when["to"], now) if now < when["to"] else ""


def _outage(world: WorldControl, now: str) -> Shown:
    preset = BY_NAME[OUTAGE]
    outages = [row["outage"] for row in world.get("receivers", limit=1000)["receivers"] if row["outage"]]
    ends = [each["to"] for each in outages if each["from"] <= now < each["to"]]
    return Shown(preset, _choices(preset), _rest(max(ends), now) if ends else "", "", None)


def _rest(end: str, now: str) -> str:
    return f"{until(end, now).removeprefix('in ')} left"
