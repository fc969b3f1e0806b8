"""Recordings played again: every answer must come as it was, or the first that differs is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giftsim.build import Simulator

if TYPE_CHECKING:
    from giftsim.scenario.recorded_response import Recorded
    from giftsim.scenario.report import Report, StepReport


@dataclass(frozen=True)
class Replayed:
    """What became of one file: `outcome` is `same`, `different` or `refused`."""

    path: str
    outcome: str
    told: str
    data: dict[str, Any]


def replay_files(files: tuple[str, ...], width: int) -> Iterator[Replayed]:
    """Play recordings, each in a fresh world of a fresh simulator; differences are shown in `width` columns."""
    from giftsim.scenario import InvalidScenario, load, play
    from giftsim.scenario.yaml_source import RECORDED

    for path in files:
        try:
            scenario = load(Path(path), bounds=RECORDED)
        except InvalidScenario as refusal:
            yield Replayed(
                path, "refused", f"refused: {refusal}", {"file": path, "outcome": "refused", "error": str(refusal)}
            )
            continue
        simulator = Simulator(fixture="bare")
        try:
            yield _replayed(path, play(scenario, simulator.client), width)
        finally:
            simulator.close()


def _replayed(path: str, report: Report, width: int) -> Replayed:
    data: dict[str, Any] = {"file": path, "outcome": "same", "steps": len(report.steps)}
    failed = next((step for step in report.steps if step.outcome == "failed"), None)
    if failed is None:
        return Replayed(path, "same", f"same: {path}, {len(report.steps)} steps", data)
    data |= {"outcome": "different", "step": failed.number, "line": failed.line, "title": failed.title}
    data["detail"] = failed.detail
    if found := failed.difference:
        data |= {"recorded": _said(found.recorded), "now": found.now and _said(found.now)}
    return Replayed(path, "different", _shown(path, failed, width), data)


def _shown(path: str, step: StepReport, width: int) -> str:
    if step.difference is None:
        return f"different: {step.detail}"
    place = f"{path}:{step.line}: step {step.number}, {step.title}"
    return f"different: {place}\n{step.difference.brief}\n{step.difference.beside(max((width - 5) // 2, 20))}"


def _said(answer: Recorded) -> dict[str, Any]:
    body = answer.body.decode("utf-8", "replace")
    return {"status": answer.status, "headers": dict(answer.headers), "body": body}
