"""Traces of worlds, checked against their schema, and the state that their changes add up to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

import giftsim.workbench.trace
from tests.support.worlds import World

SCHEMA = json.loads((Path(giftsim.workbench.trace.__file__).parent / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
Trace = dict[str, Any]


def trace_of(world: World) -> Trace:
    """The data of a world's trace, which fit the schema, and which its log leads to again."""
    response = world.control.get(f"/worlds/{world.id}/trace?format=json")
    assert response.status == 200, response.text
    trace: Trace = response.json()
    check_format(trace)
    assert trace["world"]["same"]
    return trace


def check_format(trace: Trace) -> None:
    """Assert that data fit the schema, and that the causes of an entry come before it."""
    errors = [f"{error.instance_path}: {error.message}" for error in VALIDATOR.iter_errors(trace)]
    assert errors == []
    assert [entry["n"] for entry in trace["entries"]] == list(range(1, len(trace["entries"]) + 1))
    assert all(cause["n"] < entry["n"] for entry in trace["entries"] for cause in entry.get("causes", ()))


def entries(trace: Trace, kind: str, title: str = "") -> list[Any]:
    """The entries of a kind whose title has a text."""
    return [entry for entry in trace["entries"] if entry["kind"] == kind and title in entry["title"]]


def causes(trace: Trace, entry: Any) -> dict[str, Any]:
    """The causes of an entry by how they led to it."""
    return {cause["how"]: trace["entries"][cause["n"] - 1] for cause in entry.get("causes", ())}


def state_after(trace: Trace, n: int) -> tuple[dict[str, Any], set[int]]:
    """The records by their keys, and the ids of the live timers, after entry `n`."""
    records = {key: dict(members) for key, members in trace["start"]["records"].items()}
    timers = {timer["id"] for timer in trace["start"]["timers"]}
    for entry in trace["entries"][:n]:
        timers |= {timer["id"] for timer in entry.get("set", ())}
        timers -= {*entry.get("canceled", ()), entry.get("timer", {}).get("id")}
        for change in entry.get("changes", ()):
            apply(records, change)
    return records, timers


def apply(records: dict[str, Any], change: Any) -> None:
    """Apply a change to records, which must be as they were before it."""
    key, members = change["record"], change["members"]
    if change["what"] == "added":
        assert key not in records
        records[key] = dict(members)
    elif change["what"] == "removed":
        assert {name: value for name, value in records.pop(key).items() if value not in (None, "", [])} == members
    else:
        for name, (before, after) in members.items():
            assert records[key].get(name) == before or before in ("", [])
            records[key][name] = after
