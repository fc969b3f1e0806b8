"""The claim page as a browser shows it: form fields, options, errors and text."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin

from giftsim.engine.client.response import Response
from tests.support.api_clients import PartnerClient
from tests.support.orders import claim_tokens
from tests.support.responses import created
from tests.support.worlds import World


class ClaimForm(HTMLParser):
    """The parsed page: `fields` with their values, `options` of lists and of choices, visible `errors` and `text`.

    `invalid` are the fields marked as such, `labels` what has a label, by id, `tags` all start tags in order,
    `countries` the buttons that show the form of a country.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.options: dict[str, dict[str, str]] = {}
        self.errors: list[str] = []
        self.invalid: list[str] = []
        self.labels: list[str] = []
        self.countries: dict[str, str] = {}
        self._radios: dict[str, tuple[str, str]] = {}
        self.text = ""
        self.tags: list[str] = []
        self._select, self._option, self._country, self._chosen, self._error = "", "", "", False, False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self._error = attributes.get("class") == "error"
        if attributes.get("aria-invalid") == "true":
            self.invalid.append(attributes["name"])
        if tag == "input" and attributes["type"] == "radio":
            self._add_radio(attributes)
        elif tag == "input":
            self.fields[attributes["name"]] = attributes.get("value", "")
        elif tag == "select":
            self._select, self.options[attributes["name"]] = attributes["name"], {}
        elif tag == "option":
            self._option, self._chosen = attributes.get("value", "?"), "selected" in attributes
        elif tag == "label":
            self.labels.append(attributes["for"])
        elif attributes.get("name") == "choose_country":
            self._country = attributes["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("label", "button"):
            self._country = ""

    def _add_radio(self, attributes: dict[str, str]) -> None:
        name, value = attributes["name"], attributes["value"]
        self._radios[attributes["id"]] = name, value
        self.options.setdefault(name, {})[value] = ""
        self.fields.setdefault(name, "")
        if "checked" in attributes:
            self.fields[name] = value

    def handle_data(self, data: str) -> None:
        text = data.strip()
        if text and self._country:
            self.countries[self._country] = text
        if text and self.labels and self.labels[-1] in self._radios:
            name, value = self._radios.pop(self.labels[-1])
            self.options[name][value] = text
        if self._error and text:
            self.errors.append(text)
            self._error = False
        if self.tags[-1:] == ["option"] and text:
            value = text if self._option == "?" else self._option
            self.options[self._select][value] = text
            if self._chosen or self._select not in self.fields:
                self.fields[self._select] = value
        if self.tags[-1:] not in (["style"], ["title"]):
            self.text += data


def order_by_link(partner: PartnerClient, **members: Any) -> tuple[Any, str]:
    """An order by link, and the token of its first recipient."""
    order = created(partner.create_order(return_claim_links=True, **members))
    return order, claim_tokens(order)[0]


def open_page(world: World, token: str) -> Response:
    """Open the page as a browser does."""
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    return world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": accept})


def choose_country(world: World, token: str, country: str, **fields: str) -> Response:
    """Press the button of a country in a form with these fields."""
    return submit_form(world, token, {"choose_country": country, **fields})


def submit_form(world: World, token: str, fields: dict[str, str], **headers: str) -> Response:
    """Send the form and follow a redirect, as a browser does; the last response."""
    answer = post_form(world, token, fields, **headers)
    if answer.status != 303:
        return answer
    path = urljoin(f"/claim/{world.id}/{token}", answer.headers["location"])
    return world.client.call("GET", path, headers={"Accept": "text/html"})


def post_form(world: World, token: str, fields: dict[str, str], **headers: str) -> Response:
    """Send the form; the response, which may be a redirect."""
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", **headers}
    return world.client.call("POST", f"/claim/{world.id}/{token}", body=urlencode(fields), headers=sent)


def parse_claim_form(answer: Response, status: int = 200) -> ClaimForm:
    """The page, which must be HTML with that status."""
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return ClaimForm(answer.text)
