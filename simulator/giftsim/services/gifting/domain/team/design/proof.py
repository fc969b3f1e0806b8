"""Proofs: how custom artwork will look on an order item, reviewed and signed before payment (A1.4, A1.5, T-4.153).

The items are those of orders and of large campaigns; gifts and menus count the signed proofs of their products (G55).
Every item with custom artwork has a proof from the beginning. Its record is added with the first version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment
from giftsim.services.gifting.domain.fulfilment.products import CUSTOM_ARTWORK, PRODUCTS, Product
from giftsim.services.gifting.domain.team.design.artwork import Artwork
from giftsim.services.gifting.domain.team.member import Member
from giftsim.services.gifting.domain.team.orders.setup import PROOFS_CLOSED
from giftsim.services.gifting.domain.team.orders.team_order import ORDER_ITEMS, OrderItem, order_items_of
from giftsim.services.gifting.domain.team.team_errors import NotFound
from giftsim.services.gifting.domain.team.tenant import Tenant, find_record

AWAITING, IN_REVIEW, READY_TO_SIGN, SIGNED = "awaiting_version", "in_review", "ready_to_sign", "signed"
CHANGES_REQUESTED = "changes_requested"
SUBMIT, SIGN = "submit", "sign"
DECISIONS: Final[Mapping[str, str]] = {"approve": "approve", "request_changes": "request_changes"}


class ProofVersionStale(InvalidState, code="proof_version_stale"):
    """The version in the request is not the current one."""


class Version(msgspec.Struct, frozen=True, gc=False):
    """One version of a proof, numbered by position from 1; `artwork` is a slot."""

    artwork: int
    notes: str | None
    created_ms: int


class Review(msgspec.Struct, frozen=True, gc=False):
    """The review of the current version."""

    decision: str
    note: str | None
    reviewed_ms: int


class Proof(Record, frozen=True, gc=False):
    """The proof of an order `item` (a slot); `signed_ms` and `signer` (a member's slot) are of the current version."""

    item: int
    versions: tuple[Version, ...] = ()
    status: str = AWAITING
    review: Review | None = None
    signed_ms: int | None = None
    signer: int | None = None

    @property
    def current(self) -> int | None:
        """The number of the current version, None before the first."""
        return len(self.versions) or None


PROOFS: TableSpec[Proof] = TableSpec("team.proof", Proof, unique={"item": "item"}, moving={"status": "status"})

PROOF: Machine[Proof] = Machine(
    "proof",
    PROOFS,
    initial=(AWAITING,),
    final=(),
    rows=[
        Row(AWAITING, SUBMIT, IN_REVIEW),
        Row(IN_REVIEW, SUBMIT, IN_REVIEW),
        Row(IN_REVIEW, "approve", READY_TO_SIGN),
        Row(IN_REVIEW, "request_changes", CHANGES_REQUESTED),
        Row(CHANGES_REQUESTED, SUBMIT, IN_REVIEW),
        Row(READY_TO_SIGN, SUBMIT, IN_REVIEW),
        Row(READY_TO_SIGN, SIGN, SIGNED),
        Row(SIGNED, SUBMIT, IN_REVIEW),
    ],
)


def find_order_item(state: State, tenant: Tenant, raw: object) -> OrderItem:
    """The order item with a public id. NotFound also for an item that needs no proof."""
    item = find_record(state, ORDER_ITEMS, tenant, raw)
    if not needs_proof(state, item):
        raise NotFound("this order item has no custom artwork, so it needs no proof")
    return item


def needs_proof(state: State, item: OrderItem) -> bool:
    """Whether an order item needs a proof (A1.5)."""
    return state[PRODUCTS].get(item.product).personalization == CUSTOM_ARTWORK


def proof_of(state: State, item: OrderItem) -> Proof:
    """The proof of an order item that needs one."""
    return state[PROOFS].find("item", item.n) or Proof(state[PROOFS].next_n, item.n)


def list_proofs(state: State, resource_type: str, slot: int) -> Sequence[tuple[OrderItem, Proof]]:
    """The items of an order or campaign (a slot of its type) that need a proof, with their proofs."""
    items = order_items_of(state, resource_type, slot)
    return [(item, proof_of(state, item)) for item in items if needs_proof(state, item)]


def proof_status(state: State, slot: int) -> str | None:
    """The status of the proof of an order item (a slot), or None if it needs none."""
    item = state[ORDER_ITEMS].get(slot)
    return proof_of(state, item).status if needs_proof(state, item) else None


def unsigned_item(state: State, owner: str, resource_type: str, slot: int, fulfilment: Fulfilment) -> str | None:
    """The name of an item that lacks a signed proof, so that a fulfilment cannot be paid (handles UNSIGNED)."""
    proofs = list_proofs(state, resource_type, slot)
    unsigned = [item.name for item, proof in proofs if proof.status != SIGNED]
    own_products = {item.product for item, _ in proofs}
    for item in (*fulfilment.items, *[item for offer in fulfilment.menu for item in offer.items]):
        product = state[PRODUCTS].get(item.product)
        if product.personalization == CUSTOM_ARTWORK and item.product not in own_products:
            unsigned += [] if has_signed_proof(state, owner, product) else [item.name]
    return unsigned[0] if unsigned else None


def has_signed_proof(state: State, owner: str, product: Product) -> bool:
    """Whether a tenant has signed the proof of a product, in any order or campaign (G55)."""
    slots = state[ORDER_ITEMS].slots_in("product", f"{owner} {product.n}")
    proofs = [state[PROOFS].find("item", slot) for slot in slots]
    return any(proof is not None and proof.status == SIGNED for proof in proofs)


def open_proof(state: State, item: OrderItem) -> Proof:
    """The proof of an order item. InvalidState if it is closed, so that it gets no version, review or signature."""
    reason = closed_by(state, item)
    if reason is not None:
        raise InvalidState(
            f"the {item.resource_type.split('_')[-1]} of this proof is {reason}: its proofs cannot change"
        )
    return proof_of(state, item)


def closed_by(state: State, item: OrderItem) -> str | None:
    """Why the proof of an order item can no longer change: `paid`, or how its order or campaign ended."""
    reason: str | None = state.handler_of(PROOFS_CLOSED, item.resource_type)(state, item.order)
    return reason


def add_version(state: State, item: OrderItem, artwork: Artwork, notes: str | None) -> Proof:
    """Add a version, which is in review and unsigned. InvalidState once the proof is closed."""
    proof = open_proof(state, item)
    if not proof.versions:
        state[PROOFS].add(proof)
    versions = (*proof.versions, Version(artwork.n, notes, state.now_ms))
    return PROOF.fire(state, proof, SUBMIT, versions=versions, review=None, signed_ms=None, signer=None)


def review_proof(state: State, item: OrderItem, decision: str, note: str | None) -> Proof:
    """Review the current version of a proof. InvalidState unless it is open and in review."""
    review = Review(decision, note, state.now_ms)
    return PROOF.fire(state, open_proof(state, item), DECISIONS[decision], review=review)


def sign_sandbox_proof(state: State, item: OrderItem) -> Proof:
    """Sign the current version of a test item's proof, as nobody. InvalidState unless it is open and ready to sign."""
    return PROOF.fire(state, open_proof(state, item), SIGN, signed_ms=state.now_ms, signer=None)


def sign_proof(state: State, item: OrderItem, version: int, signer: Member) -> Proof:
    """Sign a proof. ProofVersionStale if `version` is not the current one.

    InvalidState unless the proof is open and ready to sign.
    """
    proof = open_proof(state, item)
    if proof.current is not None and version != proof.current:
        raise ProofVersionStale(f"the present version is {proof.current}; read the proof again and sign that version")
    return PROOF.fire(state, proof, SIGN, signed_ms=state.now_ms, signer=signer.n)
