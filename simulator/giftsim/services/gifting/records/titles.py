"""What people call orders, gifts and campaigns: by their name, or by whom they are for and what is in them (G240)."""

from __future__ import annotations

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.team.campaigns.campaign import CAMPAIGNS, Campaign
from giftsim.services.gifting.domain.team.orders.gift import GIFTS, Gift
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE as GIFT
from giftsim.services.gifting.domain.team.orders.team_order import RESOURCE as TEAM_ORDER
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS


def order_title(state: State, order: Fulfilment, contents: str | None = None) -> str:
    """An order or gift, such as `Bo’s stoneware mug`, or its own name. `contents` is used if it has no items."""
    if order.name:
        return order.name
    names = [item.name for item in order.items]
    thing = f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else "".join(names) or _words(contents or "gift")
    first = state[RECIPIENTS].get(order.first_recipient) if order.recipient_count else None
    name = first.name if first else None
    if name is None:
        return thing
    if order.recipient_count == 1:
        return f"{name}’s {_in_sentence(thing)}"
    others = order.recipient_count - 1
    return f"{thing} for {name} and {others:,} {'other' if others == 1 else 'others'}"


def gift_title(state: State, gift: Gift) -> str:
    """A gift, such as `Bo’s welcome kit`."""
    return order_title(state, state[FULFILMENTS].get(gift.fulfilment), gift.slug)


def campaign_title(campaign: Campaign) -> str:
    """A large campaign by its name, or by what is in it and for how many."""
    contents = campaign.collection or ", ".join(item.name for item in campaign.items)
    return campaign.name or f"{_words(contents or 'campaign')} for {campaign.recipient_count:,}"


def resource_title(state: State, resource_type: str, slot: int) -> str:
    """An order, gift or campaign by its type and slot, as approvals and items name it."""
    if resource_type == TEAM_ORDER:
        return order_title(state, state[FULFILMENTS].get(state[TEAM_ORDERS].get(slot).fulfilment))
    if resource_type == GIFT:
        return gift_title(state, state[GIFTS].get(slot))
    return campaign_title(state[CAMPAIGNS].get(slot))


def _words(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()


def _in_sentence(text: str) -> str:
    """A text that begins with a small letter, unless its first word is an abbreviation."""
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"
