"""Recordings as tests for pytest and Vitest, which pass; `tests/ecosystem` runs those for Vitest."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from giftsim.workbench.recording.as_test import NotATest, write_test
from tests.support.library import SCENARIOS
from tests.support.recorded_session import recorded_session
from tests.support.worlds import World

ROOT = Path(__file__).parents[2]
PYTEST = ("-m", "pytest", "-q", "-p", "giftsim.pytest_plugin", "-p", "no:cacheprovider", "-W", "error")
BY_HAND = """\
def test_mug(giftsim):
    endpoint = giftsim.call(
        "POST",
        "/api/external/webhooks",
        {"url": "https://hooks.partner.example/gifts", "events": ["team_order.shipped"]},
        credential="partner.prepaid",
    )
    assert endpoint.status == 201, endpoint.text
    assert endpoint.json()["endpoint"]["status"] == "active"
"""


WRITTEN = """\
scenario: Ten days of mugs
vars: {sender: Ada}
data: {people: {file: people.csv}}
settings: {webhooks.forward_at_once: 2}
actors:
  - {recipient: bo@example.com, claims: 1d}
steps:
  - include: parts/subscribe.yaml
  - for_each: {person: "${people}"}
    steps:
      - call: POST /api/external/team-orders
        as: partner.prepaid
        body:
          idempotency_key: "order-${n}"
          gift_sender: "${sender}"
          items: [{sku_code: MUG-01}]
          recipients: [{name: "${person.name}", email: "${person.email}"}]
        expect: {status: 201}
        save: {order: $.team_order.id}
  - advance: 1d
  - advance: {to: +2d}
  - advance: {until: next}
  - control: GET /clock
  - call: GET /api/external/team-orders
    as: partner.prepaid
    headers: {X-Sim-World: "${world}"}
    repeat: 2
  - advance: {to: "${start+10d}"}
    expect: {deliveries: {type: team_order.shipped, first: delivered}}
"""
WRITTEN_PART = """\
steps:
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.partner.example/gifts", events: [team_order.shipped]}
"""


def record(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["record", *arguments])


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """Run a test file in its folder, as a project of its own; or all files of a folder."""
    variables = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "simulator")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "GIFTSIM_"))}
    return subprocess.run(
        [sys.executable, *PYTEST, str(file)], cwd=file if file.is_dir() else file.parent, env={**kept, **variables},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip


@pytest.fixture
def recording(world: World, tmp_path: Path) -> Path:
    """The recording of a session, in a file."""
    file = tmp_path / "session.yaml"
    file.write_text(recorded_session(world), encoding="utf-8")
    return file


def test_a_recording_becomes_a_test_that_passes_in_a_project_of_its_own(recording: Path, tmp_path: Path) -> None:
    file = tmp_path / "test_mug.py"
    done = record("--as", "pytest", "--from", str(recording), "--out", str(file))
    assert done.exit_code == 0, done.output
    ran = run(file)
    assert "1 passed" in ran.stdout, ran.stdout + file.read_text(encoding="utf-8")


def test_it_reads_as_a_person_would_write_it(world: World, other: Simulator) -> None:
    partner = world.partner()
    partner.subscribe("team_order.shipped")
    number = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=number, recipient=0)
    world.advance("3d")
    partner.read_order(number)
    text = write_test(world.recording.encode(), "it", "pytest", "test_mug.py", __version__, other.client)
    assert BY_HAND in text
    order = 'team_order.json()["team_order"]["id"]'
    assert f'giftsim.simulate(\n        "claim",\n        team_order_id={order},\n' in text
    assert (
        '    giftsim.advance("3d")\n    giftsim.assert_webhook(\n        "team_order.shipped",\n        times=1,\n'
        in text
    )
    assert f'team_order={{"id": {order}}}' in text
    assert "f\"/api/external/team-orders/{team_order.json()['team_order']['id']}\"" in text
    assert str(number) not in text


def test_no_secret_is_in_it_and_every_kind_of_outcome_is(recording: Path, other: Simulator) -> None:
    text = write_test(recording.read_bytes(), "it", "pytest", "test_it.py", __version__, other.client)
    assert not re.search(r"[0-9a-f]{16}", text)
    for line in (
        'giftsim.receiver("hooks.partner.example", mode="capture", script=[{"status": 503}])',
        "with pytest.raises(ConnectionError):",
        'assert refused.json()["error"]["code"] == "sku_not_found"',
        'giftsim.restore("before")',
        'outcome="http_status"',
    ):
        assert line in text, text


def test_a_title_with_quotes_and_lines_is_a_text_of_the_test(recording: Path, tmp_path: Path) -> None:
    text = recording.read_text(encoding="utf-8")
    title = r'scenario: "The \"\"\" of C:\\new\nand U+2028:\u2028 too"'
    recording.write_text(re.sub("^scenario: .*", lambda _: title, text, flags=re.MULTILINE), encoding="utf-8")
    file, other = tmp_path / "test_mug.py", tmp_path / "mug.test.ts"
    for kind, out in (("pytest", file), ("vitest", other)):
        assert record("--as", kind, "--from", str(recording), "--out", str(out)).exit_code == 0
    documented = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert documented == f'The """ of C:\\new and U+2028: too, as giftsim {__version__} wrote it.'
    assert other.read_text(encoding="utf-8").splitlines()[1].startswith("import ")


def test_a_scenario_of_somebody_becomes_a_test_that_passes(tmp_path: Path) -> None:
    scenario, file = tmp_path / "ten_days.yaml", tmp_path / "test_ten_days.py"
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "subscribe.yaml").write_text(WRITTEN_PART)
    (tmp_path / "people.csv").write_text("name,email\nBo,bo@example.com\nCy,cy@example.com\n")
    scenario.write_text(WRITTEN)
    done = record("--as", "pytest", "--from", str(scenario), "--out", str(file))
    assert (done.exit_code, done.output) == (0, "")
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f'"""Ten days of mugs, as giftsim {__version__} wrote it."""')
    assert (text.count('"/api/external/team-orders"'), text.count('"email": "cy@example.com"')) == (4, 1)
    assert 'giftsim.assert_webhook(\n        "team_order.shipped"' in text
    ran = run(file)
    assert "1 passed" in ran.stdout, ran.stdout + text


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_scenario_of_the_library_becomes_a_test_or_says_why_not(file: Path, other: Simulator) -> None:
    def written() -> str:
        return write_test(file.read_bytes(), file.name, "pytest", "it.py", __version__, other.client, path=file)

    if re.search(r"\b(background|on_delivery|fork):", file.read_text(encoding="utf-8")):
        with pytest.raises(
            NotATest, match=rf"{file.name}:\d+: .*: a test of plain calls cannot do that; play the file "
        ):
            written()
    else:
        assert ast.get_docstring(ast.parse(written()))


def test_a_command_and_a_trace_become_tests_too(world: World, tmp_path: Path) -> None:
    world.partner().create_order()
    (tmp_path / "it.html").write_bytes(world.control.get(f"/worlds/{world.id}/trace").body)
    assert (
        record("--as", "vitest", "--from", str(tmp_path / "it.html"), "--out", str(tmp_path / "it.test.js")).exit_code
        == 0
    )
    script = (tmp_path / "it.test.js").read_text(encoding="utf-8")
    assert "test('it', async ({ world }) => {\n" in script
    assert "World }" not in script
    code = "import os, urllib.request as r; r.urlopen(os.environ['GIFTSIM_CONTROL'] + '/clock')"
    made = record("--as", "pytest", "--out", str(tmp_path / "test_none.py"), "--", sys.executable, "-c", code)
    assert made.exit_code == 2
    assert "the recording is empty" in made.stderr
    assert not (tmp_path / "test_none.py").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "name one thing to record: --url URL, or --from FILE.har, or with --as also --from FILE"),
        (
            ("--from", "{file}"),
            "--from cannot take effect: a scenario or a trace is written as a test, with --as pytest or --as vitest",
        ),
        (("--from", "{file}", "--as", "pytest", "--seed", "2"), "--seed cannot take effect: a recording has its own"),
        (("--from", "{file}", "--as", "pytest"), "no test was written: {file}:3:11: "),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path: Path, arguments: tuple[str, ...], reason: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("scenario: It\nsteps:\n  - call: nothing\n")
    done = record("--out", str(tmp_path / "out.py"), *(each.format(file=file) for each in arguments))
    assert (done.exit_code, reason.format(file=file) in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "1:1: the file is empty"),
        (b"scenario: [x\n", "2:1: not YAML: "),
        (b"\x89PNG\r\n", "1:1: not YAML: "),
        (b"print(1)\n", "1:1: the file must be a mapping, not text"),
        (b"hello: 1\n", '1:1: "hello" is not a member of a scenario'),
        (b"scenario: It\nsteps: [include: none.yaml]\n", '2:18: there is no file "none.yaml"'),
        (None, "is a directory"),
    ],
)
def test_a_file_that_holds_something_else_is_named_with_its_mistake(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file, out = tmp_path / "wrong.yaml", tmp_path / "test_wrong.py"
    file.mkdir() if content is None else file.write_bytes(content)
    done = record("--as", "pytest", "--from", str(file), "--out", str(out))
    said = " ".join(done.stderr.split())
    assert (done.exit_code, str(file) in said, reason in said, out.exists()) == (2, True, True, False), said


def test_a_recording_that_plays_otherwise_or_needs_two_at_once_is_refused(other: Simulator) -> None:
    wrong = b"scenario: It\nsteps:\n  - {call: GET /v1.1/museum-hours, as: museum, recorded: {status: 404}}\n"
    with pytest.raises(NotATest, match="this version answers otherwise than the recording says: it:3: step 1"):
        write_test(wrong, "it", "pytest", "test_it.py", __version__, other.client)
    both = b"scenario: It\nsteps:\n  - {call: GET /v1.1/museum-hours, as: museum, background: one}\n  - await: one\n"
    with pytest.raises(NotATest, match=r"it:3: a call that waited while others were made: .*giftsim play FILE"):
        write_test(both, "it", "pytest", "test_it.py", __version__, other.client)
    app = b"scenario: It\napp: http://127.0.0.1:9100\nsteps:\n  - app: GET /\n"
    with pytest.raises(NotATest, match="it:4: a call of your app: a test of plain calls cannot do that; play the file"):
        write_test(app, "it", "pytest", "test_it.py", __version__, other.client)


def test_a_scenario_that_fails_is_refused_with_its_step(other: Simulator) -> None:
    failing = b"scenario: It\nsteps:\n  - {call: GET /v1.1/museum-hours, as: museum, expect: {status: 404}}\n"
    with pytest.raises(NotATest, match=r"the scenario fails: it:3: step 1, GET \S+ as museum\n.*expected 404"):
        write_test(failing, "it", "pytest", "test_it.py", __version__, other.client)
