"""Invalid files are refused before anything runs, with the position of the error and a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.workbench.scenario import InvalidScenario, load_scenario
from tests.scenario.builders import HEAD, load_error

STEPS = HEAD + "steps:\n"

APP_HINT = "an app must be on this machine: http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT"

KINDS = (
    '"call", "app", "control", "await", "simulate", "rehearse", "advance", "receiver", "fault", "settings", '
    '"snapshot", "restore", "undo", "fork", "include", "for_each" and "expect"'
)


ERRORS = {
    # The file as a whole
    "an empty file": ("", "1:1: the file is empty"),
    "only a comment": ("# a scenario\n", "1:1: the file is empty"),
    "not a mapping": ("- advance: 1d\n", "1:1: the file must be a mapping, not a list"),
    "broken YAML": ("scenario: a: b\n", "1:12: not YAML: mapping values are not allowed in this context"),
    "a merge conflict": (
        "scenario: A\nsteps:\n<<<<<<< HEAD\n  - advance: 1d\n=======\n  - advance: 2d\n>>>>>>> other\n",
        "3:1: a merge left a conflict here: keep one side, and delete the lines with <<<<<<<, ======= and >>>>>>>",
    ),
    "a control character": ("scenario: é\x01\n", "1:12: not YAML: control characters are not allowed"),
    "not UTF-8": (b"scenario: \xff\n", "1:11: not YAML: invalid leading UTF-8 octet"),
    "two documents": (
        "scenario: A\n---\nscenario: B\n",
        "2:1: a file holds one scenario, but a second document begins here",
    ),
    "a repeated member": ("scenario: A\nscenario: B\n", '2:1: "scenario" appears twice, first on line 1'),
    "a tag": ("scenario: !title A\n", "1:11: tags such as !title are not allowed; write the value without it"),
    "a name that is not text": ("? [scenario]\n: A\n", "1:3: the name of a member must be text"),
    "an alias without an anchor": ("scenario: *name\n", "1:11: *name refers to an anchor that does not end before it"),
    "an alias inside its anchor": ("steps: &a [*a]\n", "1:12: *a refers to an anchor that does not end before it"),
    "a merge of something else than a mapping": ("<<: 3\n", '1:5: "<<" takes a mapping or a list of mappings'),
    "a huge number": (
        "seed: 99999999999999999999\n",
        "1:7: the number is too large; quote it to make it text",
    ),
    "an infinite number": ("seed: 1e999\n", "1:7: the number is too large; quote it to make it text"),
    # The head
    "a misspelt member": (
        "scenari: A\nsteps: [advance: 1d]\n",
        '1:1: "scenari" is not a member of a scenario; did you mean "scenario"?',
    ),
    "a missing member": ("scenario: A\n", '1:1: a scenario needs "steps"'),
    "no steps": ("scenario: A\nsteps: []\n", '2:8: "steps" must not be empty'),
    "a seed that is text": (
        "scenario: A\nseed: seven\nsteps: [advance: 1d]\n",
        '2:7: "seed" must be a whole number, not text ("seven")',
    ),
    "an invalid now": (
        "scenario: A\nnow: tomorrow\nsteps: [advance: 1d]\n",
        "2:6: 'tomorrow' is not an instant like 2027-01-04T09:00:00Z",
    ),
    "a sandbox of another kind": (
        "scenario: A\nsandbox: cheap\nsteps: [advance: 1d]\n",
        '2:10: "cheap" is not a value of sandbox; known are "free" and "spends"',
    ),
    "a sandbox whose clock is set": (
        "scenario: A\nsandbox: free\nnow: 2027-01-04T09:00:00Z\nsteps: [advance: 1d]\n",
        '3:1: a service has no "now" to set; a scenario with "sandbox" has none',
    ),
    "an app on another machine": (
        "scenario: A\napp: http://app.example:80\nsteps: [advance: 1d]\n",
        f"2:6: 'http://app.example:80' is not on this machine; {APP_HINT}",
    ),
    "an app without a scheme": (
        "scenario: A\napp: localhost:9100\nsteps: [advance: 1d]\n",
        f"2:6: 'localhost:9100' is not the address of an app; {APP_HINT}",
    ),
    "an app with a query": (
        "scenario: A\napp: http://127.0.0.1:9100/?a=1\nsteps: [advance: 1d]\n",
        "2:6: 'http://127.0.0.1:9100/?a=1' has a query or fragment; write paths and queries in the steps",
    ),
    "an app step without an app": (
        STEPS + "  - app: GET /x\n",
        "3:5: the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL",
    ),
    "the variable app without an app": (
        STEPS + "  - receiver: {host: h.example, to: '${app}/hooks'}\n",
        "3:37: ${app}: the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL",
    ),
    # Steps
    "a misspelt kind": (
        STEPS + "  - cal: GET /x\n    as: museum\n",
        '3:5: "cal" is not a kind of step; did you mean "call"?',
    ),
    "a misspelt kind beside an expectation": (
        STEPS + "  - simulat: claim\n    expect: {status: 200}\n",
        '3:5: "simulat" is not a kind of step; did you mean "simulate"?',
    ),
    "a step of two kinds": (
        STEPS + "  - call: GET /x\n    advance: 1d\n",
        '4:5: a step has one kind, this one has 2: "call" and "advance"',
    ),
    "a step without a kind": (
        STEPS + "  - as: museum\n",
        f"3:5: a step needs one of {KINDS}",
    ),
    "a step that is text": (STEPS + "  - wait\n", '3:5: an item of "steps" must be a mapping, not text ("wait")'),
    "a member of another kind": (
        STEPS + "  - advance: 1d\n    body: {}\n",
        '4:5: "body" is not a member of an advance step; known are "advance", "on_delivery", "expect" and "in"',
    ),
    "an unknown method": (
        STEPS + "  - call: PSOT /x\n",
        '3:11: "PSOT" is not an HTTP method; did you mean "POST"?',
    ),
    "an unknown verb": (
        STEPS + "  - simulate: clam\n",
        '3:15: "clam" is not a verb of the outside world; did you mean "claim"?',
    ),
    "a repeat of zero": (STEPS + "  - call: GET /x\n    repeat: 0\n", '4:13: "repeat" must be at least 1, not 0'),
    "an unknown receiver mode": (
        STEPS + "  - receiver: {host: h.example, mode: captur}\n",
        '3:39: "captur" is not a receiver mode; did you mean "capture"?',
    ),
    "an outage without an end": (
        STEPS + "  - receiver: {host: h.example, outage: {from: +1d}}\n",
        '3:41: an outage needs "to"',
    ),
    "an outage in the script": (
        STEPS + "  - receiver: {host: h.example, script: [{outage: {from: +0s, to: +1d}}]}\n",
        '3:43: "outage" is not a member of a receiver\'s response, but of a receiver: write it beside "script"',
    ),
    "a value saved in an expectation": (
        STEPS + "  - for_each: {x: [1]}\n    steps:\n      - {call: GET /x, expect: {save: {y: $.y}}}\n",
        '5:33: "save" is not a member of the expectations of a call, but of a call step: write it beside "expect"',
    ),
    "a timeout that is false": (
        STEPS + "  - receiver: {host: h.example, then: {timeout: false}}\n",
        '3:49: "timeout" must be true, not false',
    ),
    "an unknown effect": (
        STEPS + "  - fault: {effect: {chrge: x}}\n",
        '3:22: "chrge" is not a member of an effect; did you mean "charge"?',
    ),
    "a fault without effect": (STEPS + "  - fault: {id: x}\n", '3:12: a fault needs "effect" or "clear"'),
    "a clear with other members": (
        STEPS + "  - fault: {id: x, clear: y}\n",
        '3:20: "clear" ends a fault and takes no other members',
    ),
    "empty settings": (STEPS + "  - settings: {}\n", '3:15: "settings" must not be empty'),
    # Times
    "an invalid duration": (
        STEPS + "  - advance: 10 days\n",
        "3:14: '10 days' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H",
    ),
    "a duration without a unit": (
        STEPS + "  - advance: 10\n",
        '3:14: "advance" must be text or a mapping, not a whole number (10)',
    ),
    "an invalid offset": (
        STEPS + "  - advance: {to: +3 d}\n",
        "3:19: '3 d' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H",
    ),
    "an offset outside the calendar": (
        STEPS + "  - advance: {to: +999999w}\n",
        "3:19: '+999999w' is outside the calendar",
    ),
    "two ends of an advance": (
        STEPS + "  - advance: {by: 1d, to: +3d}\n",
        '3:14: "advance" takes one of "by", "to" and "until", not 2',
    ),
    "an unknown stop condition": (
        STEPS + "  - advance: {until: idel}\n",
        '3:22: "idel" is not a stop condition; did you mean "idle"?',
    ),
    "an outage with an invalid time": (
        STEPS + "  - receiver: {host: h.example, outage: {from: soon, to: +1d}}\n",
        "3:48: 'soon' is not an instant like 2027-01-04T09:00:00Z",
    ),
}


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_invalid_scenario_is_refused_with_its_position(text: str | bytes, message: str) -> None:
    assert load_error(text) == f"scenario.yaml:{message}"


def test_the_error_has_line_column_and_message_for_programs() -> None:
    with pytest.raises(InvalidScenario) as refused:
        load_scenario("scenario: A\nsteps: []\n")
    refusal = refused.value
    assert (refusal.status, refusal.code) == (400, "invalid_scenario")
    assert refusal.details == {"line": 2, "column": 8, "message": '"steps" must not be empty'}


def test_the_first_error_is_reported_and_a_missing_member_last() -> None:
    with pytest.raises(
        InvalidScenario, match=r"^s:2:1: \"stpes\" is not a member of a scenario; did you mean \"steps\"\?$"
    ):
        load_scenario("scenario: A\nstpes: []\nsede: 1\n", "s")


def test_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_text("scenario: A\n")
    with pytest.raises(InvalidScenario) as refused:
        load_scenario(file)
    assert str(refused.value) == f'{file}:1:1: a scenario needs "steps"'


def test_a_missing_file_raises_the_usual_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_scenario(tmp_path / "absent.yaml")


def test_a_source_must_be_a_statement_or_a_decision() -> None:
    text = "scenario: A day\nsources:\n  - P-4.17\n  - P-99.1\nsteps:\n  - advance: 1d\n"
    with pytest.raises(InvalidScenario, match=r'^<text>:4:5: .* id "P-99\.1"') as refused:
        load_scenario(text, "<text>")
    assert "giftsim statements" in str(refused.value)
    assert load_scenario(text.replace("P-99.1", "G220")).sources == ("P-4.17", "G220")
