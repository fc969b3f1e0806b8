"""A test of a recording for Vitest, with the fixture `world` of the client for Node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.recording.as_test.acts import TYPESCRIPT, typescript_act
from giftsim.workbench.recording.as_test.literals import WIDTH, Path, TypeScript, camel, write_literal
from giftsim.workbench.recording.as_test.parts import Call, ControlCall, Part, RecordedTest, Webhooks


def vitest_text(test: RecordedTest, name: str, origin: str, *, typed: bool) -> str:
    """The module, in TypeScript if it is `typed`. `name` is that of the test, and `origin` says what wrote it."""
    writer = _Writer(test, TypeScript(typed=typed))
    title = writer.language.text(name.replace("_", " "))
    lines = [line for part in test.parts for line in writer.lines(part).splitlines()]
    options = ", ".join(f"{name}: {writer.option(name, value)}" for name, value in test.world.items())
    imports = "import { expect, test as base } from 'vitest'\nimport { worldFixture } from 'giftsim/vitest'\n"
    types = "import type { World } from 'giftsim'\n" if typed else ""
    kind = "<{ world: World }>" if typed else ""
    extended = f"const test = base.extend{kind}({{\n  world: worldFixture({{ {options} }}),\n}})"
    head = f"// {one_line(test.title)}, {origin}.\n{imports}{types}"
    body = "".join(f"  {line}\n" for line in lines)
    return f"{head}\n{extended}\n\ntest({title}, async ({{ world }}) => {{\n{body}}})\n"


class _Writer:
    def __init__(self, test: RecordedTest, language: TypeScript) -> None:
        self.test, self.language = test, language

    def literal(self, value: Any, room: int) -> str:
        return write_literal(value, self.language, room)

    def option(self, name: str, value: Any) -> str:
        """An option of the world; the type of a fixture has no members of its own."""
        text = self.literal(value, WIDTH).replace("\n", "\n  ")
        return f"{text} as object" if name == "fixture" and isinstance(value, Mapping) and self.language.typed else text

    def lines(self, part: Part) -> str:
        match part:
            case Call():
                return "\n".join(self._call(part))
            case ControlCall():
                return self._control(part)
            case Webhooks():
                return self._webhooks(part)
        return f"await world.{typescript_act(part, self.language)}"

    def _call(self, call: Call) -> Iterator[str]:
        options = {"credential": call.credential, "headers": call.headers}
        given = {name: value for name, value in options.items() if value}
        given |= {} if call.body is None else {"body": call.body}
        start = f"world.call({self.language.text(call.method)}, {self.literal(call.path, WIDTH)}"
        made = f"{start}, {self.literal(given, WIDTH - 50 - len(start))})" if given else f"{start})"
        if call.status is None:
            yield f"await expect({made}).rejects.toThrow()"
        elif call.name in self.test.used or call.members:
            shape = self._shape(call.name)
            yield f"const {camel(call.name)} = (await {made}).expect({call.status}){shape}"
            if call.members:
                members = self.literal(_nested(call.members), WIDTH - 40)
                yield f"expect({camel(call.name)}).toMatchObject({members})"
        else:
            yield f"expect((await {made}).status).toBe({call.status})"

    def _control(self, call: ControlCall) -> str:
        arguments = [self.language.text(call.method), self.literal(call.path, WIDTH)]
        arguments += [] if call.body is None else [self.literal(call.body, WIDTH - 50)]
        made = f"world.control({', '.join(arguments)})"
        if call.is_refused:
            return f"await expect({made}).rejects.toThrow()"
        if call.name in self.test.used:
            return f"const {camel(call.name)} = (await {made}){self._shape(call.name)}"
        return f"await {made}"

    def _webhooks(self, webhooks: Webhooks) -> str:
        attempts = [{"outcome": outcome} for outcome in webhooks.outcomes]
        expected = [{**each, "data": webhooks.data} for each in attempts] if webhooks.data else attempts
        sent = f"await world.deliveries({{ type: {self.language.text(webhooks.kind)} }})"
        return f"expect({sent}).toMatchObject({self.literal(expected, WIDTH - 30 - len(sent))})"

    def _shape(self, name: str) -> str:
        """The type of what later lines use of an answer."""
        used = self.test.used.get(name)
        return f" as {_type(used)}" if used and self.language.typed else ""


def _nested(members: Mapping[Path, Any]) -> dict[str, Any]:
    """Members by their paths, none of which has an index, as an object of objects."""
    found: dict[str, Any] = {}
    for path, value in members.items():
        inner = found
        for name in path[:-1]:
            inner = inner.setdefault(str(name), {})
        inner[str(path[-1])] = value
    return found


def _type(used: Mapping[Path, Any]) -> str:
    """The type that has what is at the paths."""
    if () in used:
        return "string" if isinstance(used[()], str) else "number"
    inner: dict[str | int, dict[Path, Any]] = {}
    for path, value in used.items():
        first = "" if isinstance(path[0], int) else path[0]
        inner.setdefault(first, {})[path[1:]] = value
    if "" in inner:
        return f"{_type(inner[''])}[]"
    members = "; ".join(f"{TYPESCRIPT.literals.member(str(name))}{_type(each)}" for name, each in inner.items())
    return f"{{ {members} }}"
