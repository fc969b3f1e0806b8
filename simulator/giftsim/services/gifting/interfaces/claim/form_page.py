"""The claim page in HTML: the form with what was entered, and the page after the claim. The same content as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, cast

from flask import Response, request

from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.pages.errors import ErrorWords, Way
from giftsim.engine.pages.responses import html_response
from giftsim.services.gifting.domain.fulfilment.address import COUNTRIES, Address
from giftsim.services.gifting.domain.fulfilment.claim import ClaimPage
from giftsim.services.gifting.domain.fulfilment.offer import MENU_VARIATION_ID, Choice
from giftsim.services.gifting.domain.fulfilment.order_errors import InvalidClaim
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.interfaces.claim.form_fields import (
    CHOOSE_COUNTRY,
    ROWS,
    address_labels,
    address_rows,
    misplaced_state,
    shown_again,
)
from giftsim.services.gifting.interfaces.claim.pictures import picture_of, picture_of_option

# Labels in errors for members of an address without a field in the form.
OTHER_NAMES: Final[Mapping[str, str]] = {"address.city": "City", "address.state": "State", "address.zip": "Postcode"}


def chosen_country(page: ClaimPage, given: Mapping[str, str]) -> str | None:
    """The country whose form is shown: the one that was chosen, or the only one that the gift can go to."""
    if len(page.countries) == 1:
        return page.countries[0]
    country = given.get("address.country")
    return country if country in page.countries else None


def country_name(code: str) -> str:
    """The name of a country as it is in a list: without an article."""
    return COUNTRIES[code].name.removeprefix("the ")


def labels(page: ClaimPage, country: str | None) -> dict[str, str]:
    """The label of each field from top to bottom, in the words of the country of the address."""
    return {
        **{f"selection.{choice.variation_id}": choice.name for choice in page.choices},
        "name": "Your name",
        "email": "Your email",
        "address.country": "Country",
        **(address_labels(country) if country else {}),
    }


def sentences(page: ClaimPage, given: Mapping[str, str], errors: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The errors of a claim by field, in the words of the form: `Street is missing`."""
    shown = labels(page, chosen_country(page, given))
    names = {
        **shown,
        "address.address1": "Street",
        **{name: OTHER_NAMES[name] for name in OTHER_NAMES if name not in shown},
    }
    found = {error["field"]: error["message"] for error in errors}
    if chosen_country(page, given) is None:  # the form shows no other field of the address
        found = {field: message for field, message in found.items() if not field.startswith("address.")}
        found["address.country"] = f"this gift goes to {_listed(map(country_name, page.countries))} only"
    said = {field: _sentence(field, names.get(field, field), given, found[field]) for field in _in_order(names, found)}
    return {**said, **{field: text for field, text in _nothing_left(page).items() if field in said}}


def _nothing_left(page: ClaimPage) -> dict[str, str]:
    """What to do about choices of which every option is off sale, by field."""
    empty = [choice for choice in page.choices if not choice.options]
    return {f"selection.{choice.variation_id}": f"No {choice.name.lower()} is left. {ASK_SENDER}." for choice in empty}


def address_lines(address: Address | None) -> list[str]:
    """An address as it is read, line by line."""
    if address is None:
        return []
    members = (member for row in ROWS[address.country] for member, _ in row)
    order = [member for member in members if member != "address1"]
    parts = {member: getattr(address, member) for member in (*order, "state")}
    place = " ".join(part for part in parts.values() if part)
    return [address.address1, place, country_name(address.country)]


def day_and_time(at_ms: int | None) -> str | None:
    """An instant for people, like `3 February 2027, 09:00 UTC`."""
    if at_ms is None:
        return None
    at = datetime.fromisoformat(format_instant(at_ms))
    return f"{at.day} {at:%B} {at.year}, {at:%H:%M} UTC"


def _sentence(field: str, label: str, given: Mapping[str, str], message: str) -> str:
    """One error: the label replaces the name of the member, with which a message of the domain begins."""
    if not given.get(field, "").strip():
        return f"{label} is missing"
    member = field.rpartition(".")[2]
    text = f"{label}{message.removeprefix(member)}" if message.startswith(f"{member} ") else message
    return f"{text[:1].upper()}{text[1:]}"


def _listed(names: Iterable[str]) -> str:
    """Names in a sentence: `Canada, Germany and Spain`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _in_order(names: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """The fields with errors: those of the form from top to bottom, then others."""
    return [field for field in names if field in found] + [field for field in found if field not in names]


ASK_SENDER = "Ask the person who sent you the gift"
TRY_AGAIN = "Try again"

WAYS: Final[Mapping[str, Way]] = {
    "claim_used": Way(
        "This gift was claimed already",
        "If that was you, all is done. If it was not, or if the address is wrong, write to the person who sent you "
        "the link.",
    ),
    "claim_expired": Way("This link has expired", f"{ASK_SENDER} for a new link."),
    "claim_canceled": Way("This gift was canceled", f"{ASK_SENDER} if you think that this is a mistake."),
    "claim_unpaid": Way(
        "This gift is not ready yet", f"It can be claimed as soon as it is paid. {TRY_AGAIN} later.", TRY_AGAIN
    ),
    "claim_exhausted": Way("Every gift of this link is taken", f"{ASK_SENDER} for another link."),
    "claim_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
    "world_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
    "foreign_origin": Way(
        "This did not come from the gift's own page",
        "Open the page of the gift and enter your address there.",
        "Open the page",
    ),
    "method_not_allowed": Way("This page can only be read and filled in", "Open it and go on.", "Open the page"),
}

OTHER: Final = Way("This does not work", "Nothing was changed. Go back to the page and try it once more.", TRY_AGAIN)

CLAIM_WORDS: Final = ErrorWords("/claim/", WAYS, OTHER)


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
        ask_sender=ASK_SENDER,
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
    """A choice with a picture of each option, if all of them have one; those that are off sale come last."""
    is_menu, options = choice.variation_id == MENU_VARIATION_ID, (*choice.options, *choice.gone)
    pictures = [
        picture_of(option.name) if is_menu else picture_of_option(option.name, choice.product) for option in options
    ]
    return {
        "variation_id": choice.variation_id,
        "name": choice.name,
        "item": choice.product,
        "is_menu": is_menu,
        "pictured": all(pictures),
        "options": [
            {
                "option_id": option.id,
                "name": option.name,
                "picture": picture if all(pictures) else None,
                "gone": option in choice.gone,
            }
            for option, picture in zip(options, pictures, strict=True)
        ],
    }


def _hidden(given: Mapping[str, str], rows: list[list[Any]]) -> dict[str, str]:
    """What was entered in fields of an address that the form does not show now, so that it is not lost."""
    shown = {field.name for row in rows for field in row}
    kept = ("address.address1", "address.city", "address.zip")
    return {name: given[name] for name in kept if name not in shown and given.get(name)}
