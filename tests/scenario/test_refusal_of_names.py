"""A story that names what is not there is refused: values, loops, moments, forks, calls in the background."""

from __future__ import annotations

import pytest

from giftsim.scenario import InvalidScenario, load

HEAD = "scenario: A story\nsteps:\n"
THERE = 'there is "origin", "start", "start_date" and "world"'

REFUSALS = {
    # Names
    "a name before it is filled": (
        HEAD + "  - call: GET /x/${ordr}\n    save: {order: $.id}\n",
        '3:11: ${ordr} is filled by nothing before it; did you mean "world"?',
    ),
    "a misspelt name": (
        HEAD + "  - call: GET /x\n    save: {order: $.id}\n  - call: POST /x\n    body: {a: ['${oder}']}\n",
        '6:16: ${oder} is filled by nothing before it; did you mean "order"?',
    ),
    "a count without repeat": (
        HEAD + "  - call: GET /x/${n}\n",
        '3:11: ${n} is filled by nothing before it; there is "origin", "start", "start_date" and "world"',
    ),
    "an offset of no time": (
        HEAD + "  - call: GET /x/${world+3d}\n",
        "3:11: ${world+3d} cannot be filled: only start and start_date take an offset, 'world' does not",
    ),
    "a name of the scenario's own": (
        HEAD + "  - call: GET /x\n    save: {world: $.id}\n",
        '4:12: "world" is filled by the scenario itself',
    ),
    "a name with a dash": (
        HEAD + "  - call: GET /x\n    save: {my-order: $.id}\n",
        '4:12: "my-order" is no name for a value: letters, digits and _',
    ),
    "a path without root": (
        HEAD + "  - call: GET /x\n    save: {order: id}\n",
        "4:19: 'id' is no JSONPath: it begins with $, the whole body",
    ),
    "a broken path": (
        HEAD + "  - call: GET /x\n    save: {order: '$.['}\n",
        "4:19: '$.[' is no JSONPath: Parse error near the end of string!",
    ),
    # The background
    "an await of nothing": (
        HEAD + "  - await: first\n",
        '3:12: no call "first" is in the background; `background: NAME` lets a call go out',
    ),
    "a misspelt await": (
        HEAD + "  - {call: GET /x, background: first}\n  - await: frist\n",
        '4:12: no call "frist" is in the background; did you mean "first"?',
    ),
    "a call out twice": (
        HEAD + "  - {call: GET /x, background: first}\n  - {call: GET /x, background: first}\n",
        '4:32: "first" is out already; await it first',
    ),
    "an expectation in the background": (
        HEAD + "  - call: GET /x\n    background: first\n    expect: {status: 200}\n",
        '5:5: "expect" has nothing to go by in the background; give it to `await: first`',
    ),
    "a control call with a verb of HTTP that it has not": (
        HEAD + "  - control: HEAD /keys\n",
        '3:14: "HEAD /keys" is not a control call: METHOD /path below the world, such as POST /keys',
    ),
    "a hold that does not": (
        HEAD + "  - fault: {effect: {hold: false}}\n",
        '3:28: "hold" must be true, not false',
    ),
    # Values, loops, moments, forks
    "a value of a name that is taken": (
        "scenario: A\nvars: {world: x}\nsteps: [advance: 1d]\n",
        '2:8: "world" is filled by the scenario itself',
    ),
    "a value of a later one": (
        "scenario: A\nvars: {a: '${b}', b: 1}\nsteps: [advance: 1d]\n",
        f"2:11: ${{b}} is filled by nothing before it; {THERE}",
    ),
    "data by the name of a value": (
        "scenario: A\nvars: {a: 1}\ndata: {a: [1]}\nsteps: [advance: 1d]\n",
        '3:8: "a" stands in "vars" already',
    ),
    "a misspelt member of a value": (
        "scenario: A\nvars: {at: {city: Reno}}\nsteps: [call: 'GET /${at.ctiy}']\n",
        '3:15: ${at.ctiy}: at has no "ctiy"; did you mean "city"?',
    ),
    "a member of what has none": (
        "scenario: A\nvars: {city: Reno}\nsteps: [call: 'GET /${city.name}']\n",
        '3:15: ${city.name}: city is no mapping and has no "name"',
    ),
    "an item beyond the last": (
        "scenario: A\nvars: {a: [1, 2]}\nsteps: [call: 'GET /${a.2}']\n",
        "3:15: ${a.2}: a has 2 items, counted from 0",
    ),
    "a loop over nothing": (
        HEAD + "  - {for_each: {a: []}, steps: [advance: 1d]}\n",
        '3:20: "a" must not be empty',
    ),
    "a loop without steps": (HEAD + "  - for_each: {a: [1]}\n", '3:5: a for_each step needs "steps"'),
    "a loop over two": (
        HEAD + "  - {for_each: {a: [1], b: [2]}, steps: [advance: 1d]}\n",
        '3:16: "for_each" takes one name, not 2',
    ),
    "a loop over what is saved": (
        HEAD + "  - {call: GET /x, save: {rows: $}}\n  - {for_each: {a: '${rows}'}, steps: [advance: 1d]}\n",
        "4:20: ${rows} is not known before the play; a loop runs over a list, a file or `data`",
    ),
    "a loop over a word": (
        "scenario: A\nvars: {a: b}\nsteps: [{for_each: {c: '${a}'}, steps: [advance: 1d]}]\n",
        "3:24: ${a} is no list with items in it",
    ),
    "a misspelt step in a loop": (
        HEAD + "  - for_each: {a: [1]}\n    steps:\n      - {call: GET /x, bdy: 1}\n",
        '5:24: "bdy" is no part of a call step; did you mean "body"?',
    ),
    "a misspelt item": (
        HEAD + "  - for_each: {person: [1]}\n    steps: [call: 'GET /${persn}']\n",
        '4:19: ${persn} is filled by nothing before it; did you mean "person"?',
    ),
    "an item outside its loop": (
        HEAD + "  - {for_each: {a: [1]}, steps: [advance: 1d]}\n  - call: GET /${a}\n",
        f"4:11: ${{a}} is filled by nothing before it; {THERE}",
    ),
    "a restore of nothing": (
        HEAD + "  - restore: before\n",
        '3:14: no step before keeps a moment "before"; `snapshot: NAME` keeps a moment of the same world',
    ),
    "a misspelt restore": (
        HEAD + "  - snapshot: before\n  - restore: befor\n",
        '4:14: no step before keeps a moment "befor"; did you mean "before"?',
    ),
    "a restore in another world": (
        HEAD + "  - snapshot: before\n  - fork: other\n  - {restore: before, in: other}\n",
        '5:15: no step before keeps a moment "before"; `snapshot: NAME` keeps a moment of the same world',
    ),
    "a snapshot with a space": (
        HEAD + "  - snapshot: the start\n",
        '3:15: "the start" is not a name: 1 to 60 of letters, digits, dot, _ and -',
    ),
    "a fork twice": (HEAD + "  - fork: a\n  - fork: a\n", '4:11: there is a fork "a" already'),
    "a step in no fork": (
        HEAD + "  - {advance: 1d, in: other}\n",
        '3:23: no step before makes a fork "other"; `fork: NAME` makes one',
    ),
    "a step in a misspelt fork": (
        HEAD + "  - fork: other\n  - {advance: 1d, in: othr}\n",
        '4:23: no step before makes a fork "othr"; did you mean "other"?',
    ),
    "an undo of nothing": (HEAD + "  - undo: 0\n", '3:11: "undo" must be at least 1, not 0'),
    "a fingerprint that is none": (
        HEAD + "  - expect: {fingerprint: abc}\n",
        '3:27: "abc" is not a fingerprint: 64 digits of 0 to 9 and a to f',
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_name_of_nothing_is_refused_with_its_place_and_what_was_meant(text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidScenario) as refused:
        load(text, "story.yaml")
    assert str(refused.value) == f"story.yaml:{said}"
