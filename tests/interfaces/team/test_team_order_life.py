"""What becomes of a team order that goes: links, parcels, its status, its manifest, and what is told of it."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.claims import claims
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


def manifest(team: TeamClients, made: Any) -> list[dict[str, str]]:
    """The rows of an order's manifest, by their columns."""
    answer = expect_status(team.live.get(f"/team-orders/{made['id']}/manifest.csv"), 200)
    assert answer.headers["content-type"].startswith("text/csv")
    header, *rows = csv.reader(io.StringIO(answer.text))
    assert header == COLUMNS
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_links_answer_409_while_the_order_is_held(team: TeamClients) -> None:
    made = create_order(team.live)
    request_approval(team.live, made)
    links = [parcel["claim_link"] for parcel in team.world.call_control("GET", "/parcels")["parcels"]]
    assert len(links) == 2
    for link in links:
        assert team.world.claim(link.rsplit("/", 1)[1]).status == 409
    assert recipient_statuses(reload(team.live, made)) == ["awaiting", "awaiting"]


def test_an_order_goes_its_way_by_the_clock(team: TeamClients) -> None:
    made = approve_and_reload(
        team, create_order(team.live, headcount=1, recipients=[{"name": "Bo", "email": "bo@example.com"}])
    )
    (token,) = mailed_tokens(team.world)
    assert team.world.claim(token).status == 200
    seen = []
    for hours in (0, 24, 24, 24, 48):
        team.world.advance(f"{hours}h")
        now = reload(team.live, made)
        seen.append((now["status"], recipient_statuses(now)[0]))
    assert seen == [
        ("approved", "submitted"), ("in_production", "in_production"), ("in_production", "labeled"),
        ("shipped", "shipped"), ("delivered", "delivered"),
    ]  # fmt: skip


@claims("T-6.8")
def test_shipped_and_delivered_are_told_once_of_the_order_as_a_whole(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    move_parcels(team.world, made, "shipped", recipient=0)
    assert reload(team.live, made)["status"] == "in_production"
    move_parcels(team.world, made, "delivered", recipient=0)
    assert [kind for kind in event_types(team.world) if kind.startswith("team_order.")] == []
    move_parcels(team.world, made, "shipped", recipient=1)
    assert reload(team.live, made)["status"] == "shipped"
    assert [kind for kind in event_types(team.world) if kind.startswith("team_order.")] == ["team_order.shipped"]
    move_parcels(team.world, made, "delivered", recipient=1)
    assert reload(team.live, made)["status"] == "delivered"
    team.world.advance("90d")
    told = [kind for kind in event_types(team.world) if kind.startswith("team_order.")]
    assert told == ["team_order.shipped", "team_order.delivered"]


def test_an_order_whose_last_links_expire_is_as_far_as_the_others(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    claim(team.world, made, 0)
    team.world.advance("10d")
    assert (reload(team.live, made)["status"], recipient_statuses(reload(team.live, made))) == (
        "in_production", ["delivered", "awaiting"],
    )  # fmt: skip
    team.world.advance("20d")
    now = reload(team.live, made)
    assert (now["status"], recipient_statuses(now)) == ("delivered", ["delivered", "expired"])
    told = [kind for kind in event_types(team.world) if kind.startswith("team_order.")]
    assert told == ["team_order.shipped", "team_order.delivered"]


def test_a_link_sent_again_opens_the_order_again_and_tells_nothing_twice(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    claim(team.world, made, 0)
    team.world.advance("40d")
    team.world.simulate("claim_link", team_order_id=made["id"], recipient=1)
    now = reload(team.live, made)
    assert (now["status"], recipient_statuses(now)) == ("in_production", ["delivered", "awaiting"])
    claim(team.world, made, 1)
    team.world.advance("10d")
    assert reload(team.live, made)["status"] == "delivered"
    told = [kind for kind in event_types(team.world) if kind.startswith("team_order.")]
    assert told == ["team_order.shipped", "team_order.delivered"]


def test_a_delayed_parcel_that_was_never_produced_leaves_the_order_open_to_cancel(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    move_parcels(team.world, made, "delayed", recipient=0)
    now = reload(team.live, made)
    assert (now["status"], recipient_statuses(now)) == ("approved", ["delayed", "awaiting"])
    assert (
        expect_status(team.live.post(f"/team-orders/{made['id']}/cancel", {}), 200).json()["payment_status"]
        == "refunded"
    )


def test_once_in_production_an_order_does_not_go_back(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    move_parcels(team.world, made, "in_production", recipient=0)
    for to in ("delayed", "rejected"):
        move_parcels(team.world, made, to, recipient=0)
        assert reload(team.live, made)["status"] == "in_production"


def test_the_claim_page_shows_the_team_its_message_and_the_menu(team: TeamClients) -> None:
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
    answer = team.world.claim(mailed_tokens(team.world)[0], address=berlin)
    assert answer.status == 422
    assert answer.json()["error"]["code"] == "invalid_claim"


def test_heads_without_a_name_are_no_recipients_until_somebody_takes_the_seat(team: TeamClients) -> None:
    made = create_order(team.live, headcount=3)
    approve(team.world, made)
    assert len(reload(team.live, made)["recipients"]) == len(manifest(team, made)) == 2
    team.world.simulate("claim", team_order_id=made["id"], recipient=2, name="Zoe", email="zoe@example.com")
    now = reload(team.live, made)
    assert [row["name"] for row in now["recipients"]] == ["Guest 0", "Guest 1", "Zoe"]
    assert recipient_statuses(now) == ["awaiting", "awaiting", "submitted"]
    assert [row["name"] for row in manifest(team, made)] == ["Guest 0", "Guest 1", "Zoe"]


@claims("T-4.54", "T-2.22")
def test_the_manifest_has_a_row_for_each_recipient(team: TeamClients) -> None:
    center = team.live.post_json("/cost-centers", {"code": "CC-9", "name": "People"})
    made = create_order(team.live, po_number="PO-77")
    team.live.patch(f"/team-orders/{made['id']}", {"cost_center_id": center["id"]})
    items = "1 x mug-01 Stoneware mug; 1 x note-01 Dotted notebook; 1 x pen-01 Ballpoint pen"
    assert manifest(team, made) == [
        dict(
            zip(COLUMNS, [str(row["id"]), row["name"], "awaiting", "", "", "", "", items, "PO-77", "CC-9"], strict=True)
        )
        for row in made["recipients"]
    ]
    approve(team.world, made)
    move_parcels(team.world, made, "delivered", recipient=1)
    first, second = manifest(team, made)
    assert (first["status"], second["status"]) == ("awaiting", "delivered")
    assert second["carrier"]
    assert second["tracking_number"]
    assert second["shipped_at"] == second["delivered_at"] == team.world.now


def test_the_manifest_has_what_was_picked_from_the_menu(team: TeamClients) -> None:
    made = create_order(team.live, mode="bundle", gift_choices=MENU)
    approve(team.world, made)
    team.world.claim(mailed_tokens(team.world)[0], selection={"0": 2})
    first, second = [row["items"] for row in manifest(team, made)]
    assert first.endswith("; 2 x coff-01 Ground coffee")
    assert "coff-01" not in second


@claims("T-1.11")
def test_the_manifest_has_neither_email_nor_link(team: TeamClients) -> None:
    made = create_order(team.live, recipients=[{"name": "Bo", "email": "very.secret@example.com"}])
    approve(team.world, made)
    text = team.live.get(f"/team-orders/{made['id']}/manifest.csv").text
    for secret in ("very.secret", "example.com", "claim", *mailed_tokens(team.world)):
        assert secret not in text


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@sum", '=HYPERLINK("x")'])
def test_cells_that_a_spreadsheet_would_run_are_defused(team: TeamClients, cell: str) -> None:
    made = create_order(team.live, recipients=[{"name": cell, "email": "bo@example.com"}], po_number=cell)
    (row,) = manifest(team, made)
    assert (row["name"], row["po_number"]) == ("'" + cell, "'" + cell)


def test_names_with_commas_quotes_and_letters_of_the_world_survive(team: TeamClients) -> None:
    name = 'Zoë "Zo" O\'Hara, née 李'
    made = create_order(team.live, recipients=[{"name": name, "email": "zoe@example.com"}])
    assert manifest(team, made)[0]["name"] == made["recipients"][0]["name"] == name


def test_parcels_of_teams_are_in_the_world_s_view_by_whose_they_are(team: TeamClients) -> None:
    made, sent, partners = create_order(team.live), create_gift(team.live), team.world.partner().create_order()
    assert partners.status == 201
    parcels = team.world.call_control("GET", "/parcels")["parcels"]
    assert [(row["channel"], row["team_order_id"], row["gift_id"]) for row in parcels] == [
        ("team", made["id"], None), ("team", made["id"], None), ("team", None, sent["id"]),
        ("partner", partners.json()["team_order"]["id"], None),
    ]  # fmt: skip
    assert [row["recipient_id"] for row in parcels[:2]] == [row["id"] for row in made["recipients"]]


def test_a_parcel_is_moved_by_the_recipient_s_id_too(team: TeamClients) -> None:
    made = create_order(team.live)
    approve(team.world, made)
    move_parcels(team.world, made, "shipped", recipient_id=made["recipients"][1]["id"])
    assert recipient_statuses(reload(team.live, made)) == ["awaiting", "shipped"]
