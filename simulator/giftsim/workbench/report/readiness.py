"""The readiness pack, played against an app. Each scenario that fails leaves its trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim import Simulator
from giftsim.engine.client.control import Control
from giftsim.engine.client.world import ClientWorld
from giftsim.services.statements.entry import source_texts
from giftsim.workbench.app.calls import WatchedApp, call_app
from giftsim.workbench.scenario import Report, check_scenario, load_scenario, play
from giftsim.workbench.scenario.library import READINESS, Library, LibraryEntry
from giftsim.workbench.scenario.play_report import facts_for_trace
from giftsim.workbench.trace.file import pack_page, read_trace_file

PASSED, FAILED, NOT_OFFERED = "passed", "failed", "not offered"
TRACES: Final = "traces"


class Played(msgspec.Struct, frozen=True):
    """A scenario that was played: how it ended and why, what it rests on, and its trace if it failed.

    The path of the trace is relative to the folder of the report.
    """

    name: str
    title: str
    outcome: str
    seed: int
    sources: dict[str, str]
    reason: str = ""
    trace: str | None = None


def scenarios() -> list[LibraryEntry]:
    """The scenarios of the readiness pack."""
    return [entry for entry in Library().entries() if entry.folder == READINESS]


def play_pack(app: str, folder: Path) -> Iterator[Played]:
    """Play each scenario against the app, and write the traces of those that fail below a folder."""
    with closing(Simulator(fixture="bare")) as simulator:
        simulator.serve_locally()
        for entry in scenarios():
            yield _play(simulator, entry, app, folder)


def _play(simulator: Simulator, entry: LibraryEntry, app: str, folder: Path) -> Played:
    caller = WatchedApp(call_app)
    scenario = load_scenario(entry.file, entry.path, app=app)
    check_scenario(scenario, simulator.client)
    report = play(scenario, simulator.client, keep=True, app_caller=caller)
    world = ClientWorld(Control(simulator.client), str(report.world))
    name = entry.name.removeprefix(f"{READINESS}.")
    played = Played(name, scenario.name, report.outcome, scenario.seed, source_texts(scenario.sources))
    try:
        if report.outcome == PASSED:
            return played
        if caller.not_offered is not None:
            return msgspec.structs.replace(played, outcome=NOT_OFFERED, reason=caller.not_offered)
        trace = f"{TRACES}/{name}.html"
        (folder / TRACES).mkdir(parents=True, exist_ok=True)
        (folder / trace).write_bytes(_reproducible(world.trace({"test": facts_for_trace(entry.path, report)})))
        return msgspec.structs.replace(played, reason=_reason(report), trace=trace)
    finally:
        world.call("DELETE")


def _reproducible(page: bytes) -> bytes:
    """A trace without the real time that the app took for its webhooks, and without calls of its world."""
    trace = read_trace_file(page)
    for verdict in trace.get("verdicts", ()):
        verdict["mend"]["curl"] = None
    return pack_page(msgspec.json.encode(_timeless(trace)), trace["test"]["id"])


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: 0 if name == "took_ms" and each else _timeless(each) for name, each in value.items()}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def _reason(report: Report) -> str:
    """Why a scenario failed: the step, each difference, and what the app answered."""
    failed = next(step for step in report.steps if step.outcome == FAILED)
    _, *why = failed.detail.splitlines()
    return "\n".join((f"step {failed.number}, {failed.title}", *(line.strip() for line in why)))
