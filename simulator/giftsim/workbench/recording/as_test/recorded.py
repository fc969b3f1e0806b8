"""Plays a recording, and says what a test must do to see the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.client.response import Client
from giftsim.engine.kernel.instants import SECOND, format_duration, parse_instant
from giftsim.workbench.recording.as_test.acts import Act
from giftsim.workbench.recording.as_test.answer_references import Answers
from giftsim.workbench.recording.as_test.literals import Binary, Path, Reference, Template
from giftsim.workbench.recording.as_test.parts import Call, ControlCall, Part, RecordedTest, Webhooks
from giftsim.workbench.recording.as_test.played import NotATest, check_passed, check_writable, recording_of
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.runner import ScenarioRun
from giftsim.workbench.scenario.variables import with_instants

Step = Mapping[str, Any]
_WORLD: Final = ("fixture", "seed", "now", "settings")
_HOOK_OBJECTS: Final = 2  # objects of a webhook's data that are compared


def recorded_test(scenario: Scenario, client: Client) -> RecordedTest:
    """The test that does and sees what a scenario does, such as a recording. It is played over a client.

    NotATest if it fails, or if it has what a test cannot do.
    """
    check_writable(scenario)
    run = ScenarioRun(recording_of(scenario, client), client)
    try:
        return _Witness(run).test(scenario.name)
    finally:
        run.delete_worlds()


class _Witness:
    """Watches how a recording is played."""

    def __init__(self, run: ScenarioRun) -> None:
        self.run, self.data = run, run.scenario.source.data
        self.answers = Answers(self.data.get("vars", {}))
        self.seen: dict[str, tuple[str, ...]] = {}

    def test(self, title: str) -> RecordedTest:
        """The whole test."""
        parts = tuple(part for step in self.data["steps"] for part in self._step(step))
        if not parts:
            raise NotATest("nothing was done in it")
        world = {name: self.answers.data(self.data[name]) for name in _WORLD if name in self.data}
        return RecordedTest(" ".join(title.split()), world, parts, self.answers.used)

    def _step(self, step: Step) -> Iterator[Part]:
        context = self.run.context
        before = context.main_world.now if context else ""
        self.run.play_step() if context else None
        check_passed(self.run.reports)
        yield from self._parts(step, before)
        yield from self._webhooks()

    def _parts(self, step: Step, before: str) -> Iterator[Part]:
        if "call" in step:
            yield self._call(step)
        elif "control" in step:
            yield self._control(step)
        elif "advance" in step:
            span = parse_instant(step["advance"]["to"]) - parse_instant(before)
            target = step["advance"] if span <= 0 or span % SECOND else format_duration(span)
            yield Act("advance", target, {})
        elif "simulate" in step:
            yield Act("verb", step["simulate"], self.answers.data(step.get("with", {})))
        elif "rehearse" in step:
            yield Act("rehearse", step["rehearse"], self.answers.data(step.get("with", {})))
        elif "receiver" in step:
            yield self._receiver(step["receiver"])
        elif "fault" in step:
            yield self._fault(step["fault"])
        elif "expect" not in step or len(step) > 1:
            kind = next(name for name in ("settings", "snapshot", "restore", "undo") if name in step)
            value = self.answers.data(step[kind]) if kind == "settings" else step[kind]
            yield Act(kind, value, {})

    def _call(self, step: Step) -> Call:
        method, _, path = step["call"].partition(" ")
        recorded, expect = step.get("recorded", {}), step.get("expect", {})
        body = _decoded(recorded.get("body"))
        status = None if "connection" in expect else recorded.get("status", expect.get("status", 200))
        sent: Any = Binary(step["base64"]) if "base64" in step else self.answers.data(step.get("body"))
        credential, key = self._credential(step.get("as"))
        call = Call(
            name=self.answers.name(body, "answer"), method=method, path=self.answers.path(path), body=sent,
            credential=credential, headers=key | self.answers.data(step.get("headers", {})),
            status=status, members=dict(_members(body, status or 0)),
        )  # fmt: skip
        if status is not None:
            self.answers.add(call.name, step["call"], body if status < 300 else None, step.get("save", {}))
        return call

    def _credential(self, name: str | None) -> tuple[str | None, dict[str, Any]]:
        """The name of a credential of the world, or the header with a key that an earlier call created."""
        known = None if name is None else self.answers.data(name)
        created = next((part for part in getattr(known, "parts", ()) if isinstance(part, Reference)), None)
        if created is None:
            return name, {}
        return None, {"Authorization": Template(("Bearer ", msgspec.structs.replace(created, split="")))}

    def _control(self, step: Step) -> ControlCall:
        method, _, path = step["control"].partition(" ")
        refused = step.get("expect", {}).get("status", 200) >= 300
        name, body = self.answers.name(None, "shown"), self.answers.data(step.get("body"))
        call = ControlCall(name, method, self.answers.path(path), body, refused)
        self.answers.add(name, step["control"], None, step.get("save", {}), is_answer=False)
        return call

    def _receiver(self, receiver: Step) -> Act:
        members = {name: self.answers.data(each) for name, each in receiver.items() if name not in ("host", "optional")}
        mode = {} if "mode" in receiver else {"mode": "forward" if "to" in receiver else "capture"}
        return Act("receiver", receiver["host"], mode | members)

    def _fault(self, fault: Step) -> Act:
        if "clear" in fault:
            path = "/faults" if fault["clear"] == "all" else f"/faults/{fault['clear']}"
            return Act("control", f"DELETE {path}", {})
        start = parse_instant(self.data["now"])
        choices = {name: self.answers.data(fault[name]) for name in ("id", "match") if name in fault}
        if "when" in fault:
            choices["when"] = self.answers.data(with_instants(fault["when"], ("from", "to"), start))
        return Act("fault", self.answers.data(fault["effect"]), choices)

    def _webhooks(self) -> Iterator[Webhooks]:
        """The types of which the step has made new attempts."""
        rows = self.run.context.main_world.rows("deliveries") if self.run.context else []
        kinds: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            kinds.setdefault(row["type"], []).append(row)
        for kind, attempts in kinds.items():
            outcomes = tuple(str(each["outcome"]) for each in attempts)
            if outcomes != self.seen.get(kind):
                yield Webhooks(kind, outcomes, self._known(attempts[0]) if len(attempts) == 1 else {})
        self.seen = {kind: tuple(str(each["outcome"]) for each in attempts) for kind, attempts in kinds.items()}

    def _known(self, attempt: Mapping[str, Any]) -> Mapping[str, Any]:
        """The members of a webhook's data that name records of earlier answers."""
        data = (_decoded(attempt["request"]["body"]) or {}).get("data", {})
        found = {}
        for name, value in data.items():
            if isinstance(value, Mapping) and "id" in value:
                reference = self.answers.data(value["id"], f"{name}_id")
                if not isinstance(reference, int | str) and hasattr(reference, "path"):
                    found[name] = {"id": reference}
        return dict(list(found.items())[:_HOOK_OBJECTS])


def _decoded(body: Any) -> Any:
    """The JSON in a recorded body; None if it has none."""
    try:
        return msgspec.json.decode(body)
    except (TypeError, msgspec.DecodeError):
        return None


def _members(body: Any, status: int) -> Iterator[tuple[Path, Any]]:
    """What a test compares of an answer: the code of an error, and the statuses of what was created or read."""
    if not isinstance(body, Mapping):
        return
    if status >= 400:
        error = body.get("error", body)
        if isinstance(error, Mapping) and isinstance(error.get("code"), str):
            yield ("error", "code") if error is not body else ("code",), error["code"]
        elif isinstance(error, str):
            yield ("error",), error
        return
    for name, value in body.items():
        if name == "status" and isinstance(value, str):
            yield (name,), value
        elif isinstance(value, Mapping) and isinstance(value.get("status"), str):
            yield (name, "status"), value["status"]
