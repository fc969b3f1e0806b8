"""A test of a recording for pytest, with the fixture `giftsim`."""

from __future__ import annotations

from collections.abc import Iterator

from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.recording.as_test.acts import PYTHON, python_act, python_function
from giftsim.workbench.recording.as_test.literals import WIDTH, Reference, write_literal
from giftsim.workbench.recording.as_test.parts import Call, ControlCall, Part, RecordedTest, Webhooks


def pytest_text(test: RecordedTest, name: str, origin: str) -> str:
    """The module. `name` is that of the test, and `origin` says what wrote it."""
    lines = [line for part in test.parts for line in _lines(part, test).splitlines()]
    body = "\n".join(f"    {line}" for line in lines)
    imports = "from base64 import b64decode\n\n" if "b64decode(" in body else ""
    refused = "\nfrom giftsim import ControlRefused\n" if "(ControlRefused)" in body else ""
    title = one_line(test.title).replace("\\", r"\\").replace('"""', r"\"\"\"")
    head = f'"""{title}, {origin}."""\n\n{imports}import pytest\n{refused}\n\n'
    return f"{head}@pytest.mark.{_marker(test)}\ndef test_{name}(giftsim):\n{body}\n"


def _marker(test: RecordedTest) -> str:
    options = [f"{name}={write_literal(value, PYTHON, WIDTH - 20, 1)}" for name, value in test.world.items()]
    line = f"giftsim({', '.join(options)})"
    if "\n" not in line and len(line) < WIDTH - 12:
        return line
    return "giftsim(\n" + "".join(f"    {each},\n" for each in options) + ")"


def _lines(part: Part, test: RecordedTest) -> str:
    match part:
        case Call():
            return "\n".join(_call(part))
        case ControlCall():
            return _control(part, test)
        case Webhooks():
            return "\n".join(_webhooks(part))
    return python_act(part)


def _call(call: Call) -> Iterator[str]:
    arguments = [write_literal(each, PYTHON, WIDTH) for each in (call.method, call.path)]
    if call.body is not None:
        arguments.append(call.body)
    named = {"credential": call.credential, "headers": call.headers}
    made = python_function("call", arguments, {name: value for name, value in named.items() if value})
    if call.status is None:
        yield "with pytest.raises(ConnectionError):"
        yield from (f"    {line}" for line in made.splitlines())
        return
    yield f"{call.name} = {made}"
    yield f"assert {call.name}.status == {call.status}, {call.name}.text"
    for path, value in call.members.items():
        yield f"assert {PYTHON.special(Reference(call.name, path))} == {PYTHON.text(value)}"


def _control(call: ControlCall, test: RecordedTest) -> str:
    arguments = [write_literal(each, PYTHON, WIDTH) for each in (call.method, call.path)]
    made = python_function("control", arguments if call.body is None else [*arguments, call.body], {})
    if call.is_refused:
        return "with pytest.raises(ControlRefused):\n" + "\n".join(f"    {line}" for line in made.splitlines())
    return f"{call.name} = {made}" if call.name in test.used else made


def _webhooks(webhooks: Webhooks) -> Iterator[str]:
    kind = PYTHON.text(webhooks.kind)
    for outcome in dict.fromkeys(webhooks.outcomes):
        arguments = [kind] if outcome == "delivered" else [kind, f"outcome={PYTHON.text(outcome)}"]
        named = {"times": webhooks.outcomes.count(outcome), **webhooks.data}
        yield python_function("assert_webhook", arguments, named)
