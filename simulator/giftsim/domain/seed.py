"""Planting a fixture: accounts, keys and catalogue of a starting world, and the orders that its past holds (G8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product as combinations
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from giftsim.domain import seed_history
from giftsim.domain.access.api_key import DEFAULT_CAPABILITIES, issue_key
from giftsim.domain.fulfilment.catalogue import PRODUCTS, SKUS, Option, PrintArea, Product, Sku, Variation, add_review
from giftsim.domain.money.account import Account, open_account
from giftsim.domain.problem import InvalidFixture
from giftsim.domain.team.seed import TeamPlan, open_teams
from giftsim.domain.team.team import Team
from giftsim.kernel.state import State

T = TypeVar("T")
Cents = Annotated[int, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,64}$")]


class AccountEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account; the name it stands under is its label."""

    billing_mode: Literal["prepaid", "net_terms"] = "prepaid"
    wallet_cents: int = 0
    card: Literal["none", "good", "declined"] = "none"
    card_fallback: bool = True
    credit_limit_cents: Cents = 0
    daily_limit_cents: Cents | None = None
    reviewed: tuple[str, ...] = ()


class KeyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key; it stands under `interface.label`, the name of its entry in the table of credentials."""

    name: Name
    mode: Literal["live", "test"] = "live"
    account: str | None = None
    capabilities: tuple[str, ...] = DEFAULT_CAPABILITIES
    team: str | None = None
    role: Literal["approver", "requester"] | None = None
    scopes: tuple[str, ...] = ()
    per_request_cents: Cents | None = None
    monthly_cents: Cents | None = None
    plan: str = "sandbox"


class ProductEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A product with its variations, as names of options.

    Its ids follow from its own: 102 has the variations 1021, 1022 ..., whose options are 10211, 10212 ...; the SKU of
    its code is 10200, made of the first options, and with `skus: all` every combination (up to 99) is one more.
    """

    id: Annotated[int, msgspec.Meta(ge=1)]
    code: str
    name: str
    price_cents: Cents
    slug: str | None = None
    personalization: Literal["none", "review_required", "custom_artwork"] = "none"
    variations: dict[str, Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=9)]] = {}
    skus: Literal["one", "all"] = "one"
    account: str | None = None
    print_areas: tuple[PrintArea, ...] = ()


def seed_world(state: State, data: Mapping[str, Any]) -> None:
    """Put a fixture into a fresh state, whose clock then shows what it showed; InvalidFixture says what is wrong.

    Sections: `settings`, `accounts`, `teams`, `keys`, `products`, `orders`; others belong to others.
    """
    stories = _read(data, "orders", tuple[seed_history.OrderHistory, ...], ())
    now_ms, state.now_ms = state.now_ms, seed_history.earliest_start(state, stories)
    with state.transaction():
        for name, raw in data.get("settings", {}).items():
            state.set_setting(name, raw)
        plans = _read(data, "accounts", dict[str, AccountEntry])
        accounts = {name: _open(state, name, plan) for name, plan in plans.items()}
        for product_plan in _read(data, "products", tuple[ProductEntry, ...], ()):
            _sell(state, product_plan, accounts)
        for name, plan in plans.items():
            for slug in plan.reviewed:
                add_review(state, _named(state[PRODUCTS].find("slug", slug), "product", slug), accounts[name].n)
        teams = _found(state, data)
        for name, key_plan in _read(data, "keys", dict[str, KeyEntry]).items():
            _cut(state, name, key_plan, accounts, teams)
    seed_history.run_histories(state, stories, now_ms)


def _read(data: Mapping[str, Any], section: str, kind: type[T], default: Any = None) -> T:
    try:
        return msgspec.convert(data.get(section, {} if default is None else default), kind)
    except msgspec.ValidationError as error:
        raise InvalidFixture(f"the fixture's {section}: {error}") from None


def _named(found: T | None, kind: str, name: str) -> T:
    if found is None:
        raise InvalidFixture(f"the fixture has no {kind} {name}")
    return found


def _open(state: State, name: str, plan: AccountEntry) -> Account:
    choices = {field: getattr(plan, field) for field in plan.__struct_fields__ if field != "reviewed"}
    return open_account(state, {"label": name, **choices})


def _found(state: State, data: Mapping[str, Any]) -> dict[str, Team]:
    try:
        return open_teams(state, _read(data, "teams", dict[str, TeamPlan]))
    except ValueError as error:
        raise InvalidFixture(f"the fixture's teams: {error}") from None


def _cut(
    state: State, entry: str, plan: KeyEntry, accounts: Mapping[str, Account], teams: Mapping[str, Team]
) -> None:  # fmt: skip
    interface, _, label = entry.partition(".")
    if interface not in ("partner", "team") or not label:
        raise InvalidFixture(f"the fixture's keys: {entry} is no name like partner.prepaid")
    account = None if plan.account is None else _named(accounts.get(plan.account), "account", plan.account).n
    team = None if plan.team is None else _named(teams.get(plan.team), "team", plan.team).n
    issue_key(
        state, interface, name=plan.name, mode=plan.mode, label=label, account=account, team=team,
        role=plan.role, scopes=plan.scopes, per_request_cents=plan.per_request_cents, monthly_cents=plan.monthly_cents,
        plan=plan.plan, capabilities=plan.capabilities if interface == "partner" else (),
    )  # fmt: skip


def _sell(state: State, plan: ProductEntry, accounts: Mapping[str, Account]) -> None:
    variations = tuple(
        _variation(plan.id * 10 + i, name, options) for i, (name, options) in enumerate(plan.variations.items(), 1)
    )
    account = None if plan.account is None else _named(accounts.get(plan.account), "account", plan.account).n
    product = state[PRODUCTS].add(
        Product(
            state[PRODUCTS].next_n, plan.id, plan.slug or plan.code.lower(), plan.name, plan.price_cents,
            plan.personalization, variations, account, plan.print_areas,
        )
    )  # fmt: skip
    _stock(state, product, plan.id * 100, plan.code, [variation.options[0] for variation in variations])
    if plan.skus == "all":
        for i, makes in enumerate(combinations(*[variation.options for variation in variations]), 1):
            code = "-".join([plan.code, *[make.name.upper().replace(" ", "") for make in makes]])
            _stock(state, product, plan.id * 100 + i, code, makes)


def _stock(state: State, product: Product, sku_id: int, code: str, makes: Sequence[Option]) -> None:
    options = tuple((variation.id, make.id) for variation, make in zip(product.variations, makes, strict=True))
    state[SKUS].add(Sku(state[SKUS].next_n, sku_id, code, product.n, options))


def _variation(variation_id: int, name: str, options: Sequence[str]) -> Variation:
    made = [Option(variation_id * 10 + i, option) for i, option in enumerate(options, 1)]
    return Variation(variation_id, name, tuple(made))
