"""One step as the file has it, and what each kind of step makes of its members."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, NamedTuple

from giftsim.scenario.saved_values import Saving, saving
from giftsim.scenario.step import (
    NOTHING,
    Advance,
    App,
    Await,
    Call,
    Clear,
    Control,
    Expect,
    Fault,
    Fork,
    Receiver,
    Restore,
    Settings,
    Simulate,
    Snapshot,
    Step,
    Undo,
)
from giftsim.scenario.yaml_source import Source, Trail


class Layer(NamedTuple):
    """What a loop or an include gives to the steps within: values by name, where they stand, which item it is."""

    source: Source
    values: Mapping[str, Any]
    places: Mapping[str, Trail]
    said: str = ""


class Around(NamedTuple):
    """The loops and includes that a step stands in, outermost first, and the files that lead to it."""

    layers: tuple[Layer, ...] = ()
    files: tuple[str, ...] = ()

    def within(self, layer: Layer) -> Around:
        """The same with one more inside."""
        return self._replace(layers=(*self.layers, layer))

    @property
    def names(self) -> dict[str, Any]:
        """The names that all of them give; the innermost counts."""
        return {name: value for layer in self.layers for name, value in layer.values.items()}

    @property
    def said(self) -> str:
        """Which items of the loops these are."""
        return ", ".join(layer.said for layer in self.layers if layer.said)


NOWHERE = Around()


class Draft(NamedTuple):
    """A step that is not read yet: the file it stands in, where, and its number in the whole story from 1."""

    source: Source
    trail: Trail
    kind: str
    number: int
    around: Around = NOWHERE

    @property
    def data(self) -> Mapping[str, Any]:
        """The step's members."""
        members: Mapping[str, Any] = self.source.at(self.trail)
        return members

    @property
    def place(self) -> dict[str, Any]:
        """What the step has in common with every other."""
        return {
            "kind": self.kind,
            "number": self.number,
            "file": self.source.file,
            "line": self.source.mark(self.trail).line,
            "within": self.around.said,
            "scope": tuple(layer.values for layer in self.around.layers),
            "world": self.data.get("in"),
            "expect": self.data.get("expect", NOTHING),
        }


def call(draft: Draft) -> Step:
    """A client's call."""
    credential = draft.data.get("as")
    title = f"{draft.data['call']} as {credential}" if credential else draft.data["call"]
    return Call(**draft.place, **_request(draft, "call"), title=title, credential=credential)


def app(draft: Draft) -> Step:
    """A call to the downstream app."""
    return App(**draft.place, **_request(draft, "app"), title=f"app {draft.data['app']}")


def _request(draft: Draft, name: str) -> dict[str, Any]:
    """What all calls say: where they go and what they take along."""
    data = draft.data
    method, _, path = data[name].partition(" ")
    return {
        "method": method,
        "path": path,
        "headers": data.get("headers", NOTHING),
        "body": b64decode(data["base64"]) if "base64" in data else data.get("body"),
        "repeat": data.get("repeat"),
        "recorded": data.get("recorded"),
        "background": data.get("background"),
        "saves": _saves(draft),
    }


def control(draft: Draft) -> Step:
    """A call to the control plane."""
    data = draft.data
    method, _, path = data["control"].partition(" ")
    told = {"method": method, "path": path, "body": data.get("body"), "saves": _saves(draft)}
    return Control(**draft.place, **told, title=f"control {data['control']}")


def awaited(draft: Draft) -> Step:
    """The answer of a call in the background."""
    name = draft.data["await"]
    return Await(
        **draft.place, title=f"await {name}", name=name, saves=_saves(draft), recorded=draft.data.get("recorded")
    )


def simulate(draft: Draft) -> Step:
    """A verb of the outside world."""
    verb, members = draft.data["simulate"], draft.data.get("with", NOTHING)
    return Simulate(**draft.place, title=f"simulate {verb}", verb=verb, members=members, saves=_saves(draft))


def _saves(draft: Draft) -> tuple[Saving, ...]:
    saves: Mapping[str, str] = draft.data.get("save", {})
    return tuple(_saving(draft, name, text) for name, text in saves.items())


def _saving(draft: Draft, name: str, text: str) -> Saving:
    try:
        return saving(name, text)
    except ValueError as error:
        raise draft.source.refuse((*draft.trail, "save", name), str(error)) from None


def advance(draft: Draft) -> Step:
    """Time that passes."""
    told = draft.data["advance"]
    if isinstance(told, str):
        return Advance(**draft.place, title=f"advance {told}", how="by", value=told)
    [(how, value)] = told.items()
    return Advance(**draft.place, title=f"advance {how} {value}", how=how, value=value)


def receiver(draft: Draft) -> Step:
    """Who answers for a host."""
    told = draft.data["receiver"]
    members = {"mode": "forward" if "to" in told else "capture", **told}
    host, optional = members.pop("host"), members.pop("optional", False)
    return Receiver(**draft.place, title=f"receiver {host}", host=host, members=members, optional=optional)


def fault(draft: Draft) -> Step:
    """A fault that begins, or ends."""
    told = draft.data["fault"]
    if "clear" in told:
        name = None if told["clear"] == "all" else told["clear"]
        return Clear(**draft.place, title=f"clear fault {told['clear']}", fault=name)
    members = {name: member for name, member in told.items() if name != "optional"}
    title = f"fault {told.get('id', ', '.join(told['effect']))}"
    return Fault(**draft.place, title=title, members=members, optional=told.get("optional", False))


def settings(draft: Draft) -> Step:
    """Settings that change."""
    told = draft.data["settings"]
    return Settings(**draft.place, title=f"settings {', '.join(told)}", members=told)


def snapshot(draft: Draft) -> Step:
    """A moment to keep."""
    return Snapshot(**draft.place, title=f"snapshot {draft.data['snapshot']}", name=draft.data["snapshot"])


def restore(draft: Draft) -> Step:
    """A kept moment to go back to."""
    return Restore(**draft.place, title=f"restore {draft.data['restore']}", name=draft.data["restore"])


def undo(draft: Draft) -> Step:
    """Writes to take back."""
    return Undo(**draft.place, title=f"undo {draft.data['undo']}", count=int(draft.data["undo"]))


def fork(draft: Draft) -> Step:
    """A world to branch off."""
    return Fork(**draft.place, title=f"fork {draft.data['fork']}", name=draft.data["fork"])


def expect(draft: Draft) -> Step:
    """A look at all there was."""
    return Expect(**draft.place, title=f"expect {', '.join(draft.data['expect'])}")
