"""Steps that are copied as code: bash, Python, Node and a YAML loader read every value back as it was, and run none."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import unicodedata
from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from giftsim.console.curl import curl_command, variable
from giftsim.engine.client.control import sent_path
from giftsim.frontend import languages
from giftsim.frontend.languages import printf_format, quote_for_shell
from giftsim.frontend.offline_page import shared_text
from giftsim.workbench.recording.as_test.acts import PYTHON, python_function
from giftsim.workbench.recording.as_test.literals import WIDTH, Reference, Template, TypeScript, write_literal
from giftsim.workbench.recording.as_test.parts import Call, ControlCall, RecordedTest
from giftsim.workbench.recording.as_test.vitest_text import vitest_text
from giftsim.workbench.scenario.variables import resolve_variables
from tests.support.hostile_texts import HOSTILE
from tests.support.tools import require_tool

ROOT = Path(__file__).parents[2]
ORIGIN, WORLD = "http://127.0.0.1:9", "w1"
WRITE = """\
import { codeOf } from "./code.js";
import { KINDS } from "./languages.js";
const { steps, model } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, codeOf(kind, steps, model)]))));
"""
LITERALS = """\
import * as literals from "./literals.js";
const { texts, names } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(names.map((name) => texts.map((text) => literals[name](text)))));
"""
CURL = """\
#!/bin/bash
{ printf '%s\\0' "$@"; [ "${!#}" != @- ] || { base64 -w0; printf '\\0'; }; printf '\\n'; } >> "$CALLS"
"""
REQUESTS = "calls = []\ndef request(*arguments, **named): calls.append([arguments, named])\n"
SHOW_REQUESTS = """
import json
bodies = [named["json"] if "json" in named else named.get("data", b"").decode() for _, named in requests.calls]
headers = [named.get("headers", {}) for _, named in requests.calls]
print(json.dumps([[*call[0], *more] for call, *more in zip(requests.calls, headers, bodies)]))
"""
PLAY_TEST = """
import json
class Recorder:
    def __init__(self):
        self.calls = []
    def __getattr__(self, name):
        def note(*arguments, **named):
            self.calls.append([name, arguments, named])
            return type("Answer", (), {"status": 201})
        return note
recorder = Recorder()
test_reproduces(recorder)
print(json.dumps([test_reproduces.pytestmark[0].kwargs, recorder.calls]))
"""
FETCH = "const calls = [];\nglobalThis.fetch = async (...call) => calls.push(call);\n"
SHOW = "\nconsole.log(JSON.stringify(calls));\n"
VITEST = """\
export const calls = [];
const note = (name) => async (...given) => (calls.push([name, ...given]), { status: 201 });
const world = { call: note("call"), control: note("control"), advance: note("advance") };
export const expect = (value) => ({ toBe: () => value });
export const test = async (name, run) => { await run({ world }); console.log(JSON.stringify(calls)); };
"""


class Sent(NamedTuple):
    """What a step sends: as the writers get it, and as it must arrive."""

    step: dict[str, Any]
    method: str
    path: str
    body: Any = None


def steps_with(text: str) -> list[Sent]:
    """Steps that have a text wherever a trace can have one."""
    data = {"text": text, text: [1, True, None, -5, {"__proto__": {text: text}}]}
    path = f"/p/{text.replace('%', '%25').replace('?', '%3F')}?q={text}"
    headers = {"Idempotency-Key": text, "content-type": "application/json"}
    call = {"method": f"M{text}", "path": path, "credential": f"key.{text}", "headers": headers, "status": 201}
    return [
        Sent({**call, "body": json.dumps(data, ensure_ascii=False)}, f"M{text}", path, data),
        Sent({**call, "headers": {}, "body": f"x{text}"}, f"M{text}", path, f"x{text}"),
        Sent({**call, "headers": {}, "body": f"@{text}"}, f"M{text}", path, f"@{text}"),
        Sent(
            {"control": True, "method": "POST", "path": f"/{text}", "body": json.dumps(data)}, "POST", f"/{text}", data
        ),
        Sent({"advance": text or "+1h", "method": "POST", "path": "/clock/advance", "body": ""}, "", ""),
    ]


SENT = [sent for text in HOSTILE for sent in steps_with(text)]
TEXT = "".join(HOSTILE)
MODEL = {"data": {"world": {"seed": 1, "began": TEXT, "fixture": TEXT}}}


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the writers as modules, and stand-ins for what the code imports."""
    folder = tmp_path_factory.mktemp("writers")
    for name in ("code.js", "languages.js", "literals.js"):
        (folder / name).write_text(shared_text(name), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "write.js").write_text(WRITE)
    (folder / "literals_of.js").write_text(LITERALS)
    (folder / "requests.py").write_text(REQUESTS)
    for name, text in (("vitest/index.js", VITEST), ("giftsim/vitest.js", "export { test } from 'vitest';")):
        file = folder / "node_modules" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
        exports = '"./vitest": "./vitest.js"' if name.startswith("giftsim") else '".": "./index.js"'
        (file.parent / "package.json").write_text(f'{{"type": "module", "exports": {{{exports}}}}}')
    (folder / "bin").mkdir()
    (folder / "bin" / "curl").write_text(CURL)
    (folder / "bin" / "curl").chmod(0o755)
    return folder


@pytest.fixture(scope="module", name="code")
def _code(folder: Path) -> dict[str, str]:
    """The code of each kind for all steps."""
    node = require_tool("node", "nodejs")
    given = json.dumps({"steps": [sent.step for sent in SENT], "model": MODEL})
    done = subprocess.run([node, "write.js"], cwd=folder, input=given.encode(), capture_output=True, check=True)
    written: dict[str, str] = json.loads(done.stdout)
    return written


def run(folder: Path, *command: str) -> str:
    """The output of a program that reads what was written; it must leave the folder as it is."""
    names = {variable(sent.step["credential"]): "k" for sent in SENT if "credential" in sent.step}
    variables = {
        **os.environ, **names, "GIFTSIM": ORIGIN, "WORLD": WORLD, "CALLS": str(folder / "calls"),
        "PYTHONPATH": f"{folder}:{ROOT / 'simulator'}", "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    (folder / "calls").write_bytes(b"")
    before = set(folder.rglob("*"))
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()[-2000:]
    assert set(folder.rglob("*")) == before
    return done.stdout.decode()


def shells_calls(folder: Path, script: str) -> list[list[str]]:
    """The arguments of each curl in a script, without the options for dots and patterns."""
    (folder / "script.sh").write_text(script, encoding="utf-8")
    run(folder, "bash", "script.sh")
    calls = (folder / "calls").read_bytes().decode().removesuffix("\0\n").split("\0\n")
    return [[each for each in call.split("\0") if each not in ("--path-as-is", "--globoff")] for call in calls]


def body_of(arguments: list[str]) -> Any:
    """The body of a call by curl: data if it was data."""
    option, text = arguments[-2:]
    if option == "--data-binary":
        raise AssertionError("what was read is the last argument")
    assert option == ("--data-raw" if text.startswith("@") else "-d")
    return text


def address(sent: Sent) -> str:
    """Where a step must arrive."""
    prefix = f"/_sim/v1/worlds/{WORLD}" if "control" in sent.step or "advance" in sent.step else ""
    return ORIGIN + prefix + (sent_path(sent.path) if sent.path else "/clock/advance")


def test_curl_gets_every_value_as_an_argument(folder: Path, code: dict[str, str]) -> None:
    calls = shells_calls(folder, code["curl"])
    assert len(calls) == len(SENT)
    for arguments, sent in zip(calls, SENT, strict=True):
        if "advance" in sent.step:
            assert arguments == ["-s", "-X", "POST", address(sent)]
            continue
        assert arguments[:4] == ["-s", "-X", sent.method.split("\0")[0], address(sent)]
        if "\0" in sent.step["body"]:
            assert arguments[-3:-1] == ["--data-binary", "@-"]
            assert b64decode(arguments[-1]).decode() == sent.step["body"]
        else:
            assert body_of(arguments) == sent.step["body"]


def test_python_sends_every_value(folder: Path, code: dict[str, str]) -> None:
    (folder / "script.py").write_text(code["requests"] + SHOW_REQUESTS, encoding="utf-8")
    calls = json.loads(run(folder, sys.executable, "script.py"))
    for (method, url, headers, body), sent in zip(calls, SENT, strict=True):
        if "advance" in sent.step:
            continue
        assert (method, url.replace("%2E", ".")) == (sent.method, address(sent))
        assert body == sent.body
        assert headers.get("Content-Type", "application/json") == "application/json"
        assert ("Authorization" in headers) == ("credential" in sent.step)


def test_the_test_for_pytest_has_every_value(folder: Path, code: dict[str, str]) -> None:
    (folder / "script.py").write_text(code["pytest"] + PLAY_TEST, encoding="utf-8")
    marker, calls = json.loads(run(folder, sys.executable, "script.py"))
    assert marker == {"fixture": TEXT, "seed": 1, "now": TEXT}
    for (name, arguments, named), sent in zip(calls, SENT, strict=True):
        if "advance" in sent.step:
            assert (name, named) == ("advance", {"to": sent.step["advance"]})
            continue
        assert (name, *arguments) == (
            "control" if "control" in sent.step else "call", sent.method, sent_path(sent.path), sent.body,
        )  # fmt: skip
        assert named.get("credential") == sent.step.get("credential")


def test_fetch_gets_every_value(folder: Path, code: dict[str, str]) -> None:
    (folder / "script.js").write_text(FETCH + code["fetch"] + SHOW, encoding="utf-8")
    node = require_tool("node", "nodejs")
    for (url, options), sent in zip(json.loads(run(folder, node, "script.js")), SENT, strict=True):
        if "advance" not in sent.step:
            assert (options["method"], url, options["body"]) == (sent.method, address(sent), sent.step["body"])


def test_the_test_for_vitest_has_every_value(folder: Path, code: dict[str, str]) -> None:
    (folder / "script.js").write_text(code["Vitest"], encoding="utf-8")
    node = require_tool("node", "nodejs")
    for (name, *given), sent in zip(json.loads(run(folder, node, "script.js")), SENT, strict=True):
        if "advance" in sent.step:
            assert (name, given) == ("advance", [{"to": sent.step["advance"]}])
        elif "control" in sent.step:
            assert (name, given) == ("control", [sent.method, sent_path(sent.path), sent.body])
        else:
            assert (name, given[:2]) == ("call", [sent.method, sent_path(sent.path)])
            assert (given[2]["body"], given[2]["credential"]) == (sent.body, sent.step["credential"])


def test_a_scenario_loads_with_every_value(code: dict[str, str]) -> None:
    scenario = yaml.load(code["scenario"], yaml.CSafeLoader)
    assert resolve_variables({name: scenario[name] for name in ("now", "fixture")}, {}) == {
        "now": TEXT,
        "fixture": TEXT,
    }
    for step, sent in zip(scenario["steps"], SENT, strict=True):
        read = resolve_variables(step, {})
        if "advance" in sent.step:
            assert read == {"advance": {"to": sent.step["advance"]}}
            continue
        kind = "control" if "control" in sent.step else "call"
        assert (read[kind], read["body"]) == (f"{sent.method} {sent_path(sent.path)}", sent.body)
        assert read.get("as") == sent.step.get("credential")


def test_the_commands_of_the_console_get_every_value_as_an_argument(folder: Path) -> None:
    wanted = [text for text in HOSTILE if "\0" not in text]
    script = "\n".join(
        curl_command(
            f"M{text}", f"{ORIGIN}/{text}", text, headers={"X-Sim": text}, key="GIFTSIM_KEY", scheme=f"B {text}"
        )
        for text in wanted
    )
    for arguments, text in zip(shells_calls(folder, f"GIFTSIM_KEY=k\n{script}"), wanted, strict=True):
        header = f"X-Sim: {text}" if text else "X-Sim;"
        assert arguments[:-2] == [
            "-s", "-X", f"M{text}", f"{ORIGIN}/{text}", "-H", f"Authorization: B {text} k", "-H", header,
        ]  # fmt: skip
        assert body_of(arguments) == text
    nul = curl_command("POST", ORIGIN, "a\0%s\\n'", headers={})
    assert b64decode(shells_calls(folder, nul)[0][-1]) == b"a\0%s\\n'"


def test_recorded_tests_have_every_value(folder: Path) -> None:
    """Texts, the names of members, and members of earlier answers inside of texts."""
    known = {text: f"of {text}" for text in HOSTILE}
    values = [
        [Template((text,)), {text: Template((text,))}, Template((text, Reference("known", (text,), is_answer=False)))]
        for text in HOSTILE
    ]
    expected = [[text, {text: text}, text + known[text]] for text in HOSTILE]
    (folder / "known.json").write_text(json.dumps(known))
    shown = f"known = json.load(open('known.json'))\nprint(json.dumps({write_literal(values, PYTHON, WIDTH)}))\n"
    (folder / "script.py").write_text(f"import json\n{shown}", encoding="utf-8")
    assert json.loads(run(folder, sys.executable, "script.py")) == expected
    written = write_literal(values, TypeScript(typed=False), WIDTH)
    read = "import fs from 'node:fs'\nconst known = JSON.parse(fs.readFileSync('known.json'))\n"
    (folder / "script.js").write_text(f"{read}console.log(JSON.stringify({written}))\n", encoding="utf-8")
    assert json.loads(run(folder, require_tool("node", "nodejs"), "script.js")) == expected


# Characters that Unicode has had so long that every version of Node and Python knows what they are.
ASSIGNED = [chr(n) for n in range(0x110000) if unicodedata.ucd_3_2_0.category(chr(n)) not in ("Cn", "Cs")]


def test_pages_write_every_character_as_the_table_says(folder: Path) -> None:
    """Texts alone, and as the name and the value of a member."""
    runs = ["".join(ASSIGNED[i : i + 500]) for i in range(0, len(ASSIGNED), 500)]
    texts = [*HOSTILE, *runs, *(f"{each}{other}" for each in HOSTILE[:20] for other in HOSTILE)]
    names = ["shell", "printfFormat", "python", "javascript", "yaml"]
    node = require_tool("node", "nodejs")
    writers: list[Any] = [
        quote_for_shell,
        printf_format,
        languages.PYTHON.text,
        languages.JAVASCRIPT.text,
        languages.YAML.text,
    ]
    mappings = [
        lambda text, language=language: language.mapping(f"{language.member(text)}[{language.text(text)}]")
        for language in (languages.PYTHON, languages.JAVASCRIPT, languages.YAML)
    ]
    data = [{text: [text]} for text in texts]
    for given, functions in ((texts, writers), (data, [None, None, *mappings])):
        chosen = [name for name, function in zip(names, functions, strict=True) if function]
        asked = json.dumps({"texts": given, "names": chosen}).encode()
        done = subprocess.run([node, "literals_of.js"], cwd=folder, input=asked, capture_output=True, check=True)
        for written, function in zip(json.loads(done.stdout), filter(None, functions), strict=True):
            assert written == list(map(function, texts))


def wrapped(value: Any) -> Any:
    """Data whose texts are texts, also those that would be variables."""
    if isinstance(value, dict):
        return {name: wrapped(each) for name, each in value.items()}
    if isinstance(value, list):
        return list(map(wrapped, value))
    return Template((value,)) if isinstance(value, str) else value


def headers_of(sent: Sent) -> dict[str, str]:
    """The headers that the code for a call has: the key, and the type of a body that is a text."""
    given = sent.step.get("headers", {})
    key = {name: value for name, value in given.items() if name == "Idempotency-Key"}
    return key if isinstance(sent.body, dict) else {**key, "Content-Type": "application/json"}


def test_pages_write_commands_as_the_console_does(code: dict[str, str]) -> None:
    for sent in SENT:
        if "credential" not in sent.step:
            continue
        path, key = sent_path(sent.path), variable(sent.step["credential"])
        headers = {**headers_of(sent), "Content-Type": "application/json"}
        command = curl_command(sent.method, path, sent.step["body"], key=key, headers=headers)
        assert command.replace(f" {quote_for_shell(path)} ", f' "$GIFTSIM"{quote_for_shell(path)} ', 1) in code["curl"]


def test_pages_write_tests_for_pytest_as_recordings_do(code: dict[str, str]) -> None:
    written = ast.parse(code["pytest"]).body[-1]
    assert isinstance(written, ast.FunctionDef)
    for statement, sent in zip(written.body, SENT, strict=True):
        arguments = [PYTHON.text(each) for each in (sent.method, sent_path(sent.path))]
        body = PYTHON.text(sent.body) if isinstance(sent.body, str) else wrapped(sent.body)
        if "advance" in sent.step:
            expected = python_function("advance", [], {"to": wrapped(sent.step["advance"])})
        elif "control" in sent.step:
            expected = python_function("control", [*arguments, body], {})
        else:
            more = {"credential": sent.step["credential"], "headers": wrapped(headers_of(sent))}
            call = python_function("call", [*arguments, body], {name: each for name, each in more.items() if each})
            expected = f"assert {call}.status == 201"
        assert ast.dump(statement) == ast.dump(ast.parse(expected).body[0])


LAYOUT = ((r"(?<=\{)\n\s*|,\n\s*(?=\})", " "), (r"(?<=[\[(])\n\s*|,\n\s*(?=[\])])", ""), (r",\n\s*", ", "))


def on_one_line(code: str) -> str:
    """Code of several lines, whose texts have no line ends, without its layout."""
    for pattern, instead in LAYOUT:
        code = re.sub(pattern, instead, code)
    return code


def test_pages_write_tests_for_vitest_as_recordings_do(code: dict[str, str]) -> None:
    lines = [line.strip(" ") for line in code["Vitest"].split("\n") if line.startswith("  ")]
    statements = [line for line in lines if not line.startswith("// fetch resolves")]
    for statement, sent in zip(statements, SENT, strict=True):
        if "advance" in sent.step:
            continue
        path, body = Template((sent_path(sent.path),)), wrapped(sent.body)
        if "control" in sent.step:
            part: Any = ControlCall("answer", sent.method, path, body, is_refused=False)
        else:
            credential, headers = sent.step["credential"], wrapped(headers_of(sent))
            part = Call("answer", sent.method, path, credential, headers, body, 201, {})
        text = vitest_text(RecordedTest("It", {}, (part,), {}), "it", "by hand", typed=False)
        expected = text.partition("({ world }) => {\n")[2].removesuffix("\n})\n")
        assert statement == on_one_line(expected.strip(" "))
