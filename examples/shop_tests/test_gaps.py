"""What `giftsim coverage --next` suggests for the gaps of the shop, with the shop in place of the marked calls."""

import pytest
from shop import Refused

BO = {"name": "Bo", "email": "bo@example.com"}

# Errors: what the account lacks, what the service refuses


def test_create_team_order_402_insufficient_funds(giftsim, shop):
    giftsim.simulate("account", key="partner.prepaid", wallet_cents=0, card="good", card_fallback=False)
    assert shop.order("spring", BO) == {"state": "unpaid"}


def test_create_team_order_402_card_charge_failed(giftsim, shop):
    giftsim.simulate("account", key="partner.prepaid", wallet_cents=0, card="declined")
    assert shop.order("spring", BO) == {"state": "unpaid"}


def test_create_team_order_402_credit_limit_exceeded(giftsim, shop):
    giftsim.simulate("account", key="partner.prepaid", billing_mode="net_terms", wallet_cents=0, credit_limit_cents=0)
    assert shop.order("spring", BO) == {"state": "unpaid"}


def test_create_team_order_402_insufficient_funds_no_card(giftsim, shop):
    giftsim.simulate("account", key="partner.prepaid", wallet_cents=0, card="none")
    assert shop.order("spring", BO) == {"state": "unpaid"}


def test_create_team_order_402_daily_spend_limit_exceeded(giftsim, shop):
    giftsim.simulate("account", key="partner.prepaid", daily_limit_cents=1)
    assert shop.order("spring", BO) == {"state": "unpaid"}


def test_create_team_order_422_invalid_recipients(shop):
    assert shop.order("spring", {"name": "Bo"}) == {"state": "refused"}


@pytest.mark.parametrize(
    ("status", "code", "state"),
    [
        (400, "body_too_large", "refused"),
        (400, "gift_sender_required", "refused"),
        (400, "invalid_body", "refused"),
        (400, "invalid_event", "refused"),
        (400, "invalid_item", "refused"),
        (400, "items_required", "refused"),
        (400, "mixed_address_modes", "refused"),
        (400, "recipients_required", "refused"),
        (401, "unauthorized", "refused"),
        (404, "sku_not_found", "refused"),
        (409, "idempotency_outcome_unknown", "unknown"),
        (409, "idempotency_payload_mismatch", "refused"),
        (409, "personalization_review_required", "refused"),
        (429, "rate_limited", "unknown"),
        (500, "internal_error", "unknown"),
        (503, "idempotency_unavailable", "unknown"),
        (503, "service_unavailable", "unknown"),
    ],
)
def test_create_team_order_error(giftsim, shop, status, code, state):
    giftsim.fault(status=status, code=code, match={"interface": "partner", "operation": "createTeamOrder"})
    assert shop.order("spring", BO) == {"state": state}


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "body_too_large"),
        (400, "invalid_body"),
        (401, "unauthorized"),
        (404, "recipient_not_found"),
        (404, "team_order_not_found"),
        (409, "nothing_to_cancel"),
        (429, "rate_limited"),
        (500, "internal_error"),
        (503, "service_unavailable"),
    ],
)
def test_cancel_team_order_error(giftsim, shop, status, code):
    shop.order("spring", BO)
    giftsim.fault(status=status, code=code, match={"interface": "partner", "operation": "cancelTeamOrder"})
    assert shop.cancel("spring") == {"state": "placed"}


@pytest.mark.parametrize(
    ("operation", "status", "code"),
    [
        ("getTeamOrder", 400, "invalid_body"),
        ("getTeamOrder", 401, "unauthorized"),
        ("getTeamOrder", 404, "team_order_not_found"),
        ("getTeamOrder", 429, "rate_limited"),
        ("getTeamOrder", 500, "internal_error"),
        ("getTeamOrder", 503, "service_unavailable"),
        ("listTeamOrders", 400, "invalid_body"),
        ("listTeamOrders", 401, "unauthorized"),
        ("listTeamOrders", 429, "rate_limited"),
        ("listTeamOrders", 500, "internal_error"),
        ("listTeamOrders", 503, "service_unavailable"),
    ],
)
def test_read_error(giftsim, shop, operation, status, code):
    shop.order("spring", BO)
    giftsim.fault(status=status, code=code, match={"interface": "partner", "operation": operation})
    with pytest.raises(Refused):
        if operation == "listTeamOrders":
            shop.read("unpaid", 100)
        else:
            shop.refresh("spring", shop.orders["spring"])


# Events and transitions


@pytest.mark.parametrize(
    "path",
    [
        ["delivered"],
        ["rejected"],
        ["in_production", "rejected"],
        ["labeled", "rejected"],
        ["delayed", "rejected"],
        ["delayed", "in_production"],
        ["in_production", "delayed", "labeled"],
        ["labeled", "delayed", "shipped"],
    ],
    ids=" ".join,
)
def test_a_parcel_goes_its_way(giftsim, shop, path):
    shop.order("spring", BO)
    for status in path:
        giftsim.ship(shop.orders["spring"]["id"], status)
    giftsim.advance("2h")
    assert list(shop.errors()) == []


@pytest.mark.parametrize("situation", ["parcel-delayed", "parcel-found"])
def test_a_parcel_has_trouble_on_its_way(giftsim, shop, situation):
    shop.order("spring", BO)
    giftsim.rehearse(situation, shop.orders["spring"]["id"])
    giftsim.advance("10d")
    assert list(shop.errors()) == []


@pytest.mark.parametrize("status", ["submitted", "delayed", "rejected"])
def test_a_parcel_is_canceled(giftsim, shop, status):
    shop.order("spring", BO)
    giftsim.claim(shop.orders["spring"]["id"])
    if status != "submitted":
        giftsim.ship(shop.orders["spring"]["id"], status)
    assert shop.cancel("spring") == {"state": "canceled"}


def test_shipment_awaiting_resend_awaiting(giftsim, shop):
    shop.order("spring", BO)
    giftsim.simulate("claim_link", team_order_id=shop.orders["spring"]["id"], recipient=0, resend=True)
    assert len(giftsim.mail("bo@example.com")) == 2


@pytest.mark.parametrize("then", ["canceled", "claimed", "resent"])
def test_shipment_awaiting_expire_expired(giftsim, shop, then):  # also: claim link expired
    shop.order("spring", BO)
    giftsim.advance("61d")
    assert [parcel["stage"] for parcel in shop.parcels.values()] == ["expired"]
    if then == "canceled":
        assert shop.cancel("spring") == {"state": "canceled"}
    elif then == "claimed":
        giftsim.claim(shop.orders["spring"]["id"])
    else:
        giftsim.simulate("claim_link", team_order_id=shop.orders["spring"]["id"], recipient=0, resend=True)


@pytest.mark.parametrize("outcome", ["paid", "failed"])
def test_charge_sent_reconcile(giftsim, shop, outcome):
    giftsim.settings({"partner.reconcile_unknown": outcome})
    giftsim.fault(crash="after_charge", when={"first": 1})
    assert shop.order("spring", BO) == {"state": "unknown"}
    giftsim.advance("1h")
    assert shop.order("spring", BO) == {"state": "placed"}


def test_delivery_dead_accept_delivered(giftsim, shop):  # also: pending --fail--> pending, pending --exhaust--> dead
    shop.break_down()
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("10d")
    shop.mend()
    giftsim.control("POST", "/deliveries/1/resend")
    assert [webhook.outcome for webhook in giftsim.webhooks() if webhook.outcome == "delivered"] == ["delivered"]


def test_delivery_pending_drop_dropped(giftsim, shop):
    shop.break_down()
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("1h")
    [endpoint] = giftsim.listed("endpoints")
    giftsim.call("DELETE", f"/api/external/webhooks/{endpoint['id']}", credential="partner.prepaid")
    giftsim.advance("1h")


# Faults


def test_answer_lost_retried_with_the_same_key(giftsim, shop):
    giftsim.fault(drop="after", when={"first": 1})
    assert shop.order("spring", BO) == {"state": "placed"}
    assert len(giftsim.listed("orders")) == 1


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503},
        {"status": 409, "code": "idempotency_outcome_unknown"},
        {"status": 429, "retry_after": 3},
    ],
)
def test_retried(giftsim, shop, fault):
    giftsim.fault(**fault, when={"first": 1})
    assert shop.order("spring", BO) == {"state": "placed"}


@pytest.mark.parametrize("kind", ["duplicate", "reorder", "bad_signature", "stale_signature"])
def test_webhooks_are_disturbed(giftsim, shop, kind):
    giftsim.fault(webhook=kind, when={} if kind == "duplicate" else {"first": 1})
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("3h")
    assert list(shop.errors()) == []


def test_webhook_a_day_late(giftsim, shop):  # also: webhook sent again after the app's own 5xx
    shop.break_down()
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("25h")
    shop.mend()
    giftsim.advance("5d")
    assert list(shop.errors()) == []


def test_webhook_signed_with_a_rotated_secret(giftsim, shop):
    endpoint = giftsim.subscribe("team_order.shipped", url="https://hooks.partner.example/giftsim/webhooks")
    shop.use_secrets([*shop.secrets, endpoint["secret"]])
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("2h")
    assert list(shop.errors()) == []


# Clock


@pytest.mark.parametrize("day", ["2027-02-01", "2027-03-14", "2028-01-02", "2028-02-29"])
def test_a_day_of_the_calendar(giftsim, shop, day):
    shop.order("winter", BO)
    giftsim.advance(to=f"{day}T18:00:00Z")
    assert shop.order("spring", BO) == {"state": "placed"}
    assert list(shop.errors()) == []
