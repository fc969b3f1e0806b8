"""The contents that a `setup` names, as templates save it and as campaigns and orders take it (A7.6, G63)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.signals import KeyedSignal, Signal
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment
from giftsim.services.gifting.domain.team.billing.payment_errors import ProofNotSigned
from giftsim.services.gifting.domain.team.orders import order_items
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Id

SETUP, BUNDLE_ITEMS, CHOICES = "setup", "setup.bundle_items", "gift_choices"
BUNDLE: Final = "bundle"


class TemplateUse(msgspec.Struct, frozen=True, gc=False):
    """The template (a public id) and revision whose input a campaign or an order was created from."""

    template_id: Id
    revision: int


def requested_contents(state: State, body: Mapping[str, Any]) -> Contents:
    """The contents of the `collection` or the `setup` of a body, with its gift-choice menu.

    ValidationFailed for items that are not in the catalogue.
    """
    if SETUP in body:
        return setup_contents(state, body)
    contents = order_items.from_collection(state, body["collection"])
    return order_items.with_menu(state, contents, body.get(CHOICES), CHOICES)


def setup_contents(state: State, body: Mapping[str, Any]) -> Contents:
    """The contents of the `setup` of a body. Its menu is `gift_choices`, of the body or of its setup.

    ValidationFailed for an unknown product, and for two menus that differ.
    """
    contents = order_items.from_lines(state, body[SETUP]["bundle_items"], BUNDLE_ITEMS)
    of_body = order_items.with_menu(state, contents, body.get(CHOICES), CHOICES)
    if not has_menu(body[SETUP]):
        return of_body
    of_setup = order_items.with_menu(state, contents, body[SETUP][CHOICES], f"{SETUP}.{CHOICES}")
    if of_body.menu and of_body.menu != of_setup.menu:
        raise validation_error(f"{SETUP}.{CHOICES}", "must be equal to gift_choices, if both are given")
    return of_setup


def has_menu(setup: Mapping[str, Any]) -> bool:
    """Whether a setup has its own gift-choice menu."""
    return bool(setup.get(CHOICES))


def requested_mode(body: Mapping[str, Any]) -> str | None:
    """The mode of a body: a setup with a menu is a bundle, also where the body does not say so."""
    mode: str | None = body.get("mode")
    return BUNDLE if has_menu(body.get(SETUP, {})) else mode


# The name of an item in a fulfilment of a tenant (its owner) that lacks a signed proof, or None. The items of the
# record in a slot of a type have their own proofs; any other type counts a signed proof of its product.
UNSIGNED: Signal[Callable[[State, str, str, int, Fulfilment], str | None]] = Signal("unsigned", lambda *_: None)
# Why the proofs of a record (a slot) can no longer change, or None while they can; keyed by the type of the record.
PROOFS_CLOSED: KeyedSignal[Callable[[State, int], str | None]] = KeyedSignal("proofs_closed")


def check_proofs(state: State, owner: str, resource_type: str, slot: int, fulfilment: Fulfilment) -> None:
    """Raise ProofNotSigned if an item with custom artwork has no signed proof of its current version."""
    name = state.handler(UNSIGNED)(state, owner, resource_type, slot, fulfilment)
    if name is not None:
        raise ProofNotSigned(f"the item {name} needs a signed proof of its present version; nothing is paid")
