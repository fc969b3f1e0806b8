"""Expectations of the events, deliveries and mail since a step or the scenario began."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import Report
from tests.scenario.builders import (
    HEAD,
    WORLD,
    FakeSimulator,
    assert_passed,
    delivery_attempt,
    failure_lines,
    load_error,
    play_steps,
    play_text,
    response,
)

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


ORDER = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: first, gift_sender: Ada, items: [{sku_code: MUG-01, quantity: 1}],
       recipients: [{name: Bo, email: bo@example.com}, {name: Cy, email: cy@example.com}]}
    save: {order: $.team_order.id, total: $.totals.total_cents}
"""
CLAIM = "  - {simulate: claim, with: {team_order_id: '${order}', recipient: 0}}\n"
ROWS = '{"name": "Bo", "status": "submitted"}, {"name": "Cy", "status": "awaiting"}'
REST = '"email": "cy@example.com", "status": "awaiting"'
BO = '{"name": "Bo", "email": "bo@example.com", "status": "submitted"}'
NONE_LIKE_IT = (
    f'state.parcels[0]: expected {{"name": "Cyd", {REST}}}, actual none of 2 rows: {BO}, {{"name": "Cy", {REST}}}'
)


def play_expecting(simulator: Simulator, expect: str) -> Report:
    """Play an order for two recipients, a claim by one, and an expectation."""
    return play_text(f"{HEAD}steps:{ORDER}{CLAIM}  - expect: {expect}\n", simulator.client)


@pytest.mark.parametrize(
    "expect",
    [
        "{money: {partner.prepaid: {wallet_cents: 494800, spent_today_cents: 5200, held_cents: 0}}}",
        "{money: {team: {balance_cents: 2500000, credit: {status: active}}, team.other: {reserved_cents: 0}}}",
        "{money: {partner.no_funds: {wallet_cents: 0, card: none}}}",
        "{state: {orders: [{id: '${order}', total_cents: '${total}', summary: {claimed: 1}}]}}",
        "{state: {parcels: [{name: Bo, status: submitted, claimed_at: +0s}, {name: Cy, status: awaiting}]}}",
        "{state: {parcels: {$length: 2, $includes: {name: Cy}}, payments: [{status: paid}], approvals: {$length: 0}}}",
        "{state: {ledger: [{kind: {$matches: .}}], endpoints: {$length: 0}, teams: [{label: other}]}}",
    ],
)
def test_money_and_state_match(simulator: Simulator, expect: str) -> None:
    report = play_expecting(simulator, expect)
    assert_passed(report)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        (
            "{money: {partner.prepaid: {wallet_cents: 500000}}}",
            ["money.partner.prepaid.wallet_cents: expected 500000, actual 494800"],
        ),
        (
            "{money: {team: {credit: {status: none}}}}",
            ['money.team.credit.status: expected "none", actual "active"'],
        ),
        (
            "{state: {orders: [{status: delivered}]}}",
            ['state.orders[0].status: expected "delivered", actual "collecting_addresses"'],
        ),
        (
            "{state: {orders: [{}, {status: unpaid}]}}",
            ['state.orders[1]: expected {"status": "unpaid"}, actual no further row'],
        ),
        (
            "{state: {parcels: [{name: Cy, status: submitted}]}}",
            [
                f'state.parcels[0]: expected {{"name": "Cy", "status": "submitted"}}, actual none of 2 rows: {ROWS}',
                'state.parcels[0].name: expected "Cy", actual "Bo"',
            ],
        ),
        (
            "{state: {parcels: [{name: Cyd, email: cy@example.com, status: awaiting}]}}",
            [
                NONE_LIKE_IT,
                'state.parcels[0].name: expected "Cyd", actual "Cy"',
            ],
        ),
        (
            "{state: {parcels: [{name: Cy}, {name: Bo}]}}",
            ['state.parcels[1]: expected {"name": "Bo"}, actual no further row'],
        ),
    ],
)
def test_differences_are_reported(simulator: Simulator, expect: str, message: list[str]) -> None:
    assert failure_lines(play_expecting(simulator, expect)) == message


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        (
            "{money: {partner.prepad: {wallet_cents: 1}}}",
            '3:22: no account or team is called "partner.prepad"; did you mean "partner.prepaid"?',
        ),
        (
            "{money: {partner.prepaid: {wallet_cent: 1}}}",
            '3:40: "wallet_cent" is not a member of the money of an account; did you mean "wallet_cents"?',
        ),
        (
            "{money: {team: {wallet_cents: 1}}}",
            '3:29: "wallet_cents" is not a member of the money of a team; did you mean "balance_cents"?',
        ),
        (
            "{state: {order: [{status: paid}]}}",
            '3:22: "order" is not a member of the expected state; did you mean "orders"?',
        ),
        ("{state: {orders: []}}", '3:30: "orders" must not be empty; write `$length: 0` for none'),
        (
            "{state: {orders: {$lenght: 0}}}",
            '3:31: "$lenght" is not an operator; did you mean "$length"?',
        ),
        (
            "{state: {parcels: [{shipped_at: +3days}]}}",
            "3:45: '3days' is not a duration like 90s, 15m, 3h, 2d, 1w or PT36H",
        ),
    ],
)
def test_invalid_names_and_times_are_refused(expect: str, message: str) -> None:
    assert load_error(f"{HEAD}steps:\n  - expect: {expect}\n") == f"scenario.yaml:{message}"


def test_the_money_of_a_key_made_in_the_scenario_can_be_checked(simulator: Simulator) -> None:
    text = """
scenario: A scenario
steps:
  - {control: POST /keys, body: {interface: partner, name: mine, account: {wallet_cents: 700}}}
  - expect: {money: {partner.mine: {wallet_cents: 700}}}
  - expect: {money: {partner.mien: {wallet_cents: 700}}}
"""
    report = play_text(text, simulator.client)
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed"]
    assert failure_lines(report) == [
        'money.partner.mien: expected an account or a team, actual none of this name; did you mean "partner.mine"?'
    ]


def test_calls_and_advances_can_expect_money_and_state(simulator: Simulator) -> None:
    text = f"""
scenario: A scenario
actors: [{{recipient: any, claims: 1d}}]
steps:{ORDER}    expect: {{money: {{partner.prepaid: {{owed_cents: 0}}}}}}
  - advance: 20d
    expect: {{state: {{orders: [{{status: delivered}}], actors: [{{acted: 2}}]}}}}
"""
    report = play_text(text, simulator.client)
    assert_passed(report)


def test_a_list_of_several_pages_is_read_to_its_end() -> None:
    fake = FakeSimulator()
    fake.respond(f"GET {WORLD}/parcels?limit=1000", response(200, {"parcels": [{"n": 1}], "next": 1}))
    fake.respond(f"GET {WORLD}/parcels?limit=1000&after=1", response(200, {"parcels": [{"n": 2}], "next": None}))
    assert_passed(play_steps("  - expect: {state: {parcels: {$length: 2}}}", fake))
