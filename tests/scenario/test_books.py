"""What a story expects of money and of the final state, held against the views of the control plane."""

from __future__ import annotations

import pytest

from giftsim import Simulator
from giftsim.scenario import InvalidScenario, Report, load, play

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


def played(simulator: Simulator, expect: str) -> Report:
    """A story of an order for two, of whom one claims, and what is expected then."""
    text = f"scenario: A story\nsteps:{ORDER}{CLAIM}  - expect: {expect}\n"
    return play(load(text, "story.yaml"), simulator.client)


def faults(report: Report) -> list[str]:
    """What was wrong with the last step."""
    return [line.strip() for line in report.steps[-1].detail.split("\n")[1:]]


def refusal(expect: str, head: str = "") -> str:
    """Why a story is refused that expects so."""
    with pytest.raises(InvalidScenario) as caught:
        load(f"scenario: A story\n{head}steps:\n  - expect: {expect}\n", "story.yaml")
    return str(caught.value)


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
def test_money_and_state_that_are_as_expected(simulator: Simulator, expect: str) -> None:
    report = played(simulator, expect)
    assert report.outcome == "passed", report.timeline


@pytest.mark.parametrize(
    ("expect", "said"),
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
def test_what_differs_is_told(simulator: Simulator, expect: str, said: list[str]) -> None:
    assert faults(played(simulator, expect)) == said


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        (
            "{money: {partner.prepad: {wallet_cents: 1}}}",
            '3:22: nobody\'s money is called "partner.prepad"; did you mean "partner.prepaid"?',
        ),
        (
            "{money: {partner.prepaid: {wallet_cent: 1}}}",
            '3:40: "wallet_cent" is no part of the money of an account; did you mean "wallet_cents"?',
        ),
        (
            "{money: {team: {wallet_cents: 1}}}",
            '3:29: "wallet_cents" is no part of the money of a team; did you mean "balance_cents"?',
        ),
        (
            "{state: {order: [{status: paid}]}}",
            '3:22: "order" is no part of what is expected of the state; did you mean "orders"?',
        ),
        ("{state: {orders: []}}", '3:30: "orders" must not be empty; `$length: 0` means none'),
        (
            "{state: {orders: {$lenght: 0}}}",
            '3:31: "$lenght" is no operator; did you mean "$length"?',
        ),
        (
            "{state: {parcels: [{shipped_at: +3days}]}}",
            "3:45: '3days' is no duration like 90s, 15m, 3h, 2d, 1w or PT36H",
        ),
    ],
)
def test_names_and_times_are_judged_before_anything_runs(expect: str, said: str) -> None:
    assert refusal(expect) == f"story.yaml:{said}"


def test_a_key_of_the_storys_own_has_money_too(simulator: Simulator) -> None:
    text = """
scenario: A story
steps:
  - {control: POST /keys, body: {interface: partner, name: mine, account: {wallet_cents: 700}}}
  - expect: {money: {partner.mine: {wallet_cents: 700}}}
  - expect: {money: {partner.mien: {wallet_cents: 700}}}
"""
    report = play(load(text.lstrip(), "story.yaml"), simulator.client)
    assert [step.outcome for step in report.steps] == ["passed", "passed", "failed"]
    assert faults(report) == [
        'money.partner.mien: expected somebody\'s money, actual nobody of that name; did you mean "partner.mine"?'
    ]


def test_calls_and_advances_expect_money_and_state_too(simulator: Simulator) -> None:
    text = f"""
scenario: A story
actors: [{{recipient: any, claims: 1d}}]
steps:{ORDER}    expect: {{money: {{partner.prepaid: {{owed_cents: 0}}}}}}
  - advance: 20d
    expect: {{state: {{orders: [{{status: delivered}}], actors: [{{acted: 2}}]}}}}
"""
    report = play(load(text.lstrip(), "story.yaml"), simulator.client)
    assert report.outcome == "passed", report.timeline
