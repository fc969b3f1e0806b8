"""What a step can expect: of its answer, of the events, deliveries and mail since it began, and of all there were."""

from __future__ import annotations

from giftsim.scenario import Report
from tests.scenario.service import Service, attempt, reply, told

DAYS = {day: f"2027-01-{4 + day:02}T09:00:00Z" for day in range(10)}
GET = "GET /x"


def faults(report: Report) -> list[str]:
    """What the last step that ran complains of."""
    failed = [step for step in report.steps if step.outcome == "failed"]
    return [line.strip() for step in failed for line in step.detail.split("\n")[1:]]


def answered(expect: str, status: int, body: object = None, **headers: str) -> list[str]:
    """What is wrong with one answer."""
    service = Service()
    service.answer(GET, reply(status, body, **headers))
    return faults(told(f"  - {{call: {GET}, expect: {expect}}}", service))


def shipped() -> Service:
    """A world in which a gift ships after three days, is told of in vain twice, and arrives on the fifth."""
    service = Service()
    service.at(DAYS[1], "mail", to="bo@example.com", kind="claim_link", subject="A gift")
    service.at(DAYS[3], "events", type="team_order.shipped", data={"reason": None})
    service.at(DAYS[3], "deliveries", **attempt("team_order.shipped", 503))
    service.at("2027-01-07T09:05:00Z", "deliveries", **attempt("team_order.shipped", None, "timeout"))
    service.at("2027-01-07T09:20:00Z", "deliveries", **attempt("team_order.shipped", 200))
    service.at(DAYS[5], "events", type="team_order.delivered")
    service.at(DAYS[5], "deliveries", **attempt("team_order.delivered", 200, host="other.example.com"))
    service.at(DAYS[6], "mail", to="cy@example.com", kind="claim_link", subject="A gift")
    return service


def advanced(expect: str, by: str = "9d") -> list[str]:
    """What is wrong with those days."""
    return faults(told(f"  - advance: {by}\n    expect: {expect}", shipped()))


def test_an_answer_holds_what_is_expected_of_it() -> None:
    assert answered("{status: 201, body: {a: 1}, headers: {X-B: 2}}", 201, {"a": 1, "c": 2}, x_b="2") == []


def test_an_answer_is_judged_in_every_part() -> None:
    assert answered("{status: 200, body: {a: 1}, headers: {X-B: c, X-D: 1}}", 402, {"a": 2}, x_b="b") == [
        "status: expected 200, actual 402",
        'headers.X-B: expected "c", actual "b"',
        'headers.X-D: expected "1", actual absent',
        "body.a: expected 1, actual 2",
        'the answer was 402 {"a": 2}',
    ]


def test_an_answer_of_which_no_status_is_said_must_be_a_success() -> None:
    assert answered("{body: {}}", 402, {}) == ["status: expected 2xx, actual 402", "the answer was 402 {}"]
    assert answered("{body: {}}", 204, {}) == []


def test_a_call_that_expects_nothing_must_succeed_all_the_same() -> None:
    service = Service()
    service.answer(GET, reply(500, {}))
    assert faults(told(f"  - call: {GET}", service)) == ["status: expected 2xx, actual 500", "the answer was 500 {}"]


def test_an_answer_that_is_no_json_is_compared_as_text() -> None:
    assert answered('{body: {$matches: "^recipient_id,name"}}', 200, "recipient_id,name\n1,Bo\n") == []
    assert answered("{body: a}", 200, "b") == ['body: expected "a", actual "b"', 'the answer was 200 "b"']


def test_an_answer_without_body_is_absent() -> None:
    assert answered("{body: {$absent: true}}", 204) == []
    assert answered("{body: {a: 1}}", 204) == ['body: expected {"a": 1}, actual absent', "the answer was 204 absent"]


def test_a_lost_connection_can_be_expected_and_nothing_else_passes_for_it() -> None:
    service = Service()
    service.answer(GET, ConnectionError("closed"))
    lost = told(f"  - {{call: {GET}, expect: {{connection: lost}}}}", service)
    assert lost.steps[0].detail == "no answer: the connection was lost"
    assert faults(told(f"  - {{call: {GET}}}", service)) == ["connection: expected an answer, actual lost"]
    assert answered("{connection: lost}", 201)[0] == "connection: expected lost, actual an answer, 201"


def test_events_are_contained_in_their_order() -> None:
    assert advanced("{events: [team_order.shipped]}") == []
    assert advanced("{events: [team_order.shipped, {type: team_order.delivered, at: +5d}]}") == []
    assert advanced("{events: [team_order.delivered, team_order.shipped]}") == [
        (
            "events[1]: expected team_order.shipped after team_order.delivered, actual "
            "[2027-01-07T09:00:00Z team_order.shipped, 2027-01-09T09:00:00Z team_order.delivered]"
        )
    ]


def test_an_event_is_matched_as_a_subset() -> None:
    assert advanced("{events: [{type: team_order.shipped, data: {reason: null}}]}") == []
    assert advanced("{events: [{type: team_order.shipped, data: {reason: late}}]}") == [
        (
            'events[0]: expected {"type": "team_order.shipped", "data": {"reason": "late"}}, actual '
            "[2027-01-07T09:00:00Z team_order.shipped, 2027-01-09T09:00:00Z team_order.delivered]"
        )
    ]


def test_events_exactly_allows_no_others() -> None:
    assert advanced("{events_exactly: [team_order.shipped]}", by="4d") == []
    assert advanced("{events_exactly: []}", by="2d") == []
    assert advanced("{events_exactly: []}", by="4d") == [
        "events_exactly: expected [], actual [2027-01-07T09:00:00Z team_order.shipped]"
    ]
    assert advanced("{events_exactly: [{type: team_order.shipped, at: +4d}]}", by="4d") == [
        'events_exactly[0].at: expected "2027-01-08T09:00:00Z", actual "2027-01-07T09:00:00Z"'
    ]


def test_deliveries_are_judged_by_first_last_count_and_outcomes() -> None:
    kind = "type: team_order.shipped"
    assert advanced(f"{{deliveries: {{{kind}, first: 503, last: 200, count: 3}}}}") == []
    assert advanced(f"{{deliveries: {{{kind}, outcomes: [503, timeout, delivered]}}}}") == []
    assert advanced(f"{{deliveries: [{{{kind}}}, {{type: team_order.delivered, count: 1}}]}}") == []
    assert advanced(f"{{deliveries: {{{kind}, first: 200, last: timeout, count: 2, outcomes: [200]}}}}") == [
        "deliveries of team_order.shipped.count: expected 2, actual 3 [503, timeout, 200]",
        "deliveries of team_order.shipped.outcomes: expected [200], actual [503, timeout, 200]",
        "deliveries of team_order.shipped.first: expected 200, actual [503, timeout, 200]",
        'deliveries of team_order.shipped.last: expected "timeout", actual [503, timeout, 200]',
    ]


def test_deliveries_that_never_came_fail_unless_none_are_expected() -> None:
    none = ["deliveries of team_order.claimed: expected at least one attempt, actual none"]
    assert advanced("{deliveries: {type: team_order.claimed}}") == none
    assert advanced("{deliveries: {type: team_order.claimed, last: 200}}") == none
    assert advanced("{deliveries: {type: team_order.claimed, count: 0}}") == []
    assert advanced("{deliveries: {type: team_order.claimed, outcomes: []}}") == []


def test_deliveries_can_be_of_one_host() -> None:
    assert advanced("{deliveries: {type: team_order.delivered, host: other.example.com, count: 1}}") == []
    assert advanced("{deliveries: {type: team_order.delivered, host: hooks.example.com, count: 0}}") == []


def test_mail_is_contained_in_its_order() -> None:
    assert advanced("{mail: [{to: bo@example.com}, {to: cy@example.com, kind: claim_link}]}") == []
    assert advanced("{mail: [{to: di@example.com}]}") == [
        (
            'mail[0]: expected {"to": "di@example.com"}, actual '
            "[2027-01-05T09:00:00Z bo@example.com claim_link, 2027-01-10T09:00:00Z cy@example.com claim_link]"
        )
    ]


def test_a_step_sees_only_what_came_since_it_began() -> None:
    report = told(
        """
  - advance: 4d
  - advance: 2d
    expect:
      events_exactly: [team_order.delivered]
      deliveries: {type: team_order.shipped, count: 0}
      mail: [{to: cy@example.com}]
""",
        shipped(),
    )
    assert report.outcome == "passed", report.timeline


def test_a_step_that_stands_alone_sees_all_there_was() -> None:
    report = told(
        """
  - advance: 4d
  - advance: 2d
  - expect:
      events_exactly: [team_order.shipped, team_order.delivered]
      deliveries: {type: team_order.shipped, outcomes: [503, timeout, 200]}
      mail: [{to: bo@example.com}, {to: cy@example.com}]
""",
        shipped(),
    )
    assert report.outcome == "passed", report.timeline


def test_a_call_can_expect_of_the_world_what_it_brought_about() -> None:
    service = Service()
    service.answer("POST /x", reply(201))
    service.during("POST /x", "events", type="team_order.claimed")
    service.during("POST /x", "mail", to="bo@example.com", kind="claim_link")
    steps = "  - call: POST /x\n    expect: {events_exactly: [team_order.claimed], mail: [{to: bo@example.com}]}\n"
    report = told(steps * 2, service)
    assert report.outcome == "passed", report.timeline


def test_an_expectation_can_name_what_was_saved_before() -> None:
    service = shipped()
    service.answer(GET, reply(200, {"kind": "team_order.shipped"}))
    report = told(
        """
  - {call: GET /x, save: {kind: $.kind}}
  - advance: 4d
    expect: {events: ["${kind}"], deliveries: {type: "${kind}", count: 3}}
""",
        service,
    )
    assert report.outcome == "passed", report.timeline
