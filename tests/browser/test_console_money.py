"""A charge that fails, a wallet that is funded, and the payment that then succeeds, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE
from tests.support.orders import order_body
from tests.support.responses import expect_error, expect_status
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_charge_is_broken_the_wallet_funded_and_the_order_paid(world: World, page: Page) -> None:
    app = world.partner("partner.no_funds")
    page.goto(f"/w/{world.id}/money")
    wallet = page.locator("#account-502")
    wallet.get_by_text("Card and limits").click()
    wallet.get_by_role("button", name="Declined card").click()
    assert "The card of account 502 is declined." in page.get_by_role("status").inner_text()
    expect_error(app.post("/team-orders", order_body()), 402, "card_charge_failed")

    page.get_by_role("link", name="Payments", exact=True).click()
    row = page.get_by_role("row", name="team order 1001")
    row.get_by_text("card_charge_failed").wait_for()
    assert "failed" in row.inner_text()

    page.get_by_role("link", name="Wallets and limits").click()
    wallet.get_by_label("Dollars to add to account 502").fill("100")
    wallet.get_by_role("button", name="Fund", exact=True).click()
    assert "The wallet of account 502 has $100.00." in page.get_by_role("status").inner_text()
    expect_status(app.post("/team-orders", order_body()), 201)

    page.goto(f"/w/{world.id}/money")
    assert "$74.00" in wallet.inner_text()
    page.get_by_role("link", name="Ledger").click()
    rows = page.locator("tbody tr").all_inner_texts()
    assert ("charge" in rows[0], "wallet 502" in rows[0], "order 1001" in rows[0]) == (True, True, True)
    assert ("adjustment" in rows[1], "outside" in rows[1], "$100.00" in rows[1]) == (True, True, True)
    assert page.get_by_role("link", name="team order 1001").get_attribute("href") == f"/w/{world.id}/orders/order/1001"


@pytest.mark.parametrize("size", [PHONE], ids=["phone"])
@pytest.mark.parametrize(
    "path",
    [
        "money",
        "money?view=payments",
        "money?view=ledger",
        "people",
        "catalogue",
        "museum",
        "inbox?box=mail",
        "inbox?box=approvals",
        "inbox?box=proofs",
    ],
)
def test_on_a_phone_no_page_scrolls_sideways(world: World, page: Page, size: tuple[int, int], path: str) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/{path}")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
