"""The lifecycle of a released team order: links, parcels, statuses, its manifest and its events."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.shows import shows
from tests.support.instants import later
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    approve,
    approve_and_reload,
    claim,
    create_gift,
    create_order,
    event_types,
    mailed_tokens,
    move_parcels,
    recipient_statuses,
    reference,
    reload,
    request_approval,
)

MENU = [
    {"label": "Tea", "items": [{"item_slug": "tea-01"}]},
    {"label": "Coffee", "items": [{"item_slug": "coff-01", "quantity": 2}]},
]
COLUMNS = [
    "recipient_id", "name", "status", "carrier", "tracking_number", "shipped_at", "delivered_at", "items", "po_number",
    "cost_center",
]  # fmt: skip


def manifest(team: TeamClients, record: Any) -> list[dict[str, str]]:
    """The rows of an order's manifest, each by column name."""
    response = expect_status(team.live.get(f"/team-orders/{record['id']}/manifest.csv"), 200)
    assert response.headers["content-type"].startswith("text/csv")
    header, *rows = csv.reader(io.StringIO(response.text))
    assert header == COLUMNS
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_claim_links_return_409_while_the_order_is_held(team: TeamClients) -> None:
    order = create_order(team.live)
    request_approval(team.live, order)
    links = [parcel["claim_link"] for parcel in team.world.call_control("GET", "/parcels")["parcels"]]
    assert len(links) == 2
    for link in links:
        assert team.world.claim(link.rsplit("/", 1)[1]).status == 409
    assert recipient_statuses(reload(team.live, order)) == ["awaiting", "awaiting"]


def test_an_order_advances_with_the_clock(team: TeamClients) -> None:
    order = approve_and_reload(
        team, create_order(team.live, headcount=1, recipients=[{"name": "Bo", "email": "bo@example.com"}])
    )
    (token,) = mailed_tokens(team.world)
    assert team.world.claim(token).status == 200
    statuses = []
    for hours in (0, 24, 24, 24, 48):
        team.world.advance(f"{hours}h")
        reloaded = reload(team.live, order)
        statuses.append((reloaded["status"], recipient_statuses(reloaded)[0]))
    assert statuses == [
        ("approved", "submitted"), ("in_production", "in_production"), ("in_production", "labeled"),
        ("shipped", "shipped"), ("delivered", "delivered"),
    ]  # fmt: skip


def fulfilment_events(team: TeamClients) -> list[str]:
    """The webhook events of team orders."""
    return [kind for kind in event_types(team.world) if kind.startswith("team_order.")]


SHIPPED, DELIVERED = "team_order.shipped", "team_order.delivered"


@shows("T-6.8")
def test_an_order_ships_with_its_first_parcel_and_is_delivered_with_its_last(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    steps = [("in_production", 0), ("shipped", 0), ("in_production", 1), ("delivered", 0), ("shipped", 1)]
    statuses = []
    for to, recipient in steps:
        move_parcels(team.world, order, to, recipient=recipient)
        statuses.append(reload(team.live, order)["status"])
    assert (statuses, fulfilment_events(team)) == (["in_production", *["shipped"] * 4], [SHIPPED])
    move_parcels(team.world, order, "delivered", recipient=1)
    assert reload(team.live, order)["status"] == "delivered"
    team.world.advance("90d")
    assert fulfilment_events(team) == [SHIPPED, DELIVERED]


def test_a_seat_that_nobody_claims_does_not_hold_up_the_event(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    claim(team.world, order, 0)
    team.world.advance("3d")
    assert (reload(team.live, order)["status"], fulfilment_events(team)) == ("shipped", [SHIPPED])
    team.world.advance("7d")
    reloaded = reload(team.live, order)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("shipped", ["delivered", "awaiting"])
    team.world.advance("20d")
    reloaded = reload(team.live, order)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("delivered", ["delivered", "expired"])
    assert fulfilment_events(team) == [SHIPPED, DELIVERED]


@pytest.mark.parametrize("late", ["claim", "claim_link"])
def test_a_delivered_order_stays_delivered_when_a_seat_is_claimed_later(team: TeamClients, late: str) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    claim(team.world, order, 0)
    team.world.advance("40d")
    assert reload(team.live, order)["status"] == "delivered"
    team.world.simulate(late, team_order_id=order["id"], recipient=1)
    if late == "claim_link":
        claim(team.world, order, 1)
    for days, row in ((0, "submitted"), (1, "in_production"), (9, "delivered")):
        team.world.advance(f"{days}d")
        reloaded = reload(team.live, order)
        assert (reloaded["status"], recipient_statuses(reloaded)) == ("delivered", ["delivered", row])
    assert fulfilment_events(team) == [SHIPPED, DELIVERED]


def test_an_order_with_a_delayed_parcel_before_production_can_be_canceled(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "delayed", recipient=0)
    reloaded = reload(team.live, order)
    assert (reloaded["status"], recipient_statuses(reloaded)) == ("approved", ["delayed", "awaiting"])
    assert (
        expect_status(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 200).json()["payment_status"]
        == "refunded"
    )


def test_an_order_in_production_never_goes_back(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "in_production", recipient=0)
    for to in ("delayed", "rejected"):
        move_parcels(team.world, order, to, recipient=0)
        assert reload(team.live, order)["status"] == "in_production"


def test_the_claim_page_shows_the_team_the_message_and_the_choices(team: TeamClients) -> None:
    approve(team.world, create_order(team.live, gift_message="For you", mode="bundle", gift_choices=MENU))
    token = mailed_tokens(team.world)[0]
    path = f"/claim/{team.world.id}/{token}"
    page = team.world.client.call("GET", path, headers={"Accept": "application/json"}).json()
    assert (page["gift_sender"], page["message"], page["countries"]) == ("Northwind Trading", "For you", ["US"])
    assert [item["name"] for item in page["items"]] == ["Stoneware mug", "Dotted notebook", "Ballpoint pen"]
    (choice,) = page["choices"]
    assert [option["name"] for option in choice["options"]] == ["Tea", "Coffee"]
    refused = team.world.claim(token)
    assert refused.status == 422
    picked = {str(choice["variation_id"]): choice["options"][1]["option_id"]}
    assert team.world.claim(token, selection=picked).status == 200


def test_a_claim_outside_the_destinations_is_refused(team: TeamClients) -> None:
    approve(team.world, create_order(team.live))
    berlin = {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"}
    response = team.world.claim(mailed_tokens(team.world)[0], address=berlin)
    assert response.status == 422
    assert response.json()["error"]["code"] == "invalid_claim"


def test_unnamed_seats_become_recipients_when_somebody_claims_them(team: TeamClients) -> None:
    order = create_order(team.live, headcount=3)
    approve(team.world, order)
    assert len(reload(team.live, order)["recipients"]) == len(manifest(team, order)) == 2
    team.world.simulate("claim", team_order_id=order["id"], recipient=2, name="Zoe", email="zoe@example.com")
    reloaded = reload(team.live, order)
    assert [row["name"] for row in reloaded["recipients"]] == ["Guest 0", "Guest 1", "Zoe"]
    assert recipient_statuses(reloaded) == ["awaiting", "awaiting", "submitted"]
    assert [row["name"] for row in manifest(team, order)] == ["Guest 0", "Guest 1", "Zoe"]


@shows("T-4.54", "T-2.22")
def test_the_manifest_has_a_row_for_each_recipient(team: TeamClients) -> None:
    center = team.live.post_json("/cost-centers", {"code": "CC-9", "name": "People"})
    order = create_order(team.live, po_number="PO-77")
    team.live.patch(f"/team-orders/{order['id']}", {"cost_center_id": center["id"]})
    items = "1 x mug-01 Stoneware mug; 1 x note-01 Dotted notebook; 1 x pen-01 Ballpoint pen"
    assert manifest(team, order) == [
        dict(
            zip(COLUMNS, [str(row["id"]), row["name"], "awaiting", "", "", "", "", items, "PO-77", "CC-9"], strict=True)
        )
        for row in order["recipients"]
    ]
    approve(team.world, order)
    move_parcels(team.world, order, "delivered", recipient=1)
    first, second = manifest(team, order)
    assert (first["status"], second["status"]) == ("awaiting", "delivered")
    assert second["carrier"]
    assert second["tracking_number"]
    assert (second["shipped_at"], second["delivered_at"]) == (later(team.world.now, "-2d"), team.world.now)


def test_the_manifest_has_the_choice_of_each_recipient(team: TeamClients) -> None:
    order = create_order(team.live, mode="bundle", gift_choices=MENU)
    approve(team.world, order)
    team.world.claim(mailed_tokens(team.world)[0], selection={"0": 2})
    first, second = [row["items"] for row in manifest(team, order)]
    assert first.endswith("; 2 x coff-01 Ground coffee")
    assert "coff-01" not in second


@shows("T-1.11")
def test_the_manifest_contains_no_email_and_no_link(team: TeamClients) -> None:
    order = create_order(team.live, recipients=[{"name": "Bo", "email": "very.secret@example.com"}])
    approve(team.world, order)
    text = team.live.get(f"/team-orders/{order['id']}/manifest.csv").text
    for secret in ("very.secret", "example.com", "claim", *mailed_tokens(team.world)):
        assert secret not in text


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@sum", '=HYPERLINK("x")', "\uff1d1+1", "\uff20sum", " =1", "\u3000-1"]
)
def test_cells_that_a_spreadsheet_would_run_as_formulas_are_escaped(team: TeamClients, cell: str) -> None:
    order = create_order(team.live, recipients=[{"name": cell, "email": "bo@example.com"}], po_number=cell)
    (row,) = manifest(team, order)
    assert (row["name"], row["po_number"]) == ("'" + cell, "'" + cell)


def test_names_with_commas_quotes_and_any_script_survive_csv(team: TeamClients) -> None:
    name = 'Zoë "Zo" O\'Hara, née 李'
    order = create_order(team.live, recipients=[{"name": name, "email": "zoe@example.com"}])
    assert manifest(team, order)[0]["name"] == order["recipients"][0]["name"] == name


def test_the_control_api_lists_parcels_of_teams_with_their_owner(team: TeamClients) -> None:
    order, sent, partners = create_order(team.live), create_gift(team.live), team.world.partner().create_order()
    assert partners.status == 201
    parcels = team.world.call_control("GET", "/parcels")["parcels"]
    assert [(row["channel"], row["team_order_id"], row["gift_id"]) for row in parcels] == [
        ("team", order["id"], None), ("team", order["id"], None), ("team", None, sent["id"]),
        ("partner", partners.json()["team_order"]["id"], None),
    ]  # fmt: skip
    assert [row["recipient_id"] for row in parcels[:2]] == [row["id"] for row in order["recipients"]]


def test_a_parcel_is_moved_by_the_recipient_s_id_too(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "shipped", recipient_id=order["recipients"][1]["id"])
    assert recipient_statuses(reload(team.live, order)) == ["awaiting", "shipped"]


@pytest.mark.parametrize("verb", ["claim_link", "claim"])
@pytest.mark.parametrize("back", [False, True])
def test_an_order_that_is_delivered_stays_so_unless_it_may_go_back(team: TeamClients, verb: str, back: bool) -> None:
    team.world.change_settings(**{"status.back_from_delivered": back})
    order = approve_and_reload(team, create_order(team.live))
    move_parcels(team.world, order, "delivered", recipient=0)
    team.world.advance("31d")
    delivered = reload(team.live, order)
    assert (delivered["status"], recipient_statuses(delivered)) == ("delivered", ["delivered", "expired"])
    team.world.simulate(verb, **reference(order), recipient=1)
    status = "shipped" if back else "delivered"
    assert reload(team.live, order)["status"] == status
    move_parcels(team.world, order, "delivered", recipient=1)
    delivered = reload(team.live, order)
    assert (delivered["status"], recipient_statuses(delivered)) == ("delivered", ["delivered"] * 2)
    events = event_types(team.world)
    assert events.count("team_order.delivered") == 1 + back
    assert events.count("team_order.shipped") == 1
