"""Templates: replaced whole, numbered by revision, used as campaign input."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
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


@shows("T-2.34")
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


def get_template(client: TeamClient, template_id: int | str) -> Any:
    """Read a template."""
    return client.get_json(f"/templates/{template_id}")


@shows("T-2.32", "T-4.121", "T-4.126", "T-4.118")
def test_a_template_is_read_as_it_was_written(team: TeamClients) -> None:
    template = create_template(team.live)
    assert template == {
        "id": template["id"], "revision": 1, "name": "Birthday parcel", "occasion": "birthday", "budget_cents": 5000,
        "setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 2},
                                   {"merchant_product_id": 103, "quantity": 1}]},
        "mode": None, "gift_choices": [], "livemode": True, "created_at": team.world.now, "updated_at": team.world.now,
    }  # fmt: skip
    bare = create_template(team.live, occasion=None, budget_cents=None)
    assert (bare["occasion"], bare["budget_cents"]) == (None, None)
    assert get_template(team.live, template["id"]) == template
    assert team.live.get_json("/templates") == {"data": [bare, template], "next_cursor": None}


@shows("T-4.120")
def test_templates_are_listed_in_pages(team: TeamClients) -> None:
    ids = [create_template(team.live)["id"] for _ in range(31)][::-1]
    page = team.live.get_json("/templates")
    assert [row["id"] for row in page["data"]] == ids[:25]
    assert [row["id"] for row in team.live.get_json(f"/templates?cursor={page['next_cursor']}")["data"]] == ids[25:]
    assert [row["id"] for row in team.live.list_all("/templates", 1)] == ids
    assert team.live.get_json("/templates?limit=100")["next_cursor"] is None
    for limit in ("0", "101", "-1", "abc"):
        expect_error(team.live.get(f"/templates?limit={limit}"), 400, "invalid_parameter")


@shows("T-2.32")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"occasion": 1}, "occasion"),
        ({"budget_cents": "5000"}, "budget_cents"),
        ({"budget_cents": -1}, "budget_cents"),
        ({"budget_cents": 50.5}, "budget_cents"),
        ({"setup": []}, "setup"),
        ({"setup": {}}, "setup.bundle_items"),
        ({"setup": {"bundle_items": []}}, "setup.bundle_items"),
        ({"setup": {"bundle_items": [{"quantity": 1}]}}, "setup.bundle_items[0]"),
        (
            {"setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": "2"}]}},
            "setup.bundle_items[0].quantity",
        ),
        ({"setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 0}]}}, "setup.bundle_items[0].quantity"),
        ({"setup": {"bundle_items": [{"merchant_product_id": "101"}]}}, "setup.bundle_items[0].merchant_product_id"),
        (
            {"setup": {"bundle_items": [{"merchant_product_id": 101}, {"merchant_product_id": 999}]}},
            "setup.bundle_items[1].merchant_product_id",
        ),
        ({"setup": {"bundle_items": [{"merchant_product_id": 105}]}}, "setup.bundle_items[0].merchant_product_id"),
    ],
)
def test_an_invalid_template_is_refused_by_field(team: TeamClients, change: dict[str, Any], field: str) -> None:
    template = create_template(team.live)
    for response in (
        team.live.post("/templates", {**template_body(), **change}),
        team.live.put(f"/templates/{template['id']}", {**template_body(), **change}),
    ):
        assert invalid_fields(response)[0].startswith(field)
    assert team.live.list_all("/templates") == [template]


@shows("T-2.44")
def test_template_choices_need_bundle_mode(team: TeamClients) -> None:
    template = create_template(team.live, mode="bundle", gift_choices=MENU)
    assert (template["mode"], template["gift_choices"]) == (
        "bundle",
        [
            {"label": "Warm", "items": [{"item_slug": "sock-01", "merchant_product_id": 108, "quantity": 2}]},
            {"label": "Bright", "items": [{"item_slug": "umbr-01", "merchant_product_id": 116, "quantity": 1}]},
        ],
    )
    assert get_template(team.live, template["id"]) == template
    assert use_template(team.live, template["id"])["gift_choices"] == [
        {"label": "Warm", "items": [{"merchant_product_id": 108, "quantity": 2}]},
        {"label": "Bright", "items": [{"merchant_product_id": 116, "quantity": 1}]},
    ]
    invalid_fields(team.live.post("/templates", template_body(gift_choices=MENU)))
    invalid_fields(team.live.post("/templates", template_body(mode="menu", gift_choices=MENU)))
    invalid_fields(team.live.post("/templates", template_body(mode="bundle", gift_choices=[])))
    invalid_fields(team.live.post("/templates", template_body(mode="bundle", gift_choices=MENU * 6)))
    both = [{"label": "Both", "items": [{"item_slug": "sock-01", "merchant_product_id": 108}]}]
    invalid_fields(team.live.post("/templates", template_body(mode="bundle", gift_choices=both)))
    none = [{"label": "None", "items": [{"item_slug": "no-such"}]}]
    assert invalid_fields(team.live.post("/templates", template_body(mode="bundle", gift_choices=none))) == [
        "gift_choices[0].items[0].item_slug"
    ]
    assert create_template(team.live, mode="bundle")["gift_choices"] == []


@shows("T-4.128", "T-2.35")
def test_a_template_is_replaced_whole_and_gets_a_higher_revision(team: TeamClients) -> None:
    template = create_template(team.live, mode="bundle", gift_choices=MENU)
    team.world.advance("1h")
    body = {"name": "Bare", "setup": {"bundle_items": [{"merchant_product_id": 103, "quantity": 3}]}}
    replaced = expect_status(team.live.put(f"/templates/{template['id']}", body, Idempotency_Key=None), 200).json()
    assert replaced == {
        **template, **body, "revision": 2, "occasion": None, "budget_cents": None, "mode": None, "gift_choices": [],
        "updated_at": team.world.now,
    }  # fmt: skip
    assert replaced["updated_at"] != replaced["created_at"]
    again = expect_status(team.live.put(f"/templates/{template['id']}", {**body, "revision": 2}), 200).json()
    assert again == {**replaced, "revision": 3}
    assert get_template(team.live, template["id"]) == again


def test_a_template_is_not_replaced_from_an_old_revision(team: TeamClients) -> None:
    template = create_template(team.live)
    expect_status(team.live.put(f"/templates/{template['id']}", template_body(name="Second", revision=1)), 200)
    for stale in (1, 3):
        response = team.live.put(f"/templates/{template['id']}", template_body(name="Third", revision=stale))
        expect_error(response, 409, "revision_conflict")
    assert invalid_fields(team.live.put(f"/templates/{template['id']}", template_body(revision="2"))) == ["revision"]
    assert (get_template(team.live, template["id"])["revision"], get_template(team.live, template["id"])["name"]) == (
        2,
        "Second",
    )


@shows("T-2.33", "T-4.130")
def test_a_template_is_deleted_only_by_its_current_revision(team: TeamClients) -> None:
    template, other = create_template(team.live), create_template(team.live)
    path = f"/templates/{template['id']}"
    expect_status(team.live.put(path, template_body()), 200)
    expect_error(team.live.call("DELETE", path), 400, "invalid_json")
    invalid_fields(team.live.call("DELETE", path, {}))
    invalid_fields(team.live.call("DELETE", path, {"revision": "2"}))
    for stale in (1, 3):
        expect_error(team.live.call("DELETE", path, {"revision": stale}), 409, "revision_conflict")
    assert get_template(team.live, template["id"])["revision"] == 2
    deleted = expect_status(team.live.call("DELETE", path, {"revision": 2}, Idempotency_Key=None), 200).json()
    assert deleted == {"id": template["id"], "deleted": True, "livemode": True}
    expect_error(team.live.get(path), 404, "not_found")
    expect_error(team.live.get(f"{path}/use"), 404, "not_found")
    expect_error(team.live.call("DELETE", path, {"revision": 2}), 404, "not_found")
    expect_error(team.live.put(path, template_body()), 404, "not_found")
    assert team.live.list_all("/templates") == [other]
    assert create_template(team.live)["id"] not in (template["id"], other["id"])


@shows("T-2.34", "T-2.35", "T-4.124")
def test_each_use_returns_input_of_the_current_revision(team: TeamClients) -> None:
    template = create_template(team.live)
    with team.world.assert_unchanged():
        first = use_template(team.live, template["id"])
    content = {name: template[name] for name in ("revision", "name", "occasion", "budget_cents", "setup", "mode")}
    assert first == {"template_id": template["id"], **content, "gift_choices": []}
    bought = {"bundle_items": [{"merchant_product_id": 102, "quantity": 1}]}
    expect_status(team.live.put(f"/templates/{template['id']}", template_body(name="Second", setup=bought)), 200)
    second = use_template(team.live, template["id"])
    assert (second["revision"], second["name"], second["setup"]) == (2, "Second", bought)
    assert (first["revision"], first["name"]) == (1, "Birthday parcel")


@shows("T-4.123")
def test_one_idempotency_key_creates_one_template(team: TeamClients) -> None:
    expect_error(team.live.post("/templates", template_body(), Idempotency_Key=None), 400, "idempotency_key_required")
    first = expect_status(team.live.post("/templates", template_body(), Idempotency_Key="one"), 201)
    assert expect_status(team.live.post("/templates", template_body(), Idempotency_Key="one"), 201).body == first.body
    assert len(team.live.list_all("/templates")) == 1
    path = f"/templates/{first.json()['id']}"
    for _ in range(2):
        assert expect_status(team.live.put(path, template_body(), Idempotency_Key="two"), 200).json()["revision"] == 2


@shows("T-4.126")
def test_a_template_belongs_to_one_team_and_mode(team: TeamClients) -> None:
    live, test = create_template(team.live), create_template(team.test)
    assert (live["livemode"], test["livemode"]) == (True, False)
    for client, record in ((team.other, live), (team.test_second, test), (team.live, test), (team.test, live)):
        path = f"/templates/{record['id']}"
        expect_error(client.get(path), 404, "not_found")
        expect_error(client.get(f"{path}/use"), 404, "not_found")
        expect_error(client.put(path, template_body()), 404, "not_found")
        expect_error(client.call("DELETE", path, {"revision": 1}), 404, "not_found")
    assert (get_template(team.live, live["id"]), get_template(team.test, test["id"])) == (live, test)
    for unknown in (54_999, 0, "abc", UNKNOWN_ID):
        expect_error(team.live.get(f"/templates/{unknown}"), 404, "not_found")
