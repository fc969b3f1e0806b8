"""Lists of teams' orders, gifts and parcels, and how verbs name them."""

from __future__ import annotations

import pytest

from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import EACH_CENTS, approve, cancel, create_gift, create_order, reload
from tests.support.worlds import World


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def test_orders_of_accounts_and_teams_are_in_one_list(team: TeamClients) -> None:
    team.world.partner().create_order()
    live, test = create_order(team.live, headcount=3), create_order(team.test)
    create_gift(team.live)
    approve(team.world, live)
    rows = team.world.call_control("GET", "/orders")["orders"]
    assert [(row["id"], row["key"], row["status"]) for row in rows] == [
        (1001, "partner.prepaid", "collecting_addresses"), (live["id"], "team.live_approver", "approved"),
        (test["id"], "team.test", "awaiting_approval"),
    ]  # fmt: skip
    assert [(row["account_id"] is None, row["team_id"] is None) for row in rows] == [
        (False, True), (True, False), (True, False),
    ]  # fmt: skip
    assert (rows[1]["total_cents"], rows[1]["charged_cents"], rows[1]["refunded_cents"]) == (
        3 * EACH_CENTS, 3 * EACH_CENTS, 0,
    )  # fmt: skip
    assert rows[1]["summary"]["awaiting_address"] == rows[1]["summary"]["total"] == 3
    assert rows[2]["charged_cents"] == 0
    cancel(team.live, live)
    assert team.world.call_control("GET", "/orders")["orders"][1]["refunded_cents"] == 3 * EACH_CENTS


def test_the_shared_claim_link_of_a_team_order_is_shown_by_the_control_api_only(team: TeamClients) -> None:
    order = create_order(team.live, headcount=2, recipients=[{"name": "Bo", "email": "bo@example.com"}])
    approve(team.world, order)
    (row,) = team.world.call_control("GET", "/orders")["orders"]
    token = row["shared_claim_link"].rsplit("/", 1)[1]
    assert team.world.claim(token, name="Zoe", email="zoe@example.com").status == 200
    assert [each["name"] for each in reload(team.live, order)["recipients"]] == ["Bo", "Zoe"]
    assert team.world.claim(token, name="Yan", email="yan@example.com").status == 409
    assert token not in team.live.get(f"/team-orders/{order['id']}").text


def test_parcels_of_one_order_or_gift_are_listed(team: TeamClients) -> None:
    records = [create_order(team.live), create_order(team.test), create_gift(team.live, 3)]
    partner_order = team.world.partner().create_order().json()["team_order"]["id"]
    for record, name, count in zip(records, ("team_order_id", "team_order_id", "gift_id"), (2, 2, 3), strict=True):
        parcels = team.world.call_control("GET", f"/parcels?{name}={record['id']}")["parcels"]
        assert [row["recipient_id"] for row in parcels] == [row["id"] for row in record["recipients"]]
        assert len(parcels) == count
    assert len(team.world.call_control("GET", f"/parcels?team_order_id={partner_order}")["parcels"]) == 1
    for unknown in ("team_order_id=77", "team_order_id=20000099", "team_order_id=x", "gift_id=7"):
        assert team.world.call_control("GET", f"/parcels?{unknown}")["parcels"] == []


def test_a_verb_refuses_unknown_ids_of_partners_orders_teams_orders_and_gifts(team: TeamClients) -> None:
    path = f"/worlds/{team.world.id}/simulate/shipment"
    for order_id in (1001, 20_000_001, "00000000-0000-4000-8000-000000000000", "x"):
        body = {"team_order_id": order_id, "to": "shipped"}
        expect_error(team.world.control.post(path, body), 404, "team_order_not_found")
    expect_error(team.world.control.post(path, {"gift_id": 7, "to": "shipped"}), 404, "gift_not_found")
    expect_error(
        team.world.control.post(path, {"gift_id": 7, "team_order_id": 7, "to": "shipped"}), 400, "invalid_body"
    )


def test_the_expiry_timer_of_an_approval_names_the_approval(team: TeamClients) -> None:
    team.world.change_settings(approvals__expire_days=2)
    approval = create_gift(team.live)["approval_id"]
    (timer,) = [row for row in team.world.call_control("GET", "/timers")["timers"] if row["kind"] == "approval.expire"]
    assert (timer["subject"], timer["because"]) == (f"approval {approval}", "nobody decided in time")
