"""Invalid expectations are refused before anything runs."""

from __future__ import annotations

import pytest

from tests.scenario.builders import HEAD, load_error

STEPS = HEAD + "steps:\n"

ERRORS = {
    "an impossible status": (
        STEPS + "  - call: GET /x\n    expect: {status: 20}\n",
        '4:22: "status" must be at least 100, not 20',
    ),
    "a misspelt expectation": (
        STEPS + "  - call: GET /x\n    expect: {stats: 200}\n",
        '4:14: "stats" is not a member of the expectations of a call; did you mean "status"?',
    ),
    "a status in an advance": (
        STEPS + "  - advance: 1d\n    expect: {status: 200}\n",
        '4:14: "status" is not a member of the expectations of a step; did you mean "state"?',
    ),
    "an empty list of events": (
        STEPS + "  - advance: 1d\n    expect: {events: []}\n",
        '4:22: "events" must not be empty; write `events_exactly: []` for none',
    ),
    "an empty list of mail": (
        STEPS + "  - advance: 1d\n    expect: {mail: []}\n",
        '4:20: "mail" must not be empty; use `control: GET /mail` to check that no mail was sent',
    ),
    "deliveries without a type": (
        STEPS + "  - advance: 1d\n    expect: {deliveries: {first: 200}}\n",
        '4:26: a delivery expectation needs "type"',
    ),
    "an unknown outcome": (
        STEPS + "  - advance: 1d\n    expect: {deliveries: {type: x, last: timeot}}\n",
        '4:42: "timeot" is not an outcome; did you mean "timeout"?',
    ),
    "an event with an invalid time": (
        STEPS + "  - advance: 1d\n    expect: {events: [{type: x, at: noon}]}\n",
        "4:37: 'noon' is not an instant like 2027-01-04T09:00:00Z",
    ),
    "an unknown operator": (
        STEPS + "  - call: GET /x\n    expect: {body: {a: {$match: b}}}\n",
        '4:25: "$match" is not an operator; did you mean "$matches"?',
    ),
    "an operator among members": (
        STEPS + "  - call: GET /x\n    expect: {body: {a: {$length: 1, b: 2}}}\n",
        '4:24: operators cannot be mixed with members such as "b"',
    ),
    "an operator with an operand of the wrong type": (
        STEPS + "  - call: GET /x\n    expect: {body: {a: {$length: two}}}\n",
        '4:24: "$length" takes a whole number of at least 0',
    ),
    "a broken regular expression": (
        STEPS + "  - call: GET /x\n    expect: {body: {a: {$matches: '('}}}\n",
        '4:24: "$matches" takes a regular expression: missing ) at position 1',
    ),
    "a recorded response without a status": (
        STEPS + "  - call: GET /x\n    recorded: {body: a}\n",
        '4:15: a recorded response needs "status"',
    ),
    "a recorded body that is not base64": (
        STEPS + "  - call: GET /x\n    recorded: {status: 200, body: {base64: a!}}\n",
        "4:44: not base64: Only base64 data is allowed",
    ),
    "a recorded response with an undefined variable": (
        STEPS + "  - call: GET /x\n    recorded: {status: 200, body: '${orign}'}\n",
        '4:35: ${orign} is not defined here; did you mean "origin"?',
    ),
    "a status of a lost connection": (
        STEPS + "  - call: GET /x\n    expect: {connection: lost, status: 200}\n",
        "4:14: a lost connection has no status, headers or body",
    ),
}


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_an_invalid_expectation_is_refused_with_its_position(text: str | bytes, message: str) -> None:
    assert load_error(text) == f"scenario.yaml:{message}"
