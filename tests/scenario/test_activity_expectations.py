"""Expectations of the events, deliveries and mail since a step or the scenario began."""

from __future__ import annotations

from tests.scenario.builders import FakeSimulator, assert_passed, delivery_attempt, failure_lines, play_steps, response

DAYS = {day: f"2027-01-{4 + day:02}T09:00:00Z" for day in range(10)}


def shipping_world() -> FakeSimulator:
    """A world in which a gift ships on day 3, with two failed delivery attempts, and arrives on day 5."""
    fake = FakeSimulator()
    fake.add_at(DAYS[1], "mail", to="bo@example.com", kind="claim_link", subject="A gift")
    fake.add_at(DAYS[3], "events", type="team_order.shipped", data={"reason": None})
    fake.add_at(DAYS[3], "deliveries", **delivery_attempt("team_order.shipped", 503))
    fake.add_at("2027-01-07T09:05:00Z", "deliveries", **delivery_attempt("team_order.shipped", None, "timeout"))
    fake.add_at("2027-01-07T09:20:00Z", "deliveries", **delivery_attempt("team_order.shipped", 200))
    fake.add_at(DAYS[5], "events", type="team_order.delivered")
    fake.add_at(DAYS[5], "deliveries", **delivery_attempt("team_order.delivered", 200, host="other.example.com"))
    fake.add_at(DAYS[6], "mail", to="cy@example.com", kind="claim_link", subject="A gift")
    return fake


def failures(expect: str, by: str = "9d") -> list[str]:
    """The failures of expectations of those days."""
    return failure_lines(play_steps(f"  - advance: {by}\n    expect: {expect}", shipping_world()))


def test_events_must_occur_in_order() -> None:
    assert failures("{events: [team_order.shipped]}") == []
    assert failures("{events: [team_order.shipped, {type: team_order.delivered, at: +5d}]}") == []
    assert failures("{events: [team_order.delivered, team_order.shipped]}") == [
        (
            "events[1]: expected team_order.shipped after team_order.delivered, actual "
            "[2027-01-07T09:00:00Z team_order.shipped, 2027-01-09T09:00:00Z team_order.delivered]"
        )
    ]


def test_an_event_is_matched_as_a_subset() -> None:
    assert failures("{events: [{type: team_order.shipped, data: {reason: null}}]}") == []
    assert failures("{events: [{type: team_order.shipped, data: {reason: late}}]}") == [
        (
            'events[0]: expected {"type": "team_order.shipped", "data": {"reason": "late"}}, actual '
            "[2027-01-07T09:00:00Z team_order.shipped, 2027-01-09T09:00:00Z team_order.delivered]"
        )
    ]


def test_events_exactly_allows_no_others() -> None:
    assert failures("{events_exactly: [team_order.shipped]}", by="4d") == []
    assert failures("{events_exactly: []}", by="2d") == []
    assert failures("{events_exactly: []}", by="4d") == [
        "events_exactly: expected [], actual [2027-01-07T09:00:00Z team_order.shipped]"
    ]
    assert failures("{events_exactly: [{type: team_order.shipped, at: +4d}]}", by="4d") == [
        'events_exactly[0].at: expected "2027-01-08T09:00:00Z", actual "2027-01-07T09:00:00Z"'
    ]


def test_deliveries_are_checked_by_first_last_count_and_outcomes() -> None:
    kind = "type: team_order.shipped"
    assert failures(f"{{deliveries: {{{kind}, first: 503, last: 200, count: 3}}}}") == []
    assert failures(f"{{deliveries: {{{kind}, outcomes: [503, timeout, delivered]}}}}") == []
    assert failures(f"{{deliveries: [{{{kind}}}, {{type: team_order.delivered, count: 1}}]}}") == []
    assert failures(f"{{deliveries: {{{kind}, first: 200, last: timeout, count: 2, outcomes: [200]}}}}") == [
        "deliveries of team_order.shipped.count: expected 2, actual 3 [503, timeout, 200]",
        "deliveries of team_order.shipped.outcomes: expected [200], actual [503, timeout, 200]",
        "deliveries of team_order.shipped.first: expected 200, actual [503, timeout, 200]",
        'deliveries of team_order.shipped.last: expected "timeout", actual [503, timeout, 200]',
    ]


def test_missing_deliveries_fail_unless_none_are_expected() -> None:
    none = ["deliveries of team_order.claimed: expected at least one attempt, actual none"]
    assert failures("{deliveries: {type: team_order.claimed}}") == none
    assert failures("{deliveries: {type: team_order.claimed, last: 200}}") == none
    assert failures("{deliveries: {type: team_order.claimed, count: 0}}") == []
    assert failures("{deliveries: {type: team_order.claimed, outcomes: []}}") == []


def test_deliveries_can_be_limited_to_one_host() -> None:
    assert failures("{deliveries: {type: team_order.delivered, host: other.example.com, count: 1}}") == []
    assert failures("{deliveries: {type: team_order.delivered, host: hooks.example.com, count: 0}}") == []


def test_mail_must_be_sent_in_order() -> None:
    assert failures("{mail: [{to: bo@example.com}, {to: cy@example.com, kind: claim_link}]}") == []
    assert failures("{mail: [{to: di@example.com}]}") == [
        (
            'mail[0]: expected {"to": "di@example.com"}, actual '
            "[2027-01-05T09:00:00Z bo@example.com claim_link, 2027-01-10T09:00:00Z cy@example.com claim_link]"
        )
    ]


def test_a_step_sees_only_what_happened_since_it_began() -> None:
    report = play_steps(
        """
  - advance: 4d
  - advance: 2d
    expect:
      events_exactly: [team_order.delivered]
      deliveries: {type: team_order.shipped, count: 0}
      mail: [{to: cy@example.com}]
""",
        shipping_world(),
    )
    assert_passed(report)


def test_an_expect_step_sees_all_since_the_scenario_began() -> None:
    report = play_steps(
        """
  - advance: 4d
  - advance: 2d
  - expect:
      events_exactly: [team_order.shipped, team_order.delivered]
      deliveries: {type: team_order.shipped, outcomes: [503, timeout, 200]}
      mail: [{to: bo@example.com}, {to: cy@example.com}]
""",
        shipping_world(),
    )
    assert_passed(report)


def test_a_call_sees_the_events_and_mail_that_it_caused() -> None:
    fake = FakeSimulator()
    fake.respond("POST /x", response(201))
    fake.add_during("POST /x", "events", type="team_order.claimed")
    fake.add_during("POST /x", "mail", to="bo@example.com", kind="claim_link")
    steps = "  - call: POST /x\n    expect: {events_exactly: [team_order.claimed], mail: [{to: bo@example.com}]}\n"
    report = play_steps(steps * 2, fake)
    assert_passed(report)


def test_an_expectation_can_use_saved_values() -> None:
    fake = shipping_world()
    fake.respond("GET /x", response(200, {"kind": "team_order.shipped"}))
    report = play_steps(
        """
  - {call: GET /x, save: {kind: $.kind}}
  - advance: 4d
    expect: {events: ["${kind}"], deliveries: {type: "${kind}", count: 3}}
""",
        fake,
    )
    assert_passed(report)
