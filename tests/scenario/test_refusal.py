"""A file that cannot be played is refused before anything runs, and is told where and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from giftsim.scenario import InvalidScenario, load

HEAD = "scenario: A story\nsteps:\n"

HERE = "an app is called on this machine alone: http://127.0.0.1:PORT, http://localhost:PORT or http://[::1]:PORT"

KINDS = (
    '"call", "app", "control", "await", "simulate", "advance", "receiver", "fault", "settings", "snapshot", "restore", '
    '"undo", "fork", "include", "for_each" and "expect"'
)


REFUSALS = {
    # The file as a whole
    "nothing in it": ("", "1:1: the file is empty"),
    "only a comment": ("# a story\n", "1:1: the file is empty"),
    "not a mapping": ("- advance: 1d\n", "1:1: the file must be a mapping, not a list"),
    "broken YAML": ("scenario: a: b\n", "1:12: not YAML: mapping values are not allowed in this context"),
    "a control character": ("scenario: é\x01\n", "1:12: not YAML: control characters are not allowed"),
    "not UTF-8": (b"scenario: \xff\n", "1:11: not YAML: invalid leading UTF-8 octet"),
    "two documents": (
        "scenario: A\n---\nscenario: B\n",
        "2:1: one file holds one scenario, and here a second document begins",
    ),
    "a member twice": ("scenario: A\nscenario: B\n", '2:1: "scenario" is given twice, first on line 1'),
    "a tag": ("scenario: !story A\n", "1:11: the tag !story is no part of the language; write the plain value"),
    "a name that is no text": ("? [scenario]\n: A\n", "1:3: the name of a member must be plain text"),
    "an alias to nothing": ("scenario: *name\n", "1:11: *name names nothing that ends before it"),
    "an alias inside its anchor": ("steps: &a [*a]\n", "1:12: *a names nothing that ends before it"),
    "a merge of no mapping": ("<<: 3\n", '1:5: "<<" takes a mapping, or a list of them, to start from'),
    "a huge number": (
        "seed: 99999999999999999999\n",
        "1:7: the number is too large; quote it to make it text",
    ),
    "a number beyond numbers": ("seed: 1e999\n", "1:7: the number is too large; quote it to make it text"),
    # Its head
    "a misspelt member": (
        "scenari: A\nsteps: [advance: 1d]\n",
        '1:1: "scenari" is no part of a scenario; did you mean "scenario"?',
    ),
    "a member missing": ("scenario: A\n", '1:1: a scenario needs "steps"'),
    "no steps": ("scenario: A\nsteps: []\n", '2:8: "steps" must not be empty'),
    "a seed in words": (
        "scenario: A\nseed: seven\nsteps: [advance: 1d]\n",
        '2:7: "seed" must be a whole number, not text ("seven")',
    ),
    "a now that is none": (
        "scenario: A\nnow: tomorrow\nsteps: [advance: 1d]\n",
        "2:6: 'tomorrow' is no instant like 2027-01-04T09:00:00Z",
    ),
    "an app elsewhere": (
        "scenario: A\napp: http://app.example:80\nsteps: [advance: 1d]\n",
        f"2:6: 'http://app.example:80' is not on this machine; {HERE}",
    ),
    "an app that is no address": (
        "scenario: A\napp: localhost:9100\nsteps: [advance: 1d]\n",
        f"2:6: 'localhost:9100' is no address of an app; {HERE}",
    ),
    "an app with a query": (
        "scenario: A\napp: http://127.0.0.1:9100/?a=1\nsteps: [advance: 1d]\n",
        "2:6: 'http://127.0.0.1:9100/?a=1' has more than an address; paths and queries stand in the steps",
    ),
    "an app step without an app": (
        HEAD + "  - app: GET /x\n",
        "3:5: the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL",
    ),
    "an app's address without an app": (
        HEAD + "  - receiver: {host: h.example, to: '${app}/hooks'}\n",
        "3:37: ${app}: the file names no app; add `app: http://127.0.0.1:PORT`, or play it with --app URL",
    ),
    # Steps
    "a misspelt kind": (
        HEAD + "  - cal: GET /x\n    as: museum\n",
        '3:5: "cal" is no kind of step; did you mean "call"?',
    ),
    "a misspelt kind beside an expectation": (
        HEAD + "  - simulat: claim\n    expect: {status: 200}\n",
        '3:5: "simulat" is no kind of step; did you mean "simulate"?',
    ),
    "two kinds": (
        HEAD + "  - call: GET /x\n    advance: 1d\n",
        '4:5: a step does one thing, this one does 2: "call" and "advance"',
    ),
    "no kind": (
        HEAD + "  - as: museum\n",
        f"3:5: a step does one of {KINDS}",
    ),
    "a step in words": (HEAD + "  - wait\n", '3:5: an item of "steps" must be a mapping, not text ("wait")'),
    "a member of another kind": (
        HEAD + "  - advance: 1d\n    body: {}\n",
        '4:5: "body" is no part of an advance step; there is "advance", "on_delivery", "expect" and "in"',
    ),
    "an unknown method": (
        HEAD + "  - call: PSOT /x\n",
        '3:11: "PSOT" is no method; did you mean "POST"?',
    ),
    "an unknown verb": (
        HEAD + "  - simulate: clam\n",
        '3:15: "clam" is not a verb of the outside world; did you mean "claim"?',
    ),
    "a repeat of none": (HEAD + "  - call: GET /x\n    repeat: 0\n", '4:13: "repeat" must be at least 1, not 0'),
    "an unknown receiver mode": (
        HEAD + "  - receiver: {host: h.example, mode: captur}\n",
        '3:39: "captur" is not a receiver mode; did you mean "capture"?',
    ),
    "half an outage": (HEAD + "  - receiver: {host: h.example, outage: {from: +1d}}\n", '3:41: an outage needs "to"'),
    "a timeout that is none": (
        HEAD + "  - receiver: {host: h.example, then: {timeout: false}}\n",
        '3:49: "timeout" must be true, not false',
    ),
    "an unknown effect": (
        HEAD + "  - fault: {effect: {chrge: x}}\n",
        '3:22: "chrge" is no part of an effect; did you mean "charge"?',
    ),
    "a fault without effect": (HEAD + "  - fault: {id: x}\n", '3:12: a fault needs "effect" or "clear"'),
    "a fault that clears and acts": (
        HEAD + "  - fault: {id: x, clear: y}\n",
        '3:20: "clear" stands alone: it ends a fault by its id',
    ),
    "empty settings": (HEAD + "  - settings: {}\n", '3:15: "settings" must not be empty'),
    # Times
    "a duration in words": (
        HEAD + "  - advance: 10 days\n",
        "3:14: '10 days' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H",
    ),
    "a duration without unit": (
        HEAD + "  - advance: 10\n",
        '3:14: "advance" must be text or a mapping, not a whole number (10)',
    ),
    "an offset of nothing known": (
        HEAD + "  - advance: {to: +3 d}\n",
        "3:19: '3 d' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H",
    ),
    "an offset beyond the calendar": (
        HEAD + "  - advance: {to: +999999w}\n",
        "3:19: '+999999w' leads out of the calendar",
    ),
    "two ends of an advance": (
        HEAD + "  - advance: {by: 1d, to: +3d}\n",
        '3:14: "advance" takes one of "by", "to" and "until", not 2',
    ),
    "an unknown end of waiting": (
        HEAD + "  - advance: {until: idel}\n",
        '3:22: "idel" is not an end of waiting; did you mean "idle"?',
    ),
    "an outage at no time": (
        HEAD + "  - receiver: {host: h.example, outage: {from: soon, to: +1d}}\n",
        "3:48: 'soon' is no instant like 2027-01-04T09:00:00Z",
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_wrong_file_is_refused_with_its_place_and_what_was_meant(text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidScenario) as refused:
        load(text, "story.yaml")
    assert str(refused.value) == f"story.yaml:{said}"


def test_a_refusal_has_its_parts_for_programs() -> None:
    with pytest.raises(InvalidScenario) as refused:
        load("scenario: A\nsteps: []\n")
    refusal = refused.value
    assert (refusal.status, refusal.code) == (400, "invalid_scenario")
    assert refusal.details == {"line": 2, "column": 8, "message": '"steps" must not be empty'}


def test_the_first_thing_wrong_is_told_and_a_missing_member_after_the_misspelt_one() -> None:
    with pytest.raises(InvalidScenario, match=r"^s:2:1: \"stpes\" is no part of a scenario; did you mean \"steps\"\?$"):
        load("scenario: A\nstpes: []\nsede: 1\n", "s")


def test_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "story.yaml"
    file.write_text("scenario: A\n")
    with pytest.raises(InvalidScenario) as refused:
        load(file)
    assert str(refused.value) == f'{file}:1:1: a scenario needs "steps"'


def test_a_file_that_is_not_there_is_the_callers_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "absent.yaml")
