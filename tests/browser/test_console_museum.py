"""A museum ticket bought in a browser, whose QR code a camera can read, on a light and on a dark page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

import pytest
import zxingcpp
from PIL import Image

from tests.support.museum import MuseumClient
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def scanned(page: Page) -> str:
    """What a camera reads in the QR code on the page."""
    picture = page.get_by_role("img", name="QR code").screenshot()
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    return str(code.text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_ticket_is_bought_and_its_qr_code_is_read(world: World, page: Page, scheme: Literal["light", "dark"]) -> None:
    event = MuseumClient(world).create_event(name="Night of the whales", dates=["2027-01-08"])
    page.emulate_media(color_scheme=scheme)
    page.goto(f"/w/{world.id}/museum?month=2027-01")
    page.get_by_role("region", name="Calendar").get_by_role("link", name="Night of the whales").click()
    assert page.get_by_label("For").input_value() == event["eventId"]
    assert page.get_by_label("Day").input_value() == "2027-01-08"
    page.locator("#buy-curl summary").click()
    assert "/v1.1/tickets" in page.locator("#buy-curl pre").inner_text()
    page.get_by_role("button", name="Buy the ticket").click()
    page.get_by_role("heading", level=1, name="Ticket for Night of the whales").wait_for()
    (ticket,) = world.call_control("GET", "/museum/tickets")["tickets"]
    assert scanned(page) == ticket["qr_text"] == f"museum-ticket:{ticket['ticket_id']}:{ticket['confirmation_code']}"
    page.get_by_role("link", name="Museum").first.click()
    page.get_by_role("link", name=ticket["confirmation_code"]).wait_for()
