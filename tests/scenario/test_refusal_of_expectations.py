"""An expectation that cannot be meant is refused before anything runs."""

from __future__ import annotations

import pytest

from giftsim.scenario import InvalidScenario, load

HEAD = "scenario: A story\nsteps:\n"

REFUSALS = {
    # Expectations
    "an impossible status": (
        HEAD + "  - call: GET /x\n    expect: {status: 20}\n",
        '4:22: "status" must be at least 100, not 20',
    ),
    "a misspelt expectation": (
        HEAD + "  - call: GET /x\n    expect: {stats: 200}\n",
        '4:14: "stats" is no part of what a call expects; did you mean "status"?',
    ),
    "a status of an advance": (
        HEAD + "  - advance: 1d\n    expect: {status: 200}\n",
        '4:14: "status" is no part of what a step expects of the world; did you mean "state"?',
    ),
    "no events to expect": (
        HEAD + "  - advance: 1d\n    expect: {events: []}\n",
        '4:22: "events" must not be empty; `events_exactly: []` means none',
    ),
    "no mail to expect": (
        HEAD + "  - advance: 1d\n    expect: {mail: []}\n",
        '4:20: "mail" must not be empty; that no mail was sent is looked at by `control: GET /mail`',
    ),
    "deliveries of no kind": (
        HEAD + "  - advance: 1d\n    expect: {deliveries: {first: 200}}\n",
        '4:26: what is expected of deliveries needs "type"',
    ),
    "an unknown outcome": (
        HEAD + "  - advance: 1d\n    expect: {deliveries: {type: x, last: timeot}}\n",
        '4:42: "timeot" is not an outcome; did you mean "timeout"?',
    ),
    "an event at no time": (
        HEAD + "  - advance: 1d\n    expect: {events: [{type: x, at: noon}]}\n",
        "4:37: 'noon' is no instant like 2027-01-04T09:00:00Z",
    ),
    "an unknown operator": (
        HEAD + "  - call: GET /x\n    expect: {body: {a: {$match: b}}}\n",
        '4:25: "$match" is no operator; did you mean "$matches"?',
    ),
    "an operator among data": (
        HEAD + "  - call: GET /x\n    expect: {body: {a: {$length: 1, b: 2}}}\n",
        '4:24: operators stand alone, without members such as "b"',
    ),
    "an operator with the wrong operand": (
        HEAD + "  - call: GET /x\n    expect: {body: {a: {$length: two}}}\n",
        '4:24: "$length" takes a whole number from 0',
    ),
    "a broken regular expression": (
        HEAD + "  - call: GET /x\n    expect: {body: {a: {$matches: '('}}}\n",
        '4:24: "$matches" takes a regular expression: missing ), unterminated subpattern at position 0',
    ),
    "a recorded answer without a status": (
        HEAD + "  - call: GET /x\n    recorded: {body: a}\n",
        '4:15: a recorded answer needs "status"',
    ),
    "a recorded body that is no base64": (
        HEAD + "  - call: GET /x\n    recorded: {status: 200, body: {base64: a!}}\n",
        "4:44: not base64: Only base64 data is allowed",
    ),
    "a recorded answer that names nothing": (
        HEAD + "  - call: GET /x\n    recorded: {status: 200, body: '${orign}'}\n",
        '4:35: ${orign} is filled by nothing before it; did you mean "origin"?',
    ),
    "an answer on a lost connection": (
        HEAD + "  - call: GET /x\n    expect: {connection: lost, status: 200}\n",
        "4:14: a lost connection has no answer to expect",
    ),
}


@pytest.mark.parametrize(("text", "said"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_wrong_expectation_is_refused_with_its_place_and_what_was_meant(text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidScenario) as refused:
        load(text, "story.yaml")
    assert str(refused.value) == f"story.yaml:{said}"
