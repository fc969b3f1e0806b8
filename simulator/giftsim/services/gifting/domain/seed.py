"""Seed a world from a fixture: accounts, teams, keys, catalogue, and a history of orders (G8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product as combinations
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidFixture, in_fixture
from giftsim.services.gifting.domain import seed_history
from giftsim.services.gifting.domain.api_key import DEFAULT_CAPABILITIES, issue_key
from giftsim.services.gifting.domain.fulfilment.products import (
    PRODUCTS,
    SKUS,
    Option,
    PrintArea,
    Product,
    Sku,
    Variation,
    add_review,
)
from giftsim.services.gifting.domain.money.account import Account, open_account
from giftsim.services.gifting.domain.team.seed_teams import TeamEntry, seed_teams
from giftsim.services.gifting.domain.team.team import Team

T = TypeVar("T")
Cents = Annotated[int, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,64}$")]


class AccountEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account; the name of its entry becomes its label."""

    billing_mode: Literal["prepaid", "net_terms"] = "prepaid"
    wallet_cents: int = 0
    card: Literal["none", "good", "declined"] = "none"
    card_fallback: bool = True
    credit_limit_cents: Cents = 0
    daily_limit_cents: Cents | None = None
    reviewed: tuple[str, ...] = ()


class KeyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key; its entry is named `interface.label`, as in the table of credentials."""

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
    """A product with its variations, each a list of option names.

    Other ids are derived from its id: product 102 has the variations 1021, 1022 ... with the options 10211, 10212 ...
    Its SKU 10200 has the first option of each variation; with `skus: all`, every combination (up to 99) is a SKU too.
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
    """Add a fixture to a new state, without moving its clock; InvalidFixture says what is wrong.

    Reads the sections `accounts`, `teams`, `keys`, `products` and `orders`.
    """
    histories = _read_section(data, "orders", tuple[seed_history.OrderHistory, ...], ())
    now_ms, state.now_ms = state.now_ms, seed_history.earliest_start(state, histories)
    with state.transaction():
        account_entries = _read_section(data, "accounts", dict[str, AccountEntry])
        accounts = {name: _add_account(state, name, entry) for name, entry in account_entries.items()}
        for i, product_entry in enumerate(_read_section(data, "products", tuple[ProductEntry, ...], ())):
            with in_fixture(f"products[{i}]"):
                _add_product(state, product_entry, accounts)
        for name, entry in account_entries.items():
            for slug in entry.reviewed:
                add_review(state, _require(state[PRODUCTS].find("slug", slug), "product", slug), accounts[name].n)
        teams = _add_teams(state, data)
        for name, key_entry in _read_section(data, "keys", dict[str, KeyEntry]).items():
            with in_fixture(f"keys.{name}"):
                _add_key(state, name, key_entry, accounts, teams)
    seed_history.run_histories(state, histories, now_ms)


def _read_section(data: Mapping[str, Any], section: str, kind: type[T], default: Any = None) -> T:
    with in_fixture(section):
        return msgspec.convert(data.get(section, {} if default is None else default), kind)


def _require(record: T | None, kind: str, name: str) -> T:
    if record is None:
        raise InvalidFixture(f"the fixture has no {kind} {name}")
    return record


def _add_account(state: State, name: str, entry: AccountEntry) -> Account:
    choices = {field: getattr(entry, field) for field in entry.__struct_fields__ if field != "reviewed"}
    return open_account(state, {"label": name, **choices})


def _add_teams(state: State, data: Mapping[str, Any]) -> dict[str, Team]:
    with in_fixture("teams"):
        return seed_teams(state, _read_section(data, "teams", dict[str, TeamEntry]))


def _add_key(
    state: State, full_name: str, entry: KeyEntry, accounts: Mapping[str, Account], teams: Mapping[str, Team]
) -> None:
    interface, _, label = full_name.partition(".")
    if interface not in ("partner", "team") or not label:
        raise InvalidFixture(f"the fixture's keys: {full_name} is not a name like partner.prepaid or team.first")
    account = None if entry.account is None else _require(accounts.get(entry.account), "account", entry.account).n
    team = None if entry.team is None else _require(teams.get(entry.team), "team", entry.team).n
    issue_key(
        state,
        interface,
        name=entry.name,
        mode=entry.mode,
        label=label,
        account=account,
        team=team,
        role=entry.role,
        scopes=entry.scopes,
        per_request_cents=entry.per_request_cents,
        monthly_cents=entry.monthly_cents,
        plan=entry.plan,
        capabilities=entry.capabilities if interface == "partner" else (),
    )


def _add_product(state: State, entry: ProductEntry, accounts: Mapping[str, Account]) -> None:
    variations = tuple(
        _variation(entry.id * 10 + i, name, options) for i, (name, options) in enumerate(entry.variations.items(), 1)
    )
    account = None if entry.account is None else _require(accounts.get(entry.account), "account", entry.account).n
    product = state[PRODUCTS].add(
        Product(
            state[PRODUCTS].next_n,
            entry.id,
            entry.slug or entry.code.lower(),
            entry.name,
            entry.price_cents,
            entry.personalization,
            variations,
            account,
            entry.print_areas,
        )
    )
    _add_sku(state, product, entry.id * 100, entry.code, [variation.options[0] for variation in variations])
    if entry.skus == "all":
        for i, options in enumerate(combinations(*[variation.options for variation in variations]), 1):
            code = "-".join([entry.code, *[option.name.upper().replace(" ", "") for option in options]])
            _add_sku(state, product, entry.id * 100 + i, code, options)


def _add_sku(state: State, product: Product, sku_id: int, code: str, options: Sequence[Option]) -> None:
    pairs = tuple((variation.id, option.id) for variation, option in zip(product.variations, options, strict=True))
    state[SKUS].add(Sku(state[SKUS].next_n, sku_id, code, product.n, pairs))


def _variation(variation_id: int, name: str, option_names: Sequence[str]) -> Variation:
    options = [Option(variation_id * 10 + i, option_name) for i, option_name in enumerate(option_names, 1)]
    return Variation(variation_id, name, tuple(options))
