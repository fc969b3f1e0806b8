"""Approvals given and proofs signed in the inbox, and a claim page opened from a mail, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_order, reload, request_approval
from tests.support.team.proofs import add_version, create_branded_order, list_proofs
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.mark.parametrize("size", [(1280, 900), PHONE], ids=["desktop", "phone"])
def test_an_order_is_approved_and_its_proofs_are_signed(world: World, page: Page, size: tuple[int, int]) -> None:
    team = TeamClients(world)
    order = create_branded_order(team.live)
    proofs = list_proofs(team.live, order)
    for proof in proofs:
        add_version(team.live, proof["id"], notes=HOSTILE)
    request_approval(team.live, order, note=HOSTILE)

    page.goto(f"/w/{world.id}/inbox")
    for proof in proofs:
        card = page.locator(f"#proof-{proof['id']}")
        assert HOSTILE in card.inner_text()
        card.get_by_role("button", name="Approve proof").click()
        page.get_by_role("status").get_by_text("is ready to sign").wait_for()
        card.get_by_role("button", name="Sign", exact=True).click()
        page.get_by_role("status").get_by_text("is signed").wait_for()
    approval = page.get_by_role("article").filter(has_text=f"team order {order['id']}")
    approval.get_by_placeholder("Note, if you like").fill("Within the budget")
    approval.get_by_role("button", name="Approve").click()
    page.get_by_text("Nothing waits").wait_for()
    assert f"team order {order['id']} is approved" in page.get_by_role("status").inner_text()

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
    page.get_by_text("Nothing waits").wait_for()
    assert reload(team.live, order)["status"] == "rejected"
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Reject").wait_for()
    assert reload(team.live, order)["status"] == "awaiting_approval"


def test_the_claim_page_is_opened_from_a_mail(world: World, page: Page) -> None:
    world.partner().create_order(gift_sender=HOSTILE)
    page.goto(f"/w/{world.id}/inbox")
    page.get_by_role("link", name="Mail").click()
    page.get_by_role("link", name=f"{HOSTILE} has a gift for you").click()
    assert page.get_by_role("heading", level=1).inner_text() == f"{HOSTILE} has a gift for you"
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open the claim page").click()
    claim = popup.value
    claim.wait_for_load_state()
    assert claim.url.partition("/claim/")[2].startswith(f"{world.id}/")
    assert claim.get_by_role("heading", level=1).count() == 1
    claim.close()
