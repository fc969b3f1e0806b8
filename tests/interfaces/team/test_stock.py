"""What is off sale: not in a team's catalogue, and refused where it is named anew (G444, G445, G447)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.artwork import create_artwork, create_template, mug_preview_body, template_body, use_template
from tests.support.team.campaigns import (
    batch_statuses,
    campaign_body,
    create_campaign,
    patch_action,
    process,
    read_campaign,
    request_processing,
)
from tests.support.team.clients import TeamClients
from tests.support.team.local_time import month_day_in
from tests.support.team.orders import (
    EACH_CENTS,
    KIT_CENTS,
    approve_and_reload,
    create_gift,
    create_order,
    gift_body,
    move_parcels,
    order_body,
    reload,
    typed_recipients,
)
from tests.support.team.people import person_row, upsert_people
from tests.support.team.rules import MUG, create_rule, due_names, evaluate_rules, list_gifts, preview_rule
from tests.support.worlds import World

MENU = [{"label": "A mug", "items": [{"item_slug": "mug-01"}]}, {"label": "A pen", "items": [{"item_slug": "pen-01"}]}]
QUOTE = {"collection": "welcome-kit", "headcount": 2, "destination_countries": ["US"]}


def take_off(team: TeamClients, product: str = "mug-01", **named: Any) -> None:
    """Take a mug, or something else, off sale."""
    team.world.simulate("stock", product=product, **named, on_sale=False)


def put_back(team: TeamClients, product: str = "mug-01", **named: Any) -> None:
    """Put it back on sale."""
    team.world.simulate("stock", product=product, **named, on_sale=True)


def slugs(team: TeamClients, path: str) -> set[str]:
    """The slugs of a list."""
    return {row["slug"] for row in team.live.list_all(path)}


@shows("T-4.6", "T-4.9")
def test_the_catalogue_is_without_it_until_it_is_put_back(team: TeamClients) -> None:
    paths = ("/items", "/collections")
    before = [team.live.list_all(path, 2) for path in paths], team.live.get_json("/store")
    take_off(team)
    assert "mug-01" not in slugs(team, "/items")
    assert "welcome-kit" not in slugs(team, "/collections")
    assert slugs(team, "/collections")
    assert "mug-01" not in [item["slug"] for item in team.live.get_json("/store")["items"]]
    for path in ("/items/mug-01/options", "/collections/welcome-kit", "/print-areas?product=mug-01"):
        expect_error(team.live.get(path), 404, "not_found")
    put_back(team)
    assert ([team.live.list_all(path, 2) for path in paths], team.live.get_json("/store")) == before


def test_an_option_off_sale_is_not_among_the_options_of_its_item(team: TeamClients) -> None:
    take_off(team, "tee-01", option="M")
    options = team.live.list_all("/items/tee-01/options")
    assert [value["name"] for value in options[0]["values"]][:2] == ["S", "L"]
    assert "tee-01" in slugs(team, "/items")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/team-orders/quote", QUOTE, "collection"),
        ("/team-orders", order_body(), "collection"),
        ("/gifts", gift_body(), "gift.collection_slug"),
        ("/gifts", gift_body(gift={"item_slug": "mug-01"}), "gift.item_slug"),
        ("/gifts", gift_body(gift={"items": [MUG]}), "gift.items[0].merchant_product_id"),
        (
            "/gifts",
            gift_body(mode="bundle", gift={"item_slug": "stck-01"}, gift_choices=MENU),
            "gift_choices[0].items[0].item_slug",
        ),
        ("/store/quote", {"items": [MUG]}, "items[0].merchant_product_id"),
        ("/store/orders", {"items": [MUG], "recipients": typed_recipients(1)}, "items[0].merchant_product_id"),
        ("/large-campaigns", campaign_body(2), "collection"),
        ("/templates", template_body(), "setup.bundle_items[0].merchant_product_id"),
        (
            "/rules",
            {"kind": "hr", "name": "A rule", "trigger_type": "birthday", "bundle": {"items": [MUG]}},
            "bundle.items[0].merchant_product_id",
        ),
    ],
)
def test_naming_it_is_refused_by_field_and_creates_nothing(
    team: TeamClients, path: str, body: dict[str, Any], field: str
) -> None:
    take_off(team)
    with team.world.assert_unchanged():
        response = team.live.post(path, body)
    assert invalid_fields(response) == [field]
    put_back(team)
    assert team.live.post(path, body).status in (200, 201, 202)


def test_a_preview_of_it_is_refused(team: TeamClients) -> None:
    body = mug_preview_body(create_artwork(team.live)["id"])
    take_off(team)
    assert invalid_fields(team.live.post("/artwork/previews", body)) == ["product_id"]


def test_a_collection_may_be_sold_without_it(team: TeamClients) -> None:
    team.world.change_settings(catalogue__short_collection="sold_without_it")
    take_off(team)
    kit = team.live.get_json("/collections/welcome-kit")
    assert ([item["slug"] for item in kit["items"]], kit["price_cents"]) == (["note-01", "pen-01"], KIT_CENTS - 1800)
    order = create_order(team.live)
    assert order["totals"]["subtotal_cents"] == 2 * (KIT_CENTS - 1800)
    take_off(team, "note-01")
    take_off(team, "pen-01")
    expect_error(team.live.get("/collections/welcome-kit"), 404, "not_found")


def test_what_exists_keeps_it_and_is_approved_paid_and_delivered(team: TeamClients) -> None:
    order, gift = create_order(team.live), create_gift(team.live)
    take_off(team)
    for record, heads in ((order, 2), (gift, 1)):
        approved = approve_and_reload(team, record)
        assert approved["totals"]["total_cents"] == heads * EACH_CENTS
        move_parcels(team.world, record, "delivered")
        assert reload(team.live, record)["status"] == "delivered"


@shows("T-2.35")
def test_a_template_still_names_it_and_its_use_is_refused_at_the_order(team: TeamClients) -> None:
    template = create_template(team.live)
    take_off(team)
    assert team.live.get_json(f"/templates/{template['id']}") == template
    body = {**use_template(team.live, template["id"]), "recipients": typed_recipients(2)}
    field = "setup.bundle_items[0].merchant_product_id"
    assert invalid_fields(team.live.post("/team-orders", body)) == [field]
    assert invalid_fields(team.live.post("/large-campaigns", body)) == [field]
    assert invalid_fields(team.live.put(f"/templates/{template['id']}", template_body(name="New"))) == [field]


def test_a_rule_with_it_sends_nothing_and_is_left_to_the_next_run(team: TeamClients) -> None:
    upsert_people(team.live, person_row("bo", birthday=month_day_in(team.world, 1)))
    upsert_people(team.live, person_row("al", birthday=month_day_in(team.world, 2)))
    rule = create_rule(team.live)
    create_rule(team.live, bundle={"items": [{"merchant_product_id": 103, "quantity": 1}]})
    take_off(team)
    world, field = team.world, "bundle.items[0].merchant_product_id"
    world.advance("33h")
    assert [gift["totals"]["subtotal_cents"] for gift in list_gifts(team.live)] == [600]
    with world.assert_unchanged():
        assert invalid_fields(team.live.get(f"/rules/{rule['id']}/preview?kind=hr")) == [field]
        assert invalid_fields(team.live.post("/rules/evaluate", {"kind": "hr"})) == [field]
    changed = team.live.patch(f"/rules/{rule['id']}", {"name": "Later"})
    assert expect_status(changed, 200).json()["bundle"] == {"items": [MUG]}
    put_back(team)
    assert len(due_names(preview_rule(team.live, rule))) == 1
    world.advance("24h")
    assert sorted(gift["totals"]["subtotal_cents"] for gift in list_gifts(team.live)) == [600, 600, 1800, 1800]
    assert evaluate_rules(team.live)["gifts"] == []


@pytest.mark.usefixtures("small_batches")
def test_a_campaign_prepares_no_batch_without_it_and_prepared_ones_stay(team: TeamClients) -> None:
    campaign = process(team.live, create_campaign(team.live, 5))
    take_off(team)
    with team.world.assert_unchanged():
        expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    assert read_campaign(team.live, campaign) == campaign
    assert patch_action(team.live, campaign, "pause")["status"] == "paused"
    patch_action(team.live, campaign, "resume")
    put_back(team)
    campaign = process(team.live, process(team.live, campaign))
    assert (batch_statuses(campaign), campaign["status"]) == (["prepared"] * 3, "awaiting_approval")
    take_off(team)
    team.world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    campaign = process(team.live, campaign)
    assert batch_statuses(campaign)[0] == "paid"


@pytest.mark.usefixtures("small_batches")
def test_a_menu_goes_on_with_what_is_left(team: TeamClients) -> None:
    body = campaign_body(3, mode="bundle", gift_choices=MENU, setup={"bundle_items": [{"merchant_product_id": 104}]})
    del body["collection"]
    campaign = team.live.post_json("/large-campaigns", body, 202)
    take_off(team)
    process(team.live, campaign)
    take_off(team, "pen-01")
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")


def test_a_claim_page_shows_what_is_left_of_a_menu(world: World, team: TeamClients) -> None:
    gift = create_gift(team.live, gift={"item_slug": "stck-01"}, mode="bundle", gift_choices=MENU)
    approve_and_reload(team, gift)
    take_off(team)
    link = next(link for mail in world.mail() for link in mail["links"] if "/claim/" in link)
    page = world.client.call(
        "GET", "/claim/" + link.partition("/claim/")[2], headers={"Accept": "application/json"}
    ).json()
    assert [option["name"] for option in page["choices"][0]["options"]] == ["A pen"]
    world.simulate("claim", gift_id=gift["id"])
    assert reload(team.live, gift)["recipients"][0]["status"] == "claimed"


def test_a_test_order_cannot_be_claimed_by_an_event_once_nothing_is_left(team: TeamClients) -> None:
    body = order_body(collection=None, setup={"bundle_items": [{"merchant_product_id": 102}]})
    order = team.test.post_json("/team-orders", body)
    for size in ("S", "M", "L", "XL"):
        team.world.control.post(
            f"/worlds/{team.world.id}/simulate/stock", {"product": "tee-01", "option": size, "on_sale": False}
        )
    with team.world.assert_unchanged():
        response = team.test.post("/sandbox/events", {"type": "team_order.shipped", "resource_id": order["id"]})
    expect_error(response, 409, "invalid_state")
