"""The command `replay`: plays recordings and shows the first response that differs from the recorded one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giftsim.build import Simulator

if TYPE_CHECKING:
    from giftsim.scenario.recorded_response import RecordedResponse
    from giftsim.scenario.report import Report, StepReport


@dataclass(frozen=True)
class ReplayedFile:
    """The result of one file: `outcome` is `same`, `different` or `refused`; `text` and `data` describe it."""

    path: str
    outcome: str
    text: str
    data: dict[str, Any]


def replay_files(files: tuple[str, ...], width: int) -> Iterator[ReplayedFile]:
    """Play recordings, each in a fresh world of a new simulator; `width` is the number of columns for a difference."""
    from giftsim.scenario import InvalidScenario, check, load, play
    from giftsim.scenario.yaml_source import RECORDING_LIMITS

    for path in files:
        simulator = Simulator(fixture="bare")
        try:
            scenario = load(Path(path), limits=RECORDING_LIMITS)
            check(scenario, simulator.client)
            yield _result(path, play(scenario, simulator.client), width)
        except InvalidScenario as error:
            data = {"file": path, "outcome": "refused", "error": str(error)}
            yield ReplayedFile(path, "refused", f"refused: {error}", data)
        finally:
            simulator.close()


def _result(path: str, report: Report, width: int) -> ReplayedFile:
    data: dict[str, Any] = {"file": path, "outcome": "same", "steps": len(report.steps)}
    failed = next((step for step in report.steps if step.outcome == "failed"), None)
    if failed is None:
        return ReplayedFile(path, "same", f"same: {path}, {len(report.steps)} steps", data)
    data |= {"outcome": "different", "step": failed.number, "line": failed.line, "title": failed.title}
    data["detail"] = failed.detail
    if difference := failed.difference:
        data |= {
            "recorded": _response_data(difference.recorded),
            "now": difference.actual and _response_data(difference.actual),
        }
    return ReplayedFile(path, "different", _text(path, failed, width), data)


def _text(path: str, step: StepReport, width: int) -> str:
    if step.difference is None:
        return f"different: {step.detail}"
    place = f"{path}:{step.line}: step {step.number}, {step.title}"
    return f"different: {place}\n{step.difference.summary}\n{step.difference.side_by_side(max((width - 5) // 2, 20))}"


def _response_data(response: RecordedResponse) -> dict[str, Any]:
    body = response.body.decode("utf-8", "replace")
    return {"status": response.status, "headers": dict(response.headers), "body": body}
