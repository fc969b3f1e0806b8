"""What a scenario may cost: its calls, the size of its values, its patterns and its JSONPaths are bounded (G85)."""

from __future__ import annotations

import pytest

from giftsim.scenario import load
from tests.scenario.builders import HEAD, FakeSimulator, failure_lines, load_error, play_steps, response

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
    load(steps)
    message = "scenario.yaml:13:5: with its calls repeated the scenario has more than 10,000 steps"
    assert load_error(steps + "  - {call: GET /x}\n") == message


def test_ten_thousand_steps_are_checked_in_one_pass_over_the_file() -> None:
    load(HEAD + "steps:\n" + "  - {advance: 1d, expect: {money: {partner.prepaid: {wallet_cents: 1}}}}\n" * 5_000)


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
