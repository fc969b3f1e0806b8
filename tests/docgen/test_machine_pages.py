"""The pages of the state machines: their words are those of the machines, and each line names its source."""

from __future__ import annotations

from itertools import chain

from giftsim.build import MACHINES, make_definitions
from giftsim.docgen.machine_pages import machine_list, machines, timers
from giftsim.statements.decision import load_decisions
from giftsim.statements.machine_texts import TEXTS_FILE, load_texts
from giftsim.statements.statement import load_claims

HELP = f"{TEXTS_FILE.name} says what the machines model"
TRIGGERS = {machine.name: {row.trigger for row in machine.rows} for machine in MACHINES}
TIMED = {machine.name: {row.trigger for row in machine.rows if row.after} for machine in MACHINES}

# Triggers that fall due by a timer which is not their own row's.
BY_OTHER_TIMERS = {("delivery", "fail")}


def test_every_trigger_of_every_machine_has_its_words() -> None:
    assert {name: set(text.triggers) for name, text in load_texts().machines.items()} == TRIGGERS, HELP


def test_the_triggers_that_fall_due_by_themselves_say_when() -> None:
    said = {(name, trigger) for name, text in load_texts().machines.items() for trigger in text.triggers
            if text.triggers[trigger].after}  # fmt: skip
    timed = {(name, trigger) for name, triggers in TIMED.items() for trigger in triggers}
    assert said == timed | BY_OTHER_TIMERS, HELP


def test_every_other_timer_has_its_words() -> None:
    of_machines = {f"{name}.{trigger}" for name, triggers in TIMED.items() for trigger in triggers}
    assert set(load_texts().timers) == set(make_definitions().timers) - of_machines, HELP


def test_every_line_names_sources_and_settings_that_exist() -> None:
    texts = load_texts()
    triggers = list(chain(texts.timers.values(), *(text.triggers.values() for text in texts.machines.values())))
    ids = load_claims().keys() | load_decisions().keys()
    assert [each.does for each in (*triggers,) if not each.source or not ids.issuperset(each.source)] == []
    assert [name for name, text in texts.machines.items() if not text.source or not ids.issuperset(text.source)] == []
    assert {name for each in triggers for name in each.settings} <= make_definitions().settings.keys()


def test_a_machine_is_drawn_with_its_triggers_and_its_timetable() -> None:
    [shipment] = [part for part in machines().split("\n## ") if part.startswith("shipment\n")]
    assert "](machines/shipment.svg)\n" in shipment
    assert "| `claim` | `awaiting`, `expired` to `submitted` | The recipient enters an address" in shipment
    when = "after payment and address, and not before the day `ship_on`; half with rush"
    setting = "`partner.lead_times.production` (24h)"
    assert f"| `submitted` | `produce` | {when} | {setting} | [P-1.2](claims.md#p-12)" in shipment


def test_retries_of_deliveries_have_the_schedule_that_runs() -> None:
    assert "5m, 15m, 1h, 3h, 6h, 12h, 1d, 2d after the previous attempt" in timers()


def test_the_list_links_to_every_machine() -> None:
    assert all(f"[{machine.name}](state-machines.md#" in machine_list() for machine in MACHINES)
