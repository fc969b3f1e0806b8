"""Invalid variables, loops, snapshots, forks and background calls are refused before anything runs."""

from __future__ import annotations

import pytest

from tests.scenario.builders import HEAD, load_error

STEPS = HEAD + "steps:\n"
THERE = 'known are "origin", "run", "start", "start_date" and "world"'

ERRORS = {
    # Variables
    "a variable before it is saved": (
        STEPS + "  - call: GET /x/${ordr}\n    save: {order: $.id}\n",
        '3:11: ${ordr} is not defined here; did you mean "world"?',
    ),
    "a misspelt variable": (
        STEPS + "  - call: GET /x\n    save: {order: $.id}\n  - call: POST /x\n    body: {a: ['${oder}']}\n",
        '6:16: ${oder} is not defined here; did you mean "order"?',
    ),
    "n without repeat": (
        STEPS + "  - call: GET /x/${n}\n",
        '3:11: ${n} is not defined here; known are "origin", "run", "start", "start_date" and "world"',
    ),
    "an offset of a variable that is not a time": (
        STEPS + "  - call: GET /x/${world+3d}\n",
        "3:11: ${world+3d} cannot be resolved: only start and start_date take an offset, 'world' does not",
    ),
    "saving a built-in variable": (
        STEPS + "  - call: GET /x\n    save: {world: $.id}\n",
        '4:12: "world" is the name of a built-in variable',
    ),
    "a variable name with a dash": (
        STEPS + "  - call: GET /x\n    save: {my-order: $.id}\n",
        '4:12: "my-order" is not a variable name; use letters, digits and _',
    ),
    "a JSONPath without root": (
        STEPS + "  - call: GET /x\n    save: {order: id}\n",
        "4:19: 'id' is not a JSONPath: it must begin with $, which is the whole body",
    ),
    "an invalid JSONPath": (
        STEPS + "  - call: GET /x\n    save: {order: '$.['}\n",
        "4:19: '$.[' is not a JSONPath: Parse error near the end of string!",
    ),
    # Background calls
    "an await without a background call": (
        STEPS + "  - await: first\n",
        '3:12: no call "first" is in the background; `background: NAME` starts one',
    ),
    "a misspelt await": (
        STEPS + "  - {call: GET /x, background: first}\n  - await: frist\n",
        '4:12: no call "frist" is in the background; did you mean "first"?',
    ),
    "two background calls of one name": (
        STEPS + "  - {call: GET /x, background: first}\n  - {call: GET /x, background: first}\n",
        '4:32: "first" is in the background already; await it first',
    ),
    "an expectation of a background call": (
        STEPS + "  - call: GET /x\n    background: first\n    expect: {status: 200}\n",
        '5:5: "expect" needs the response; give it to `await: first`',
    ),
    "a control call with an unsupported method": (
        STEPS + "  - control: HEAD /keys\n",
        '3:14: "HEAD /keys" is not a control call: METHOD /path below the world, such as POST /keys',
    ),
    "a hold that is false": (
        STEPS + "  - fault: {effect: {hold: false}}\n",
        '3:28: "hold" must be true, not false',
    ),
    # Loops, snapshots, forks
    "a built-in variable in vars": (
        "scenario: A\nvars: {world: x}\nsteps: [advance: 1d]\n",
        '2:8: "world" is the name of a built-in variable',
    ),
    "a variable that is defined later": (
        "scenario: A\nvars: {a: '${b}', b: 1}\nsteps: [advance: 1d]\n",
        f"2:11: ${{b}} is not defined here; {THERE}",
    ),
    "data of the same name as a variable": (
        "scenario: A\nvars: {a: 1}\ndata: {a: [1]}\nsteps: [advance: 1d]\n",
        '3:8: "a" is already defined in "vars"',
    ),
    "a misspelt member of a variable": (
        "scenario: A\nvars: {at: {city: Reno}}\nsteps: [call: 'GET /${at.ctiy}']\n",
        '3:15: ${at.ctiy}: at has no "ctiy"; did you mean "city"?',
    ),
    "a member of a text": (
        "scenario: A\nvars: {city: Reno}\nsteps: [call: 'GET /${city.name}']\n",
        '3:15: ${city.name}: city is not a mapping and has no "name"',
    ),
    "an index beyond the last item": (
        "scenario: A\nvars: {a: [1, 2]}\nsteps: [call: 'GET /${a.2}']\n",
        "3:15: ${a.2}: a has 2 items, counted from 0",
    ),
    "a loop over an empty list": (
        STEPS + "  - {for_each: {a: []}, steps: [advance: 1d]}\n",
        '3:20: "a" must not be empty',
    ),
    "a loop without steps": (STEPS + "  - for_each: {a: [1]}\n", '3:5: a for_each step needs "steps"'),
    "a loop with two variables": (
        STEPS + "  - {for_each: {a: [1], b: [2]}, steps: [advance: 1d]}\n",
        '3:16: "for_each" takes one name, not 2',
    ),
    "a loop over a saved value": (
        STEPS + "  - {call: GET /x, save: {rows: $}}\n  - {for_each: {a: '${rows}'}, steps: [advance: 1d]}\n",
        "4:20: ${rows} is not known before the scenario is played; loop over a list, a file or `data`",
    ),
    "a loop over a text": (
        "scenario: A\nvars: {a: b}\nsteps: [{for_each: {c: '${a}'}, steps: [advance: 1d]}]\n",
        "3:24: ${a} is not a list with items",
    ),
    "a misspelt step in a loop": (
        STEPS + "  - for_each: {a: [1]}\n    steps:\n      - {call: GET /x, bdy: 1}\n",
        '5:24: "bdy" is not a member of a call step; did you mean "body"?',
    ),
    "a misspelt loop variable": (
        STEPS + "  - for_each: {person: [1]}\n    steps: [call: 'GET /${persn}']\n",
        '4:19: ${persn} is not defined here; did you mean "person"?',
    ),
    "a loop variable outside its loop": (
        STEPS + "  - {for_each: {a: [1]}, steps: [advance: 1d]}\n  - call: GET /${a}\n",
        f"4:11: ${{a}} is not defined here; {THERE}",
    ),
    "a restore without a snapshot": (
        STEPS + "  - restore: before\n",
        '3:14: no earlier step takes a snapshot "before"; `snapshot: NAME` takes one of the same world',
    ),
    "a misspelt restore": (
        STEPS + "  - snapshot: before\n  - restore: befor\n",
        '4:14: no earlier step takes a snapshot "befor"; did you mean "before"?',
    ),
    "a restore of a snapshot of another world": (
        STEPS + "  - snapshot: before\n  - fork: other\n  - {restore: before, in: other}\n",
        '5:15: no earlier step takes a snapshot "before"; `snapshot: NAME` takes one of the same world',
    ),
    "a snapshot with a slash": (
        STEPS + "  - snapshot: the/start\n",
        '3:15: "the/start" is not a name: 1 to 60 of letters, digits, dot, _, - and spaces between them',
    ),
    "two forks of one name": (STEPS + "  - fork: a\n  - fork: a\n", '4:11: there is already a fork "a"'),
    "a step in an unknown fork": (
        STEPS + "  - {advance: 1d, in: other}\n",
        '3:23: no earlier step makes a fork "other"; `fork: NAME` makes one',
    ),
    "a step in a misspelt fork": (
        STEPS + "  - fork: other\n  - {advance: 1d, in: othr}\n",
        '4:23: no earlier step makes a fork "othr"; did you mean "other"?',
    ),
    "an undo of no writes": (STEPS + "  - undo: 0\n", '3:11: "undo" must be at least 1, not 0'),
    "an invalid fingerprint": (
        STEPS + "  - expect: {fingerprint: abc}\n",
        '3:27: "abc" is not a fingerprint: 64 digits of 0 to 9 and a to f',
    ),
}


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_invalid_reference_is_refused_with_its_position(text: str | bytes, message: str) -> None:
    assert load_error(text) == f"scenario.yaml:{message}"
