"""A played scenario: its world is created from the head of the file and deleted at the end."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.workbench.app.app_calls import run_check_command
from giftsim.workbench.scenario import Report, load_scenario, play
from tests.scenario.builders import (
    HEAD,
    START,
    WORLD,
    FakeSimulator,
    assert_passed,
    failure_lines,
    load_error,
    play_steps,
    play_text,
    response,
)

ORDER = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01, quantity: 1}],
       recipients: [{name: Bo, email: bo@example.com}]}
"""
LATE = "refused at 2027-02-03T09:00:00Z: claim_expired, this link has expired"


def played(simulator: Simulator, actors: str, steps: str = "") -> Report:
    """Play an order, then `steps`, with these actors."""
    return play_text(f"{HEAD}actors:\n{actors}\nsteps:{ORDER}{steps}", simulator.client)


def error_of(actor: str) -> str:
    """The error of a scenario with this actor."""
    return load_error(f"{HEAD}actors:\n  - {actor}\nsteps: [advance: 1d]\n")


def test_actors_act_on_the_clock_of_the_world(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {id: bo, recipient: bo@example.com, claims: 3d}",
        "  - advance: 3d\n    expect: {events_exactly: [{type: team_order.claimed, at: +3d}]}\n",
    )
    assert_passed(report)


def test_a_recipient_may_never_claim(simulator: Simulator) -> None:
    report = played(
        simulator,
        "  - {recipient: Bo, claims: never}\n  - {recipient: any, claims: 1d, optional: true}",
        "  - advance: 31d\n    expect: {events_exactly: [team_order.needs_attention]}",
    )
    assert_passed(report)


@pytest.mark.parametrize(
    ("actor", "message"),
    [
        (
            "{id: bo, recipient: boo@example.com, claims: 1d}",
            "expected it to claim, actual never: it received no claim link; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 40d}",
            "expected it to claim, actual never: the scenario ended before; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: Bo, claims: 30d}",
            f"expected it to claim, actual never: {LATE}; `optional: true` allows that",
        ),
        (
            "{id: bo, approver: gift, decides: approve}",
            "expected it to decide, actual never: it received no approval request; `optional: true` allows that",
        ),
        (
            "{id: bo, recipient: nobody@example.com, claims: never}",
            "expected a claim link for it to ignore, actual none",
        ),
    ],
)
def test_an_actor_that_never_acted_fails_the_scenario(simulator: Simulator, actor: str, message: str) -> None:
    report = played(simulator, f"  - {actor}", "  - advance: 31d\n")
    assert report.outcome == "failed"
    last = report.steps[-1]
    assert (last.number, last.title, last.outcome) == (3, "actor bo", "failed")
    assert last.detail == f"scenario.yaml:3: actor bo\n  {message}"


def test_idle_actors_are_not_reported_after_a_failed_step(simulator: Simulator) -> None:
    report = played(simulator, "  - {recipient: Bo, claims: 40d}", "  - expect: {events: [order.shipped]}\n")
    assert [step.outcome for step in report.steps] == ["passed", "failed"]


def test_an_actor_that_the_simulator_refuses_fails_before_any_step_runs(simulator: Simulator) -> None:
    report = played(simulator, "  - {id: bo, recipient: Bo, claims: 1d, address: {city: Reno}}")
    assert [(step.title, step.outcome) for step in report.steps] == [
        ("actor bo", "failed"),
        ("POST /api/external/team-orders as partner.prepaid", "skipped"),
    ]
    assert "invalid_actor" in report.steps[0].detail


@pytest.mark.parametrize(
    ("actor", "message"),
    [
        ("{id: bo}", '3:5: an actor is either a "recipient" or an "approver"'),
        ("{recipient: Bo, approver: any}", '3:21: an actor is either a "recipient" or an "approver"'),
        ("{recipient: Bo}", '3:5: "recipient" needs "claims"'),
        ("{recipient: Bo, claim: 3d}", '3:21: "claim" is not a member of an actor; did you mean "claims"?'),
        ("{recipient: Bo, claims: soon}", "3:29: 'soon' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H"),
        (
            "{recipient: Bo, claims: nevr}",
            "3:29: 'nevr' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H; did you mean \"never\"?",
        ),
        (
            "{recipient: Bo, claims: 1d, note: x}",
            '3:33: "note" is not a member of a "recipient", which has "claims", "address" and "selection"',
        ),
        (
            "{approver: gifts, decides: approve}",
            '3:16: "gifts" is not a kind of approval; did you mean "gift"?',
        ),
        ("{approver: any, decides: never, after: 1d}", '3:37: "after" has no effect on an actor that never acts'),
        ("{recipient: '${bo}', claims: 1d}", '3:17: ${bo} is not defined here; known are "origin", "run", "start", "start_date" and "world"'),  # noqa: E501
        (
            "{id: a, recipient: any, claims: 1d}\n  - {id: a, recipient: Bo, claims: 1d}",
            '4:10: there is already an actor "a" on line 3',
        ),
    ],
)  # fmt: skip
def test_an_invalid_actor_is_refused(actor: str, message: str) -> None:
    assert error_of(actor) == f"scenario.yaml:{message}"


def test_the_world_is_created_from_the_head_of_the_file() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 1d", fake, seed="7", now="2027-03-02T09:00:00Z", settings="{webhooks.url_ports: [443]}")
    assert fake.bodies("POST /_sim/v1/worlds") == [
        {
            "fixture": "empty",
            "seed": 7,
            "name": "A scenario",
            "now": "2027-03-02T09:00:00Z",
            "settings": {"webhooks.url_ports": [443]},
        }
    ]


def test_a_minimal_head_leaves_the_start_to_the_simulator() -> None:
    fake = FakeSimulator()
    play_steps("  - advance: 1d", fake, fixture="{accounts: []}")
    assert fake.bodies("POST /_sim/v1/worlds") == [{"fixture": {"accounts": []}, "seed": 1, "name": "A scenario"}]


def test_a_world_that_cannot_be_created_fails_before_the_first_step() -> None:
    fake = FakeSimulator()
    fake.respond("POST /_sim/v1/worlds", response(400, {"error": {"code": "invalid_body", "message": "no fixture x"}}))
    report = play_steps("  - advance: 1d", fake, fixture="x")
    assert [(step.number, step.outcome) for step in report.steps] == [(0, "failed"), (1, "skipped")]
    assert report.steps[0].detail == (
        "scenario.yaml: the world could not be created\n  POST /_sim/v1/worlds answered 400 "
        '{"error": {"code": "invalid_body", "message": "no fixture x"}}'
    )
    assert report.fingerprint is None


def test_a_call_that_the_simulator_refuses_fails_the_step() -> None:
    fake = FakeSimulator()
    fake.respond(f"PATCH {WORLD}/settings", response(400, {"error": {"code": "invalid_setting", "message": "no x"}}))
    report = play_steps("  - settings: {x: 1}", fake)
    assert report.steps[0].detail == (
        f"scenario.yaml:3: step 1, settings x\n  PATCH {WORLD}/settings answered 400 "
        '{"error": {"code": "invalid_setting", "message": "no x"}}'
    )


def test_the_world_is_deleted_unless_it_is_kept() -> None:
    fake, kept = FakeSimulator(), FakeSimulator()
    scenario = load_scenario(f"scenario: A\nnow: {START}\nsteps: [advance: 1d]\n")
    assert play(scenario, fake).world is None
    assert fake.calls[-1].call == f"DELETE {WORLD}"
    assert play(scenario, kept, keep=True).world == "w1"
    assert all(made.call != f"DELETE {WORLD}" for made in kept.calls)


def test_the_world_is_deleted_after_an_error() -> None:
    fake = FakeSimulator()
    fake.respond(f"GET {WORLD}/events?limit=1000", ConnectionError("gone"))
    with pytest.raises(ConnectionError):
        play_steps("  - advance: 1d", fake)
    assert fake.calls[-1].call == f"DELETE {WORLD}"


CALL = '  - call: POST /people\n    body: {name: "bo-${run}"}\n'


@pytest.mark.parametrize(("head", "name"), [({}, "bo-r0"), ({"vars": "{run: second}"}, "bo-second")])
def test_run_is_one_text_in_every_world_unless_the_file_defines_it(head: dict[str, str], name: str) -> None:
    fake = FakeSimulator()
    fake.respond("POST /people", response(201))
    assert_passed(play_steps(CALL, fake, **head))
    assert fake.bodies("POST /people") == [{"name": name}]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("true", None),
        ("echo first; echo last; exit 1", "last"),
        ("echo output; echo problem >&2; exit 2", "problem"),
        ("exit 3", "the command ended with exit status 3"),
        (
            'echo "$GIFTSIM_ORIGIN $GIFTSIM_WORLD $GIFTSIM_KEY $GIFTSIM_APP"; exit 1',
            "http://s w1 pk_live_w1_prepaid http://a",
        ),
    ],
)
def test_a_check_fails_with_the_last_line_that_the_command_printed(command: str, reason: str | None) -> None:
    assert run_check_command(command, origin="http://s", world="w1", app="http://a") == reason


TOO_LARGE = "with its variables resolved, the value is larger than 4,194,304 characters"


def doubled(first: str, item: str, count: int) -> str:
    """Variables of which each holds the one before it twice, written as `item`."""
    lines = [f"  v0: {first}", *(f"  v{n}: {item.format(n - 1)}" for n in range(1, count))]
    return "\n".join(["vars:", *lines, ""])


@pytest.mark.parametrize(
    "item", ["${{v{0}}}${{v{0}}}", "['${{v{0}}}', '${{v{0}}}']", "{{a: '${{v{0}}}', b: '${{v{0}}}'}}"]
)
def test_variables_of_variables_that_multiply_are_refused_where_they_become_too_large(item: str) -> None:
    text = HEAD + doubled("x", item, 60) + "steps: [advance: 1d]\n"
    place, _, message = load_error(text).rpartition(": ")
    assert message == TOO_LARGE
    assert 16 <= int(place.split(":")[1]) <= 27


def test_variables_that_grow_by_little_are_resolved() -> None:
    fake = FakeSimulator()
    fake.respond("POST /y", response(200))
    vars_ = "{a: x, b: '${a}${a}', c: ['${b}', '${b}']}"
    report = play_steps("  - {call: POST /y, body: {c: '${c}', d: '-${c.1}-'}}", fake, vars=vars_)
    assert report.outcome == "passed", report.timeline
    assert fake.bodies("POST /y") == [{"c": ["xx", "xx"], "d": "-xx-"}]


def test_a_step_fails_whose_values_multiply_by_what_was_saved() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(200, {"text": "x" * 3_000_000}))
    steps = "  - {call: GET /x, save: {t: $.text}}\n  - {call: POST /y, body: ['${t}', 'and ${t}']}"
    assert failure_lines(play_steps(steps, fake)) == [TOO_LARGE]
    assert fake.bodies("POST /y") == []


def test_loops_and_includes_around_a_step_multiply_no_further() -> None:
    loops, indent = "", "  "
    for n in range(30):
        loops += f"{indent}- for_each: {{v{n}: ['{'${v' + str(n - 1) + '}' if n else 'x'}' ]}}\n{indent}  steps:\n"
        indent += "    "
    loops = loops.replace("']", "', 'y']", 1)
    for n in range(1, 30):
        loops = loops.replace(f"${{v{n - 1}}}'", f"${{v{n - 1}}}${{v{n - 1}}}'", 1)
    report = play_steps(f"{loops}{indent}- advance: 1d")
    assert failure_lines(report) == [TOO_LARGE]


def test_a_repeated_call_counts_as_often_as_it_is_made() -> None:
    steps = HEAD + "steps:\n" + "  - {call: GET /x, repeat: 1000}\n" * 10
    load_scenario(steps)
    message = "scenario.yaml:13:5: with its calls repeated the scenario has more than 10,000 steps"
    assert load_error(steps + "  - {call: GET /x}\n") == message


def test_ten_thousand_steps_are_checked_in_one_pass_over_the_file() -> None:
    load_scenario(
        HEAD + "steps:\n" + "  - {advance: 1d, expect: {money: {partner.prepaid: {wallet_cents: 1}}}}\n" * 5_000
    )


def test_a_pattern_that_takes_long_fails_its_step() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(200, {"texts": ["a" * 60 + "!"] * 50}))
    steps = "  - {call: GET /x, expect: {body: {texts: {$includes: {$matches: '^(a|aa)+$'}}}}}"
    slow = '$matches: "^(a|aa)+$" takes more than 0.5 s on a text of 61 characters'
    (line,) = failure_lines(play_steps(steps, fake))
    assert line == f"{slow}; repetitions of alternatives or of repetitions, such as (a|aa)+, are slow"


def test_patterns_may_look_ahead_and_back() -> None:
    fake = FakeSimulator()
    fake.respond("GET /x", response(200, {"text": "Zoë Zoë\n"}))
    for pattern in (r"^(?!.*x)(\w+) \1$", r"(?i)ZOË\s\Z", "(?P<name>Zo)"):
        assert (
            failure_lines(
                play_steps(f"  - {{call: GET /x, expect: {{body: {{text: {{$matches: '{pattern}'}}}}}}}}", fake)
            )
            == []
        )


def test_a_pattern_is_limited_to_a_thousand_characters() -> None:
    steps = HEAD + "steps:\n  - {call: GET /x, expect: {body: {$matches: '" + "a?" * 501 + "'}}}\n"
    assert load_error(steps).endswith('"$matches" takes a regular expression of at most 1,000 characters')


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("$" + ".a" * 5_000, "a JSONPath has at most 200 characters, this one has 10,001"),
        ("$.a.`sub(/(a+)+b/, c)`", "changes or matches texts; save the value, and compare it with $matches"),
        ("$.a[?(@.b =~ '(a+)+b')].c", "changes or matches texts; save the value, and compare it with $matches"),
        ("$..a..b..c", "has 3 parts like `..` or `parent`; a JSONPath has at most 2"),
        ("$..a.`parent`..b", "has 3 parts like `..` or `parent`; a JSONPath has at most 2"),
    ],
)
def test_a_jsonpath_that_could_take_long_is_refused(path: str, message: str) -> None:
    assert load_error(HEAD + f'steps:\n  - {{call: GET /x, save: {{a: "{path}"}}}}\n').endswith(message)


def test_other_jsonpaths_are_found() -> None:
    fake = FakeSimulator()
    fake.respond("POST /y", response(200))
    fake.respond("GET /x", response(200, {"rows": [{"a": "x/y", "n": 2}, {"a": "z", "n": 1}]}))
    saves = {
        "last": ("$..n", 2), "part": ("$.rows[0].a.`split(/, 1, -1)`", "y"), "least": ("$.rows[?(@.n < 2)].a", "z"),
        "count": ("$.rows.`len`", 2),
    }  # fmt: skip
    for path, value in saves.values():
        steps = f'  - {{call: GET /x, save: {{v: "{path}"}}}}\n  - {{call: POST /y, body: ["${{v}}"]}}'
        report = play_steps(steps, fake)
        assert report.outcome == "passed", report.timeline
        assert fake.bodies("POST /y")[-1] == [value]
