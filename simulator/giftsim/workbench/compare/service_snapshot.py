"""A snapshot: the masked answers of a service, by which later runs compare without it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from giftsim import __version__
from giftsim.engine.system import read_file
from giftsim.workbench.compare.counterpart import Key, TimedAnswer
from giftsim.workbench.compare.library import name_in_snapshot
from giftsim.workbench.compare.mask import Answer
from giftsim.workbench.compare.side import NotKnown
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.steps.call_steps import Call

FORMAT = 1
MOST_BYTES = 32 * 1024 * 1024
FIRST_LINE = '{\n "giftsim_snapshot"'


class RecordedAnswer(msgspec.Struct, frozen=True):
    """The answer to one call: its step and its repetition, and the call as the file has it."""

    step: int
    repetition: int
    call: str
    answer: Answer


class RecordedScenario(msgspec.Struct, frozen=True):
    """The answers to the calls of one scenario. `digest` tells whether the file has changed since."""

    file: str
    title: str
    digest: str
    answers: list[RecordedAnswer]


class Snapshot(msgspec.Struct, frozen=True):
    """What a service answered. `now` is when the worlds beside it began, `patience_s` the longest wait there was."""

    giftsim_snapshot: int
    version: str
    now: str
    patience_s: float
    scenarios: list[RecordedScenario]


class RecordedService:
    """Answers the calls of one scenario from a snapshot, and knows no others."""

    def __init__(self, recorded: RecordedScenario) -> None:
        self._answers: Mapping[Key, Answer] = {
            Key(each.step, each.repetition): each.answer for each in recorded.answers
        }

    def answer(self, step: Call, key: Key, number: int | None) -> TimedAnswer:  # noqa: ARG002 - a service needs it
        """The recorded answer to a step. NotKnown if there is none."""
        if key not in self._answers:
            raise NotKnown("the snapshot has no answer to it")
        return TimedAnswer(self._answers[key])

    def pause(self, span_s: float) -> None:
        """Nothing waits for a recorded answer."""


class Recorder:
    """Keeps the answers of a service."""

    def __init__(self, file: Path, now: str, patience_s: float) -> None:
        self._folder = file.parent
        self._snapshot = Snapshot(FORMAT, __version__, now, patience_s, [])

    def begin(self, scenario: Scenario) -> None:
        """Keep the answers to another scenario."""
        name = name_in_snapshot(Path(scenario.file), self._folder)
        self._snapshot.scenarios.append(RecordedScenario(name, scenario.name, digest(scenario), []))

    def keep(self, step: Call, key: Key, answer: Answer) -> None:
        """Keep an answer."""
        self._snapshot.scenarios[-1].answers.append(RecordedAnswer(*key, f"{step.method} {step.path}", answer))

    def text(self) -> str:
        """The snapshot as a file."""
        return json.dumps(msgspec.to_builtins(self._snapshot), indent=1, ensure_ascii=False) + "\n"


def digest(scenario: Scenario) -> str:
    """A hash of what a scenario does; comments and blank lines do not count."""
    return sha256(json.dumps(scenario.source.data, sort_keys=True, default=str).encode()).hexdigest()[:16]


def read_snapshot(path: Path) -> Snapshot:
    """Read a snapshot; CannotCompare if the file is none."""
    try:
        snapshot = msgspec.json.decode(read_file(path, MOST_BYTES), type=Snapshot)
    except OSError as error:
        raise CannotCompare(f"--snapshot {path}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise CannotCompare(f"--snapshot {path} is not a snapshot of `giftsim compare --record`: {error}") from None
    if snapshot.giftsim_snapshot != FORMAT:
        raise CannotCompare(
            f"--snapshot {path} has format {snapshot.giftsim_snapshot}, and this version reads {FORMAT}"
        )
    return snapshot
