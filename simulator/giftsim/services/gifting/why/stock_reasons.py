"""Why nobody can claim, or no batch can be prepared: what is needed is off sale (G446, G447)."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.engine.gateway.reason import Act, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Item, Offer
from giftsim.services.gifting.domain.fulfilment.offer import MENU_VARIATION_ID, Choice, list_choices
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, OffSale, item_on_sale, missing_item
from giftsim.services.gifting.domain.team.campaigns.campaign import Campaign
from giftsim.services.gifting.why.expected_stages import Row
from giftsim.services.gifting.why.wording import phrase_people, phrase_record


def nothing_left(state: State, ref: Ref, rows: Sequence[Row]) -> Reason | None:
    """Why recipients cannot claim: every option of a choice is off sale. None if there is something to pick."""
    if not state[OFF_SALE].rows:
        return None
    order = state[FULFILMENTS].get(rows[0].recipient.order)
    empty = [choice for choice in list_choices(state, order) if not choice.options]
    if not empty:
        return None
    marks = _marks_of_choice(state, empty[0], order.items, order.menu)
    who = phrase_people(state, [row.recipient for row in rows])
    return Reason(
        kind="not_claimed",
        sentence=f"{who} cannot claim {phrase_record(ref)}: no {empty[0].name.lower()} is left to pick, because each is"
        " off sale",
        proofs=_proofs(state, marks),
        acts=tuple(_put_back(state, mark) for mark in marks[:1]),
        codes=frozenset({"invalid_claim"}),
    )


def no_batch(state: State, ref: Ref, campaign: Campaign) -> Reason | None:
    """Why the next batch of a campaign cannot be prepared: an item of it is off sale. None if all can be ordered."""
    name = missing_item(state, campaign.items, campaign.menu) if state[OFF_SALE].rows else None
    if name is None:
        return None
    needed = [item for item in campaign.items if not item_on_sale(state, item)]
    marks = _marks(state, needed or campaign.menu[0].items)
    return Reason(
        kind="not_approved",
        sentence=f"no approval of {phrase_record(ref)} is requested yet: {name} is off sale, so its next batch cannot"
        " be prepared",
        proofs=_proofs(state, marks),
        acts=tuple(_put_back(state, mark) for mark in marks),
    )


def _marks_of_choice(state: State, choice: Choice, items: Sequence[Item], menu: Sequence[Offer]) -> list[OffSale]:
    """What is off sale so that a choice has no option left."""
    if choice.variation_id == MENU_VARIATION_ID:
        return _marks(state, menu[0].items)
    chosen = [item for item in items if choice.variation_id in item.choices]
    return [mark for mark in _marks(state, chosen) if mark.option and mark.option[0] == choice.variation_id]


def _marks(state: State, items: Sequence[Item]) -> list[OffSale]:
    """What is off sale of the products of items."""
    products = dict.fromkeys(item.product for item in items)
    return [mark for product in products for mark in state[OFF_SALE].rows_in("product", product)]


def _proofs(state: State, marks: Sequence[OffSale]) -> tuple[Proof, ...]:
    return tuple(
        Proof(OFF_SALE.name, mark.n, None, None, f"{_name(state, mark)} is off sale since then") for mark in marks
    )


def _name(state: State, mark: OffSale) -> str:
    product = state[PRODUCTS].get(mark.product)
    variation = product.variation(mark.option[0]) if mark.option else None
    option = variation.option(mark.option[1]) if variation and mark.option else None
    return f"{product.name} in {option.name}" if option else product.name


def _put_back(state: State, mark: OffSale) -> Act:
    """What puts it back on sale."""
    if mark.sku is not None:
        return Act("stock", {"sku": state[SKUS].get(mark.sku).code, "on_sale": True})
    named = {"option": mark.option[1]} if mark.option else {}
    return Act("stock", {"product": state[PRODUCTS].get(mark.product).slug, **named, "on_sale": True})
