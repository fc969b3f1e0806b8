"""The claim page in HTML: the form with what was entered, and the page after the claim. The same content as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from flask import Response, request

from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.pages.responses import html_response
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES
from giftsim.services.gifting.domain.fulfilment.claim import ClaimPage
from giftsim.services.gifting.domain.fulfilment.offer import MENU_VARIATION_ID, Choice
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidClaim
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.interfaces.claim.form_fields import (
    CHOOSE_COUNTRY,
    address_rows,
    misplaced_state,
    shown_again,
)
from giftsim.services.gifting.interfaces.claim.pictures import picture_of, picture_of_option
from giftsim.services.gifting.interfaces.claim.wording import (
    address_lines,
    chosen_country,
    country_name,
    day_and_time,
    labels,
    sentences,
)


def form_page(
    status: int, page: ClaimPage, given: Mapping[str, str], errors: Mapping[str, str], *, country_chosen: bool = False
) -> Response:
    """The form of the chosen country, with what was given and the error of each field."""
    country = chosen_country(page, given)
    fields = address_rows(country, given) if country else []
    return html_response(
        status,
        "claim.html",
        gift=claim_json(page),
        items=_items(page),
        choices=list(map(_choice, page.choices)),
        given=given,
        errors=errors,
        labels=labels(page, country),
        country=country and COUNTRIES[country],
        countries=[(code, country_name(code)) for code in page.countries],
        rows=fields,
        hidden=_hidden(given, fields),
        choose_country=CHOOSE_COUNTRY,
        country_chosen=country_chosen,
        expires=day_and_time(page.expires_at_ms),
    )


def form_with_errors(page: ClaimPage, problem: InvalidClaim) -> Response:
    """The form again after a claim with errors."""
    listed = [*cast("list[dict[str, str]]", problem.details["errors"]), *misplaced_state(request.form)]
    return form_page(422, page, shown_again(request.form), sentences(page, request.form, listed))


def thanks_page(page: ClaimPage, recipient: Recipient) -> Response:
    """The page after a claim: the items, the recipient and the address."""
    picked = dict(recipient.selection or ())
    names = [
        (choice["name"], option)
        for choice in map(_choice, page.choices)
        for option in choice["options"]
        if picked.get(choice["variation_id"]) == option["option_id"]
    ]
    return html_response(
        200,
        "thanks.html",
        gift=claim_json(page),
        items=_items(page),
        name=recipient.name,
        picked=names,
        address=address_lines(recipient.address),
    )


def claim_json(page: ClaimPage) -> dict[str, Any]:
    """The content of the page as JSON, for programs (B52)."""
    return {
        "status": page.status,
        "gift_sender": page.gift_sender,
        "message": page.message,
        "items": [{"name": item.name, "quantity": item.quantity} for item in page.items],
        "choices": [
            {
                "variation_id": choice.variation_id,
                "name": choice.name,
                "item": choice.product,
                "options": [{"option_id": option.id, "name": option.name} for option in choice.options],
            }
            for choice in page.choices
        ],
        "countries": list(page.countries),
        "expires_at": instant_or_null(page.expires_at_ms),
        "shared": page.shared,
    }


def _items(page: ClaimPage) -> list[dict[str, Any]]:
    return [{"name": item.name, "quantity": item.quantity, "picture": picture_of(item.name)} for item in page.items]


def _choice(choice: Choice) -> dict[str, Any]:
    """A choice with a picture of each option, if all of them have one."""
    is_menu = choice.variation_id == MENU_VARIATION_ID
    pictures = [
        picture_of(option.name) if is_menu else picture_of_option(option.name, choice.product)
        for option in choice.options
    ]
    return {
        "variation_id": choice.variation_id,
        "name": choice.name,
        "item": choice.product,
        "is_menu": is_menu,
        "pictured": all(pictures),
        "options": [
            {"option_id": option.id, "name": option.name, "picture": picture if all(pictures) else None}
            for option, picture in zip(choice.options, pictures, strict=True)
        ],
    }


def _hidden(given: Mapping[str, str], rows: list[list[Any]]) -> dict[str, str]:
    """What was entered in fields of an address that the form does not show now, so that it is not lost."""
    shown = {field.name for row in rows for field in row}
    kept = ("address.address1", "address.city", "address.zip")
    return {name: given[name] for name in kept if name not in shown and given.get(name)}
