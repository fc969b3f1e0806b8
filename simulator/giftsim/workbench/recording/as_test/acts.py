"""What happens around an app, as calls of the fixture `giftsim` in Python and of a `world` in TypeScript."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.workbench.recording.as_test.literals import WIDTH, Python, TypeScript, write_literal

PYTHON: Final = Python()
TYPESCRIPT: Final = TypeScript()


class Act(msgspec.Struct, frozen=True):
    """What happens around the app, such as a verb or a fault. `target` is what it names first, such as the verb."""

    kind: str
    target: Any
    members: Mapping[str, Any]


def python_act(act: Act) -> str:
    """The call of the fixture that does it."""
    target, members = act.target, act.members
    match act.kind:
        case "verb":
            return python_function("simulate", [PYTHON.text(target)], members)
        case "fault":
            return python_function("fault", [], {**target, **members})
        case "subscribe":
            return python_function("subscribe", [PYTHON.text(each) for each in target], members)
        case "control":
            method, _, path = target.partition(" ")
            return python_function("control", [PYTHON.text(method), PYTHON.text(path)], members)
        case "settings":
            return python_function("settings", [target], {})
    if isinstance(target, Mapping):
        return python_function(act.kind, [], target)
    return python_function(act.kind, [PYTHON.text(target)], members)


def python_function(name: str, arguments: list[Any], named: Mapping[str, Any]) -> str:
    """A call of a method of the fixture, on one line if it fits. Texts among `arguments` are code already."""

    def written(room: int) -> list[str]:
        given = [each if isinstance(each, str) else write_literal(each, PYTHON, room, 1) for each in arguments]
        return given + [f"{member}={write_literal(value, PYTHON, room - 12, 1)}" for member, value in named.items()]

    line = f"giftsim.{name}({', '.join(written(WIDTH))})"
    if "\n" not in line and len(line) <= WIDTH - 24:
        return line
    return f"giftsim.{name}(\n" + "".join(f"    {each},\n" for each in written(WIDTH - 14)) + ")"


def option(value: Mapping[str, Any], room: int, language: TypeScript = TYPESCRIPT) -> str:
    """Options as the last argument of a call, if there are any."""
    return f", {write_literal(value, language, room)}" if value else ""


def typescript_act(act: Act, language: TypeScript = TYPESCRIPT) -> str:
    """The call of a world that does it, without `await world.`."""
    target, members, room = act.target, act.members, WIDTH - 40
    match act.kind:
        case "verb":
            return f"simulate({TYPESCRIPT.text(target)}, {write_literal(members, language, room)})"
        case "subscribe":
            more = [TYPESCRIPT.text(members[name]) for name in ("url", "credential") if name in members]
            return f"subscribe({', '.join([write_literal(target, language, room), *more])})"
        case "control":
            method, _, path = target.partition(" ")
            return f"control({TYPESCRIPT.text(method)}, {TYPESCRIPT.text(path)})"
    first = language.text(target) if isinstance(target, str) else write_literal(target, language, room)
    return f"{act.kind}({first}{option(members, WIDTH - 20 - len(first), language)})"
