"""Tests to paste, printed from a story: one for pytest, one for Vitest."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from giftsim.workbench.coverage.stories import AppCall, Story
from giftsim.workbench.recording.as_test.acts import (
    PYTHON,
    TYPESCRIPT,
    Act,
    option,
    python_act,
    python_function,
    typescript_act,
)
from giftsim.workbench.recording.as_test.literals import WIDTH

SERVICE: Final = "https://gifts.vendor.example"
AS_IN: Final = "YOUR APP and this world do here what the scenario {} does"
AGAIN: Final = "YOUR APP calls again; leave this out if it does so by itself"
# An event counts once an app has answered it. These stand in for the app: each attempt gets the answer of its receiver.
PYTHON_RECEIVER: Final = (
    "# YOUR APP gets the webhooks, such as: giftsim.deliver_to(your_app)",
    """\
for webhook in giftsim.webhooks():
    if webhook.status is not None:
        giftsim.control("POST", f"/deliveries/{webhook.seq}/app-answer", {"status": webhook.status})""",
)
TYPESCRIPT_RECEIVER: Final = (
    "// YOUR APP gets the webhooks, such as: await world.deliverTo('http://127.0.0.1:3000')",
    "await world.deliverTo(({ status }) => ({ status }))",
)


class Gap(msgspec.Struct, frozen=True):
    """An item of an area that was not met, and why it matters."""

    area: str
    item: str
    why: str

    @property
    def words(self) -> str:
        """The item as words that are joined by underscores."""
        return re.sub(r"\W+", "_", _snake(self.item)).strip("_").lower()


def pytest_skeleton(gap: Gap, story: Story) -> str:
    """A module with one test, for the fixture `giftsim`."""
    lines = list(_python_lines(story))
    if _has_endpoint(story):
        lines += PYTHON_RECEIVER
    caller = next((step for step in story if isinstance(step, AppCall) and step.is_apps), None)
    if caller is not None:
        route = f'with giftsim.route("{SERVICE}", "{caller.credential}"):  # the address that your app calls'
        lines = [route, *_indented(lines)]
    areas = 'giftsim.control("GET", "/coverage?next=false")["areas"]'
    met = f'met = {areas}["{gap.area}"]["met"]\nassert "{gap.item}" in met'
    imports = ["import pytest", "", ""] if any("pytest." in line for line in lines) else []
    head = f"def test_{gap.words}(giftsim):"
    return "\n".join([*imports, head, *_indented([_docstring(gap.why), *lines, met]), ""])


def vitest_skeleton(gap: Gap, story: Story) -> str:
    """A module with one test, for `giftsim/vitest`."""
    item = TYPESCRIPT.text(gap.item)
    met = [f"const {{ met }} = (await world.coverage()).areas.{gap.area}", f"expect(met).toContain({item})"]
    receiver = TYPESCRIPT_RECEIVER if _has_endpoint(story) else ()
    lines = [line.replace("\n", "\n  ") for line in (*_typescript_lines(story), *receiver, *met)]
    why = [f"// {line}" for line in textwrap.wrap(gap.why, WIDTH - 3, break_on_hyphens=False)]
    imports = ["import { expect } from 'vitest'", "import { test } from 'giftsim/vitest'", ""]
    head = f"test({item}, async ({{ world }}) => {{"
    return "\n".join([*imports, *why, head, *(f"  {line}" for line in lines), "})", ""])


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


def _docstring(why: str) -> str:
    lines = textwrap.wrap(why.replace("\\", "\\\\"), WIDTH - 10, break_on_hyphens=False)
    return '"""' + "\n".join(lines) + ('\n"""' if len(lines) > 1 or why.endswith('"') else '"""')


def _indented(blocks: Iterable[str]) -> Iterator[str]:
    for line in "\n".join(blocks).split("\n"):
        yield f"    {line}" if line else ""


def _has_endpoint(story: Story) -> bool:
    return any(step.operation.id == "createWebhook" if isinstance(step, AppCall) else step.kind == "subscribe"
               for step in story)  # fmt: skip


def _used_variables(story: Story) -> set[str]:
    """The variables that some step uses."""
    values = [
        (step.path, step.query, step.body) if isinstance(step, AppCall) else (step.target, step.members)
        for step in story
    ]
    return set(re.findall(r"'\$(\w+)", repr(values)))


def _comments(step: AppCall, app: str) -> Iterator[str]:
    """The comments above a call that tell the user what to do."""
    if step.is_apps:
        yield AGAIN if step.is_again else f"YOUR APP makes this call, such as: {app}(...)"


def _python_lines(story: Story) -> Iterator[str]:
    used = _used_variables(story)
    for step in story:
        if isinstance(step, Act):
            yield f"# {AS_IN.format(step.target)}" if step.kind == "scenario" else python_act(step)
            continue
        name = _snake(step.operation.id).lower()
        yield from (f"# {line}" for line in _comments(step, f"{step.save or 'answer'} = your_app.{name}"))
        call = _python_call(step)
        if step.is_lost:
            yield f"with pytest.raises(ConnectionError):  # your app may catch it\n{textwrap.indent(call, '    ')}"
        else:
            yield f"{step.save} = {call}.json()" if step.save in used else call


def _python_call(step: AppCall) -> str:
    query = "?" + "&".join(f"{name}={value}" for name, value in step.query.items()) if step.query else ""
    prefix = step.operation.document["servers"][0]["url"].rstrip("/")
    arguments: list[Any] = [step.operation.method, PYTHON.filled(prefix + step.operation.template + query, step.path)]
    arguments[0] = PYTHON.text(arguments[0])
    if step.body is not None:
        arguments.append(step.body)
    named = {"credential": step.credential, **({"headers": step.headers} if step.headers else {})}
    return python_function("call", arguments, named)


def _typescript_lines(story: Story) -> Iterator[str]:
    used = _used_variables(story)
    for step in story:
        if isinstance(step, Act):
            told = step.kind == "scenario"
            yield f"// {AS_IN.format(step.target)}" if told else f"await world.{typescript_act(step)}"
            continue
        yield from (f"// {line}" for line in _comments(step, f"await yourApp.{step.operation.id}"))
        if step.is_lost:
            yield f"await expect({_typescript_call(step, 50)}).rejects.toThrow() // your app may catch it"
        elif step.save in used:
            call = _typescript_call(step, WIDTH - 32 - len(str(step.save)))
            yield f"const {step.save} = (await {call}).expect({step.status or _success(step)})"
        else:
            yield f"await {_typescript_call(step, WIDTH - 10)}"


def _success(step: AppCall) -> int:
    documented = [status for status in step.operation.documented if status < 300]
    return 201 if 201 in documented else documented[0]


def _typescript_call(step: AppCall, room: int) -> str:
    credential = "" if step.interface == "museum" else TYPESCRIPT.text(step.credential)
    options = {"path": _texts(step), "query": step.query, "body": step.body, "headers": step.headers}
    given = {name: value for name, value in options.items() if value or (name == "body" and value is not None)}
    start = f"world.{step.interface}({credential}).{step.operation.method.lower()}("
    path = TYPESCRIPT.text(step.operation.template)
    return f"{start}{path}{option(given, room - len(start) - len(path))})"


def _texts(step: AppCall) -> dict[str, Any]:
    """The parameters of a path. Those that are texts are made texts, because ids of a team may be numbers."""
    texts = {each.name for each in step.operation.path_params if "string" in str(each.schema.get("type"))}
    return {name: f"{value}~" if name in texts and str(value).startswith("$") else value
            for name, value in step.path.items()}  # fmt: skip
