"""The schemas in editors: a language server completes and checks files by the address of a simulator."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import pytest

from giftsim.services.gifting.domain.webhook_kinds import KINDS
from tests.support.node_packages import node_packages
from tests.support.served_simulator import serve_simulator
from tests.support.tools import require_tool

TREE = Path(__file__).with_name("editors")
SETTINGS = {
    "yaml": {"schemaStore": {"enable": False}, "validate": True, "completion": True, "hover": True, "schemas": {}},
    "http": {"proxy": "", "proxyStrictSSL": False},
}
ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*/*.yaml"))[::8]
FIXTURES = ("default", "empty", "bare", "roster")
OWN = """\
scenario: Names of a fixture of its own
fixture: {extends: bare}
steps:
  - call: POST /api/external/team-orders
    as: partner.mine
    body: {items: [{sku_code: MINE-01}], events: [mine], more: 1}
"""
WARNING = 2
STEPS = {"call", "simulate", "advance", "fault", "receiver", "expect", "include", "for_each"}
WRONG = """\
scenario: Wrong
steps:
  - simulate: clam
  - advance: {by: 3d, untill: next}
"""


class LanguageServer:
    """yaml-language-server over standard input and output; `wait_for` reads until a message of a kind comes."""

    def __init__(self, program: subprocess.Popen[bytes]) -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        self.to, self.of = program.stdin, program.stdout
        self.sent = 0
        self.request(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {"workspace": {"configuration": True}}}
        )
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": SETTINGS})

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Open a document; what is wrong with it."""
        self.notify(
            "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}}
        )
        found = self.wait_for(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        return [each for each in found["params"]["diagnostics"] if each["severity"] <= WARNING]

    def complete(self, uri: str, text: str) -> set[str]:
        """What can be completed at the mark `|` of a text, which is opened without it."""
        before = text[: text.index("|")]
        self.open(uri, text.replace("|", ""))
        position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        answer = self.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": position})
        items = answer["items"] if isinstance(answer, dict) else answer
        return {item["label"] for item in items}

    def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send a request; its result."""
        self.sent += 1
        number = self.sent
        self._send({"id": number, "method": method, "params": params})
        answer = self.wait_for(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def wait_for(self, is_it: Any) -> dict[str, Any]:
        """The next message of a kind; requests of the server are answered meanwhile."""
        while True:
            message = read_message(self.of)
            if is_it(message):
                return message
            if message.get("method") == "workspace/configuration":
                sections = [item.get("section", "").partition(".")[0] for item in message["params"]["items"]]
                self._send({"id": message["id"], "result": [SETTINGS.get(section) for section in sections]})
            elif "id" in message and "method" in message:
                self._send({"id": message["id"], "result": None})

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.to.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.to.flush()


def read_message(stream: IO[bytes]) -> dict[str, Any]:
    """One message of the Language Server Protocol."""
    length = 0
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    assert length, "the language server has ended"
    message: dict[str, Any] = json.loads(stream.read(length))
    return message


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a simulator."""
    with serve_simulator() as served:
        yield served.banner["origin"]


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    """A language server."""
    require_tool("node", "nodejs")
    modules = node_packages(TREE)
    command = [
        str(shutil.which("node")),
        str(modules / "yaml-language-server" / "bin" / "yaml-language-server"),
        "--stdio",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        try:
            yield LanguageServer(program)
        finally:
            program.kill()


def modeline(address: str, kind: str = "scenario") -> str:
    return f"# yaml-language-server: $schema={address}/schemas/{kind}.json\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("steps:\n  - |\n", STEPS),
        ("steps:\n  - call: GET /api/external/team-orders\n    as: |\n", {"partner.prepaid", "session.owner"}),
        ("steps:\n  - call: |\n", {"POST /api/external/team-orders", "GET /api/external/webhooks/${id}"}),
        ("steps:\n  - simulate: |\n", {"claim", "shipment", "approval"}),
        ("fixture: |\nsteps:\n  - advance: 3d\n", {"default", "empty", "bare"}),
        (
            "steps:\n  - call: POST /api/external/team-orders\n    body:\n      items:\n        - sku_code: |\n",
            {"MUG-01", "TEE-01"},
        ),
        ("steps:\n  - advance: 3d\n    expect:\n      events:\n        - |\n", set(KINDS)),
        ("steps:\n  - fault:\n      match: {operation: |}\n      effect: {drop: after}\n", {"createTeamOrder"}),
        ("steps:\n  - settings:\n      web|\n", {"webhooks.forward_at_once"}),
    ],
    ids=["kind of step", "credential", "call", "verb", "fixture", "sku", "event", "operation", "setting"],
)  # fmt: skip
def test_an_editor_completes(server: LanguageServer, address: str, text: str, expected: set[str]) -> None:
    found = server.complete("file:///project/it.yaml", f"{modeline(address)}scenario: It\n{text}")
    assert expected - found == set()


def test_an_editor_marks_what_is_wrong(server: LanguageServer, address: str) -> None:
    wrong = server.open("file:///project/wrong.yaml", modeline(address) + WRONG)
    found = [(each["range"]["start"]["line"], each["message"]) for each in wrong]
    assert {line for line, _ in found} == {3, 4}
    assert any("untill" in message for _, message in found), found
    fixture = server.open("file:///project/fixture.yaml", modeline(address, "fixture") + "extends: empty\nordrs: []\n")
    assert [each["range"]["start"]["line"] for each in fixture] == [2]
    part = server.open("file:///project/part.yaml", modeline(address, "part") + "steps:\n  - advanc: 3d\n")
    assert {each["range"]["start"]["line"] for each in part} == {2}


def test_an_editor_finds_nothing_wrong_in_what_is_right(server: LanguageServer, address: str) -> None:
    files = {f"file:///{path.name}": (path.read_text(encoding="utf-8"), "scenario") for path in SCENARIOS}
    files |= {
        f"file:///{name}.yaml": ((ROOT / f"fixtures/{name}.yaml").read_text("utf-8"), "fixture") for name in FIXTURES
    }
    files["file:///own.yaml"] = (OWN, "scenario")
    for uri, (text, kind) in files.items():
        text = re.sub(r"^# yaml-language-server.*\n", "", text)
        assert server.open(uri, modeline(address, kind) + text) == [], uri
