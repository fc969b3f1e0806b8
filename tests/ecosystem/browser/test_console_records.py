"""Two forks compared in the console, in a browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

import pytest
import zxingcpp
from PIL import Image

from tests.support.axe import findings_in_both_schemes
from tests.support.browser import PHONE
from tests.support.museum import MuseumClient
from tests.support.orders import order_body
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_order, reload, request_approval
from tests.support.team.proofs import add_version, create_branded_order, list_proofs
from tests.support.worlds import ExistingWorld, World

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_two_forks_are_compared_and_one_is_opened(page: Page, world: World) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/compare")
    page.get_by_role("button", name="Fork and compare now").click()
    page.get_by_text("Nothing differs").wait_for()
    fork = ExistingWorld(world.simulator, page.url.partition("with=")[2])
    fork.simulate("claim", team_order_id=1001, recipient=0)
    world.partner().create_order(idempotency_key="more")
    page.reload()
    main = page.get_by_role("main")
    assert f"team_order.claimed Bo’s stoneware mug only in {fork.id}" in main.inner_text()
    assert f"What the ledger moved: 1 entry only in {world.id}, 0 entries only in {fork.id}" in main.inner_text()
    assert findings_in_both_schemes(page) == []
    page.get_by_role("link", name="parcel 2").click()
    row = page.locator("#diff-parcel-500001-changed")
    assert "awaiting" in row.inner_text()
    page.get_by_role("link", name=f"Open {fork.id}", exact=True).click()
    page.wait_for_url(f"**/w/{fork.id}/")
    page.go_back()
    page.get_by_role("link", name="Look from there").click()
    page.wait_for_url(f"**/w/{fork.id}/compare?with={world.id}*")
    page.goto("about:blank")  # its page follows the world
    fork.call_control("DELETE", "")


HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.mark.parametrize("size", [(1280, 900), PHONE], ids=["desktop", "phone"])
def test_an_order_is_approved_and_its_proofs_are_signed(world: World, page: Page, size: tuple[int, int]) -> None:
    team = TeamClients(world)
    order = create_branded_order(team.live)
    proofs = list_proofs(team.live, order)
    for proof in proofs:
        add_version(team.live, proof["id"], notes=HOSTILE)
    request_approval(team.live, order, note=HOSTILE)

    for proof in proofs:
        page.goto(f"/w/{world.id}/inbox")
        page.locator("#list").get_by_role("link").filter(has_text=f"#{proof['id']}").click()
        card = page.locator(f"#proof-{proof['id']}")
        assert HOSTILE in card.inner_text()
        card.get_by_role("button", name="Approve proof").click()
        page.get_by_role("status").get_by_text("is ready to sign").wait_for()
        card.get_by_role("button", name="Sign", exact=True).click()
        page.get_by_role("status").get_by_text("is signed").wait_for()
    page.goto(f"/w/{world.id}/inbox")
    (asked,) = world.rows("approvals")
    page.locator("#list").get_by_role("link").filter(has_text=f"#{asked['id']}").click()
    approval = page.locator(f"#approval-{asked['id']}")
    assert HOSTILE in approval.inner_text()
    approval.get_by_placeholder("Note, if you like").fill("Within the budget")
    approval.get_by_role("button", name="Approve").click()
    page.get_by_role("status").get_by_text("Branded mug and 2 more is approved").wait_for()

    assert [proof["status"] for proof in list_proofs(team.live, order)] == ["signed"] * len(proofs)
    assert reload(team.live, order)["payment_status"] == "paid"
    assert world.rows("approvals")[0]["decision_note"] == "Within the budget"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_an_order_that_is_rejected_is_not_paid_and_it_is_taken_back(world: World, page: Page) -> None:
    team = TeamClients(world)
    order = create_order(team.live)
    request_approval(team.live, order)
    page.goto(f"/w/{world.id}/inbox")
    page.get_by_role("button", name="Reject").click()
    page.get_by_role("status").get_by_text("is rejected").wait_for()
    page.get_by_role("button", name="Reject").wait_for(state="detached")
    assert "rejected" in page.get_by_role("article").inner_text()
    assert reload(team.live, order)["status"] == "rejected"
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Reject").wait_for()
    assert reload(team.live, order)["status"] == "awaiting_approval"


def test_the_claim_page_is_opened_from_a_mail(world: World, page: Page) -> None:
    world.partner().create_order(gift_sender=HOSTILE)
    page.goto(f"/w/{world.id}/inbox")
    page.get_by_role("link", name="Mail").click()
    page.get_by_role("link", name=f"{HOSTILE} has a gift for you").click()
    page.wait_for_url("**/inbox/mail/1")
    assert page.locator("#detail").get_by_role("heading", level=1).inner_text() == f"{HOSTILE} has a gift for you"
    page.get_by_role("link", name="Open the claim page").click()
    page.frame_locator("#panel iframe").get_by_role("heading", name="has a gift for you").wait_for()
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open in a tab").click()
    claim = popup.value
    claim.wait_for_load_state()
    assert claim.url.partition("/claim/")[2].startswith(f"{world.id}/")
    assert claim.get_by_role("heading", level=1).count() == 1
    claim.close()


def test_a_charge_is_broken_the_wallet_funded_and_the_order_paid(world: World, page: Page) -> None:
    app = world.partner("partner.no_funds")
    page.goto(f"/w/{world.id}/money")
    wallet = page.locator("#account-502")
    wallet.get_by_text("Card and limits").click()
    wallet.get_by_role("button", name="Declined card").click()
    assert "The card of account 502 is declined." in page.get_by_role("status").inner_text()
    expect_error(app.post("/team-orders", order_body()), 402, "card_charge_failed")

    page.get_by_role("link", name="Payments", exact=True).click()
    row = page.get_by_role("row").filter(has=page.locator(f'a[href="/w/{world.id}/orders/order/1001"]'))
    row.get_by_title("card_charge_failed").wait_for()
    assert "failed" in row.inner_text()

    page.get_by_role("link", name="Wallets and limits").click()
    wallet.get_by_label("Dollars to add to").fill("100")
    wallet.get_by_role("button", name="Fund", exact=True).click()
    assert "The wallet of account 502 has $100.00." in page.get_by_role("status").inner_text()
    expect_status(app.post("/team-orders", order_body()), 201)

    page.goto(f"/w/{world.id}/money")
    assert "$74.00" in wallet.inner_text()
    page.get_by_role("link", name="Ledger").click()
    rows = page.locator("tbody tr").all_inner_texts()
    assert ("Charge" in rows[0], "wallet of no_funds" in rows[0], "order 1001" in rows[0]) == (True, True, True)
    assert ("Adjustment" in rows[1], "outside" in rows[1], "$100.00" in rows[1]) == (True, True, True)
    link = page.locator("tbody tr").first.get_by_role("link")
    assert link.get_attribute("href") == f"/w/{world.id}/orders/order/1001"


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
        "inbox",
        "inbox/approvals",
        "inbox/proofs",
        "calls",
        "calls/1",
    ],
)
def test_on_a_phone_no_page_scrolls_sideways(world: World, page: Page, size: tuple[int, int], path: str) -> None:
    world.partner().create_order()
    page.goto(f"/w/{world.id}/{path}")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


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
    bought = page.locator(f"#ticket-{ticket['ticket_id']}")
    bought.get_by_text(ticket["confirmation_code"]).wait_for()
    assert bought.get_by_role("link").inner_text() == "Night of the whales"
