"""The state machines that the control API lists: the tables that run, with their words and sources."""

from __future__ import annotations

from typing import Any

from giftsim import Simulator
from giftsim.build import MACHINES


def machines() -> dict[str, Any]:
    listed = Simulator(fixture="bare").client.call("GET", "/_sim/v1/machines").json()["machines"]
    return {machine["name"]: machine for machine in listed}


def test_the_listed_transitions_are_those_of_the_tables() -> None:
    listed = {
        name: [(row["from"], row["trigger"], row["to"], row["by_itself"]) for row in machine["transitions"]]
        for name, machine in machines().items()
    }
    assert listed == {
        machine.name: [(row.state, row.trigger, row.target, row.after is not None) for row in machine.rows]
        for machine in MACHINES
    }


def test_states_say_whether_records_begin_or_end_there() -> None:
    states = {row["state"]: row for row in machines()["shipment"]["states"]}
    assert states["awaiting"] == {"state": "awaiting", "initial": True, "final": False}
    assert states["delivered"] == {"state": "delivered", "initial": False, "final": True}


def test_a_transition_says_what_it_does_when_and_how_sure_that_is() -> None:
    [produce] = [
        row for row in machines()["shipment"]["transitions"] if row["by_itself"] and row["trigger"] == "produce"
    ]
    assert (produce["because"], produce["settings"]) == ("production starts", ["partner.lead_times.production"])
    assert produce["does"].startswith("Production starts.")
    bases = {source["id"]: source["basis"] for source in produce["sources"]}
    assert bases["P-1.2"] == "documented"
    assert bases["B25"] != "documented"
