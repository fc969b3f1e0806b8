"""What a template's use returns is the body of a campaign or a team order, once recipients are added."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_status, invalid_fields
from tests.support.team.artwork import create_template, template_body, use_template
from tests.support.team.campaigns import process, read_campaign
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import PARCEL_CENTS, approve, reload, typed_recipients

CAMPAIGNS, ORDERS = "/large-campaigns", "/team-orders"
MENU = [{"label": "Warm", "items": [{"item_slug": "sock-01", "quantity": 2}]},
        {"label": "Bright", "items": [{"merchant_product_id": 116}]}]  # fmt: skip
BUNDLE = [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103, "quantity": 1}]
EACH_CENTS = 2 * 1800 + 600
MENU_CENTS = max(2 * 1500, 2600)

KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "bare": {"occasion": None, "budget_cents": None},
    "bundle mode": {"mode": "bundle"},
    "menu": {"mode": "bundle", "gift_choices": MENU},
    "menu in setup": {"setup": {"bundle_items": BUNDLE, "gift_choices": MENU}},
}


def campaign_input(client: TeamClient, **members: Any) -> dict[str, Any]:
    """The input of a new template, for two recipients."""
    template = create_template(client, **members)
    return {**use_template(client, template["id"]), "recipients": typed_recipients(2)}


def without_slugs(menu: Any) -> Any:
    """A menu of a record, as an input has it."""
    return [
        {**entry, "items": [{k: v for k, v in item.items() if k != "item_slug"} for item in entry["items"]]}
        for entry in menu
    ]


def create(client: TeamClient, path: str, body: Any) -> Any:
    """Create a campaign or an order, which must succeed."""
    return client.post_json(path, body, 202 if path == CAMPAIGNS else 201)


@claims("T-2.34")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("mode", ["live", "test"])
@pytest.mark.parametrize("path", [CAMPAIGNS, ORDERS])
@pytest.mark.parametrize("kind", KINDS)
def test_the_input_of_a_template_creates_a_campaign_and_an_order(
    team: TeamClients, kind: str, path: str, mode: str, strict: bool
) -> None:
    team.world.change_settings(strict_bodies=strict)
    client = team.live if mode == "live" else team.test
    body = campaign_input(client, **KINDS[kind])
    record = create(client, path, body)
    assert (record["template_id"], record["revision"]) == (body["template_id"], 1)
    assert (record["collection"], record["mode"]) == (None, body["mode"])
    assert without_slugs(record["gift_choices"]) == body["gift_choices"]
    read = client.get_json(f"{path}/{record['id']}")
    assert {name: read[name] for name in record} == record


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_from_a_template_has_its_items_for_every_recipient(team: TeamClients, kind: str) -> None:
    order = create(team.live, ORDERS, campaign_input(team.live, **KINDS[kind]))
    assert order["headcount"] == 2
    assert [(row["merchant_product_id"], row["quantity"]) for row in order["items"]] == [(101, 2), (103, 1)]
    each = EACH_CENTS + PARCEL_CENTS + (MENU_CENTS if "menu" in kind else 0)
    assert order["totals"]["total_cents"] == 2 * each
    approve(team.world, order)
    assert reload(team.live, order)["payment_status"] == "paid"


@pytest.mark.parametrize("kind", KINDS)
def test_a_campaign_from_a_template_sends_its_items(team: TeamClients, kind: str) -> None:
    campaign = create(team.live, CAMPAIGNS, campaign_input(team.live, **KINDS[kind]))
    assert (campaign["name"], campaign["setup"]) == ("Birthday parcel", {"bundle_items": BUNDLE})
    campaign = process(team.live, campaign)
    each = EACH_CENTS + PARCEL_CENTS + (MENU_CENTS if "menu" in kind else 0)
    assert campaign["totals"]["total_cents"] == 2 * each
    team.world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    assert process(team.live, campaign)["status"] == "completed"


def test_a_headcount_leaves_seats_in_an_order_from_a_template(team: TeamClients) -> None:
    body = campaign_input(team.live)
    order = create(team.live, ORDERS, {**body, "headcount": 3})
    assert (order["headcount"], len(order["recipients"])) == (3, 2)
    assert invalid_fields(team.live.post(ORDERS, {**body, "headcount": 1})) == ["recipients"]
    assert invalid_fields(team.live.post(ORDERS, {**body, "recipients": []})) == ["headcount"]
    del body["recipients"]
    assert invalid_fields(team.live.post(ORDERS, body)) == ["headcount"]
    assert create(team.live, ORDERS, {**body, "headcount": 3})["recipients"] == []


def test_gift_choices_in_setup_are_kept(team: TeamClients) -> None:
    setup = {"bundle_items": BUNDLE, "gift_choices": MENU}
    template = create_template(team.live, setup=setup)
    choices = [
        {"label": "Warm", "items": [{"item_slug": "sock-01", "merchant_product_id": 108, "quantity": 2}]},
        {"label": "Bright", "items": [{"item_slug": "umbr-01", "merchant_product_id": 116, "quantity": 1}]},
    ]
    assert (template["mode"], template["gift_choices"]) == ("bundle", choices)
    assert template["setup"] == {"bundle_items": BUNDLE, "gift_choices": choices}
    assert team.live.get_json(f"/templates/{template['id']}") == template
    used = use_template(team.live, template["id"])["setup"]
    assert used == {"bundle_items": BUNDLE, "gift_choices": without_slugs(choices)}
    plain = expect_status(team.live.put(f"/templates/{template['id']}", template_body()), 200).json()
    assert (plain["mode"], plain["gift_choices"], "gift_choices" in plain["setup"]) == (None, [], False)


def test_two_menus_that_differ_are_refused(team: TeamClients) -> None:
    setup = {"bundle_items": BUNDLE, "gift_choices": MENU}
    both = {"setup": setup, "mode": "bundle", "gift_choices": MENU[:1]}
    assert invalid_fields(team.live.post("/templates", template_body(**both))) == ["setup.gift_choices"]
    for path in (CAMPAIGNS, ORDERS):
        assert invalid_fields(team.live.post(path, {**both, "recipients": typed_recipients(1)})) == [
            "setup.gift_choices"
        ]
    unknown = {"bundle_items": BUNDLE, "gift_choices": [{"label": "x", "items": [{"item_slug": "no-such"}]}]}
    assert invalid_fields(team.live.post("/templates", template_body(setup=unknown))) == [
        "setup.gift_choices[0].items[0].item_slug"
    ]


@pytest.mark.parametrize("path", [CAMPAIGNS, ORDERS])
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"template_id": 99}, "template_id"),
        ({"template_id": UNKNOWN_ID}, "template_id"),
        ({"revision": 2}, "revision"),
        ({"revision": 0}, "revision"),
        ({"revision": "1"}, "revision"),
        ({"collection": "welcome-kit"}, "collection"),
        ({"setup": {"bundle_items": []}}, "setup.bundle_items"),
        ({"setup": {"bundle_items": [{"merchant_product_id": 999}]}}, "setup.bundle_items[0].merchant_product_id"),
        ({"mode": None, "gift_choices": MENU}, "gift_choices"),
    ],
)
def test_an_input_that_does_not_fit_is_refused_by_field(
    team: TeamClients, path: str, change: dict[str, Any], field: str
) -> None:
    body = campaign_input(team.live)
    with team.world.assert_unchanged():
        assert invalid_fields(team.live.post(path, {**body, **change})) == [field]
    assert create(team.live, ORDERS, body)["id"] == 20_000_001


@pytest.mark.parametrize("path", [CAMPAIGNS, ORDERS])
def test_template_and_revision_need_each_other(team: TeamClients, path: str) -> None:
    body = campaign_input(team.live)
    for missing in ("template_id", "revision"):
        alone = {name: value for name, value in body.items() if name != missing}
        assert invalid_fields(team.live.post(path, alone)) == ["body"]
    unnamed = {name: value for name, value in body.items() if name not in ("template_id", "revision")}
    record = create(team.live, path, unnamed)
    assert (record["template_id"], record["revision"]) == (None, None)


def test_an_older_revision_is_accepted_and_a_deleted_or_foreign_template_is_not(team: TeamClients) -> None:
    body = campaign_input(team.live)
    path = f"/templates/{body['template_id']}"
    expect_status(team.live.put(path, template_body(name="Second")), 200)
    campaign = create(team.live, CAMPAIGNS, body)
    assert (campaign["revision"], campaign["name"]) == (1, "Birthday parcel")
    assert invalid_fields(team.other.post(ORDERS, body)) == ["template_id"]
    expect_status(team.live.delete(path, {"revision": 2}), 200)
    assert invalid_fields(team.live.post(ORDERS, body)) == ["template_id"]
    assert read_campaign(team.live, campaign) == campaign


@pytest.mark.parametrize("path", [CAMPAIGNS, ORDERS])
def test_a_collection_or_a_setup_is_required(team: TeamClients, path: str) -> None:
    response = team.live.post(path, {"headcount": 1, "recipients": typed_recipients(1)})
    assert invalid_fields(response) == ["collection"]
