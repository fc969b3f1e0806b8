"""Seeding a world from a fixture."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.signals import connect, ignore
from giftsim.engine.kernel.state import EMITTED, State
from giftsim.engine.problem import ERRORS, InvalidFixture, Problem
from giftsim.services.fixture_loader import read_fixture
from giftsim.services.gifting.domain.api_key import API_KEYS, KeyExists, find_key, issue_key, revoke, update_key
from giftsim.services.gifting.domain.domain_definitions import DEFINITIONS
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, ORDER_STATUSES, recipient_rows
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS, is_visible
from giftsim.services.gifting.domain.fulfilment.shipment import STATUSES
from giftsim.services.gifting.domain.money.account import ACCOUNTS, balance_cents
from giftsim.services.gifting.domain.money.charge import CHARGES
from giftsim.services.gifting.domain.seed import seed_world
from tests.support.domain.partner_orders import NOW, PartnerDomain


def test_new_keys_have_the_capability_and_older_keys_can_get_it() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        new = issue_key(partner.state, "partner", account=partner.n)
        older = issue_key(partner.state, "partner", name="older", account=partner.n, capabilities=())
    assert (new.capabilities, older.capabilities) == (("team_orders",), ())
    with partner.state.transaction():
        assert update_key(partner.state, older, capabilities=["team_orders"]).capabilities == ("team_orders",)


def test_unnamed_keys_get_distinct_names_from_the_seed() -> None:
    names = []
    for _ in range(2):
        partner = PartnerDomain()
        with partner.state.transaction():
            names.append([issue_key(partner.state, "team", mode="test", team=0).name for _ in range(3)])
    assert names[0] == names[1]
    assert len(set(names[0])) == 3


def test_key_names_are_unique_per_interface_and_mode() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        issue_key(partner.state, "team", name="first")
        issue_key(partner.state, "partner", name="first", mode="test")
    with pytest.raises(KeyExists), partner.state.transaction():
        issue_key(partner.state, "partner", name="first")


def test_a_revoked_key_is_still_found() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        revoke(partner.state, partner.key)
        revoke(partner.state, partner.key)
    key = find_key(partner.state, "partner", "live", "first")
    assert key is not None
    assert key.revoked
    assert find_key(partner.state, "partner", "live", "second") is None


def seeded(fixture: str | dict[str, Any], now: str = NOW) -> State:
    """A state seeded from a fixture, whose events are ignored."""
    definitions = merge_definitions(DEFINITIONS, PackageDefinitions(connections=(connect(EMITTED, ignore),)))
    state = State(definitions.compiled(ERRORS), 1, parse_instant(now))
    data = read_fixture(fixture)
    with state.transaction():
        for name, value in data.get("settings", {}).items():
            state.set_setting(name, value)
    seed_world(state, data)
    return state


def test_the_bare_fixture_has_only_the_documented_keys() -> None:
    state = seeded("bare")
    assert [f"{key.interface}.{key.label}" for key in state[API_KEYS]] == [
        "partner.prepaid", "partner.no_funds", "partner.net_terms", "partner.unbound", "partner.no_capability",
        "team.live_approver", "team.live_requester", "team.test", "team.test_second", "team.other_team",
    ]  # fmt: skip
    accounts = {account.label: account for account in state[ACCOUNTS]}
    assert (accounts["prepaid"].cash_cents, accounts["prepaid"].card) == (500_000, "good")
    assert (accounts["no_funds"].cash_cents, accounts["no_funds"].card) == (0, "none")
    assert (accounts["net_terms"].billing_mode, accounts["net_terms"].credit_limit_cents) == ("net_terms", 1_000_000)
    unbound = find_key(state, "partner", "live", "unbound")
    lacking = find_key(state, "partner", "live", "nocapability")
    assert unbound is not None
    assert lacking is not None
    assert (unbound.account, unbound.capabilities, lacking.capabilities) == (None, ("team_orders",), ())
    assert state[PRODUCTS].next_n == state[FULFILMENTS].next_n == 0
    approver = find_key(state, "team", "live", "approver")
    assert approver is not None
    assert len(approver.scopes) == 13


def test_the_empty_fixture_has_the_documented_products() -> None:
    state = seeded("empty")
    products = {product.slug: product for product in state[PRODUCTS]}
    mug, tee, pen = products["mug-01"], products["tee-01"], products["pen-01"]
    assert [product.price_cents for product in (mug, tee, pen)] == [1800, 2500, 600]
    assert (mug.variations, [variation.name for variation in tee.variations]) == ((), ["Size", "Colour"])
    assert products["engr-01"].personalization == "review_required"
    assert len(products) >= 24
    codes = [sku.code for sku in state[SKUS].rows_in("product", tee.n)]
    assert codes[:3] == ["TEE-01", "TEE-01-S-BLACK", "TEE-01-S-NAVY"]
    assert len(codes) == 13
    prepaid, neighbour = (account for account in state[ACCOUNTS] if account.label in ("prepaid", "neighbour"))
    own = [product for product in products.values() if product.account is not None]
    assert [product.slug for product in own if is_visible(product, neighbour.n)] == ["next-01"]
    assert not any(is_visible(product, prepaid.n) for product in own)


@pytest.mark.parametrize("now", [NOW, "1999-02-28T23:59:59Z", "2096-12-31T12:00:00Z"])
def test_the_default_fixture_has_orders_and_shipments_in_every_status_at_any_time(now: str) -> None:
    state = seeded("default", now)
    assert state.now_ms == parse_instant(now)
    assert {order.status for order in state[FULFILMENTS]} == set(ORDER_STATUSES)
    assert {row.status for order in state[FULFILMENTS] for _, row in recipient_rows(state, order)} == set(STATUSES)
    assert all(order.made_at_ms <= state.now_ms for order in state[FULFILMENTS])
    timer = state.timers.peek()
    assert timer is not None
    assert timer.due_ms > state.now_ms


def test_the_default_fixture_leaves_the_documented_accounts_unused_and_the_ledger_balanced() -> None:
    state = seeded("default")
    for account in state[ACCOUNTS]:
        assert account.cash_cents == balance_cents(state, account.owner, account.wallet)
        used = any(charge.account == account.n for charge in state[CHARGES])
        assert used == account.label.startswith("showcase")


def test_a_fixture_is_deterministic() -> None:
    assert fingerprint(seeded("default")) == fingerprint(seeded("default"))


def test_a_fixture_can_set_settings_and_reviews() -> None:
    state = seeded(
        {
            "extends": "empty",
            "settings": {"partner.claim_expiry_days": 3},
            "accounts": {"mine": {"reviewed": ["engr-01"]}},
            "keys": {"partner.mine": {"name": "mine", "account": "mine"}},
            "orders": [
                {
                    "key": "partner.mine",
                    "ago": "4d",
                    "body": {
                        "gift_sender": "Ada",
                        "items": [{"sku_code": "ENGR-01"}],
                        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
                    },
                }
            ],
        }
    )
    assert [(order.status, order.expiry_days) for order in state[FULFILMENTS]] == [("unpaid", 3)]


@pytest.mark.parametrize(
    ("fixture", "message"),
    [
        ({"accounts": {"mine": {"walet_cents": 5}}}, "accounts"),
        ({"accounts": {"mine": {"card": "gold"}}}, "card"),
        ({"accounts": {"mine": {"reviewed": ["no"]}}}, "product no"),
        ({"keys": {"partner.mine": {"name": "mine", "account": "yours"}}}, "account yours"),
        ({"keys": {"mine": {"name": "mine"}}}, "mine"),
        ({"keys": {"partner.mine": {"name": "Not this"}}}, "keys"),
        ({"products": [{"id": 1, "code": "A", "name": "A"}]}, "price_cents"),
        ({"orders": [{"key": "partner.mine", "ago": "4d", "body": {}}]}, "partner.mine"),
        ({"orders": [{"key": "partner.mine", "ago": "soon", "body": {}}]}, "soon"),
        (
            {"orders": [{"key": "k", "ago": "1d", "body": {}, "then": [{"after": "2d", "do": "claim"}]}]},
            "is in the future",
        ),
    ],
)
def test_an_invalid_fixture_says_where(fixture: dict[str, Any], message: str) -> None:
    with pytest.raises(Problem, match=message) as refused:
        seeded(fixture)
    assert refused.value.code == InvalidFixture.code
