"""The claim page as a browser shows it: form fields, options, errors and text."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from giftsim.gateway.in_process_client import Response
from tests.support.api_clients import PartnerClient
from tests.support.orders import claim_tokens
from tests.support.responses import created
from tests.support.worlds import World


class ClaimForm(HTMLParser):
    """The parsed page: `fields` with their values, `options` of the selects, visible `errors` and `text`.

    `invalid` are the fields marked as such, `labels` the fields with a label, `tags` all start tags in order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.options: dict[str, dict[str, str]] = {}
        self.errors: list[str] = []
        self.invalid: list[str] = []
        self.labels: list[str] = []
        self.text = ""
        self.tags: list[str] = []
        self._select, self._option, self._chosen, self._error = "", "", False, False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self._error = attributes.get("class") == "error"
        if attributes.get("aria-invalid") == "true":
            self.invalid.append(attributes["name"])
        if tag == "input":
            self.fields[attributes["name"]] = attributes.get("value", "")
        elif tag == "select":
            self._select, self.options[attributes["name"]] = attributes["name"], {}
        elif tag == "option":
            self._option, self._chosen = attributes.get("value", "?"), "selected" in attributes
        elif tag == "label":
            self.labels.append(attributes["for"])

    def handle_data(self, data: str) -> None:
        text = data.strip()
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


def submit_form(world: World, token: str, fields: dict[str, str], **headers: str) -> Response:
    """Send the form as a browser does."""
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", **headers}
    return world.client.call("POST", f"/claim/{world.id}/{token}", body=urlencode(fields), headers=sent)


def parse_claim_form(answer: Response, status: int = 200) -> ClaimForm:
    """The page, which must be HTML with that status."""
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return ClaimForm(answer.text)
