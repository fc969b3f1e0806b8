"""The inbox: mail as text, and approvals, proofs and previews that are decided from it."""

from __future__ import annotations

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import email_recipients
from tests.support.team.artwork import create_artwork, create_preview, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift, create_order, request_approval
from tests.support.team.proofs import add_version, create_branded_order, first_proof
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def shows_as_text(console: Console, text: str = HOSTILE) -> bool:
    """Whether the page shows a hostile text as it is written, with nothing of it as an element."""
    return text in console.page.text and "<script>alert" not in console.response.text


def test_an_empty_box_says_why_and_offers_a_gift_to_approve(console: Console, world: World) -> None:
    page = console.open("inbox")
    assert (console.status, page.heading, page.title) == (200, "Inbox", "Inbox – giftsim")
    assert "No mail yet" in page.text
    page = console.open("inbox/approvals")
    assert f"GIFTSIM_KEY=ptk_live_{world.id}_requester" in page.text
    assert "/api/teams/v1/gifts" in page.text
    console.press("Prepare a gift that needs approval")
    (approval,) = world.rows("approvals")
    assert "A gift waits for approval in the inbox." in console.page.text
    assert approval["status"] == "pending"
    links = [href for text, href in console.page.links if text.endswith(f"#{approval['resource_id']}")]
    assert links[0] == f"/w/{world.id}/orders/gift/{approval['resource_id']}"
    assert "To decide 1" in console.open("inbox").text


@pytest.mark.parametrize(
    ("path", "button", "view"),
    [
        ("inbox/approvals", "Prepare a gift that needs approval", "approvals"),
        ("inbox/proofs", "Order something with custom artwork", "proofs"),
        ("inbox/previews", "Render a preview", "previews"),
        ("inbox", "Send a gift to Bo", "mail"),
        ("money?view=invoices", "Ask for a deposit invoice", "invoices"),
        ("money?view=certificates", "Register a tax certificate", "certificates"),
        ("money?view=payments", "Send a gift to Bo", "payments"),
        ("people/recipients", "Send a gift to Bo", "recipients"),
    ],
)
def test_an_empty_list_offers_a_call_that_fills_it(
    console: Console, world: World, path: str, button: str, view: str
) -> None:
    page = console.open(path)
    assert (console.status, world.rows(view)) == (200, [])
    assert "curl -s -X POST" in page.text
    page = console.press(button)
    assert (console.status, len(world.rows(view)) > 0) == (200, True)
    assert not page.has_button(button)
    console.press("Undo")
    assert world.rows(view) == []


def test_an_example_that_the_world_cannot_make_is_said(console: Console, world: World) -> None:
    bare = World(world.simulator, fixture="bare")
    console.world = bare.id
    console.open("inbox/approvals")
    page = console.press("Prepare a gift that needs approval")
    assert (page.heading, bare.rows("approvals")) == ("Approvals", [])
    assert "422" in page.text
    console._go("POST", f"/w/{bare.id}/examples/none", "")
    assert console.status == 404


def test_an_approval_is_given_with_a_note_and_taken_back(console: Console, team: TeamClients) -> None:
    create_gift(team.live)
    console.open("inbox")
    page = console.press("Approve", note=HOSTILE)
    (approval,) = team.world.rows("approvals")
    assert (approval["status"], approval["decision_note"]) == ("approved", HOSTILE)
    assert f"Approval {approval['id']} of Guest 0’s stoneware mug and 2 more is approved." in page.text
    assert "To decide" not in page.text
    console.open("inbox/approvals")
    assert shows_as_text(console)
    console.press("Undo")
    assert team.world.rows("approvals")[0]["status"] == "pending"


def test_an_approval_at_an_old_price_says_that_it_pays_nothing(console: Console, team: TeamClients) -> None:
    order = create_order(team.live)
    approval = request_approval(team.live, order)
    before = team.live.get_json("/billing/balance")
    assert "pays nothing" not in console.open("inbox").text
    team.world.simulate("price", product="mug-01", price_cents=2000)
    page = console.open("inbox")
    assert "$92.00" in page.text
    assert "The price has changed since: approving this pays nothing." in page.text
    page = console.press("Approve")
    assert (
        f"Approval {approval['id']} of Stoneware mug and 2 more for Guest 0 and 1 other is approved. Nothing"
        in page.text
    )
    assert team.live.get_json("/billing/balance") == before


def test_the_page_of_an_order_decides_the_approval_that_it_shows(console: Console, team: TeamClients) -> None:
    order = create_order(team.live)
    approval = request_approval(team.live, order)
    team.world.simulate("price", product="mug-01", price_cents=2000)
    console.open(f"orders/order/{order['id']}")
    console.press("Reject")
    (row,) = team.world.rows("approvals")
    assert (row["id"], row["status"], row["amount_cents"]) == (approval["id"], "rejected", approval["amount_cents"])


def test_an_approval_is_rejected(console: Console, team: TeamClients) -> None:
    order = create_order(team.live)
    request_approval(team.live, order, note=HOSTILE)
    console.open("inbox")
    assert shows_as_text(console)
    approval = team.world.rows("approvals")[0]
    form = console.page.form("Reject")
    console.submit(form, {"name": "decision", "value": "reject"})
    assert team.world.call_control("GET", f"/approvals/{approval['id']}")["status"] == "rejected"


def test_a_gift_that_cannot_be_paid_is_not_approved_and_the_page_says_why(console: Console, team: TeamClients) -> None:
    create_gift(team.live)
    team.world.simulate("team", balance_cents=0, credit={"status": "suspended"})
    console.open("inbox")
    page = console.press("Approve")
    assert "the payment of 4600 cents is above the 0 available" in page.text
    assert team.world.rows("approvals")[0]["status"] == "pending"
    assert page.form("Undo").fields["label"] == "Set the switches, plan and money of a team"


def test_a_proof_is_approved_and_signed(console: Console, team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item, notes=HOSTILE, artwork_id=create_artwork(team.live, name=HOSTILE)["id"])
    console.open("inbox")
    assert shows_as_text(console)
    console.press("Approve proof", note="Fine")
    assert "is ready to sign" in console.page.text
    page = console.press("Sign")
    assert "is signed" in page.text
    proof = team.world.call_control("GET", f"/proofs/{item}")
    assert (proof["status"], proof["signed_by"], proof["review"]["note"]) == ("signed", "approver", "Fine")


def test_changes_of_a_proof_are_asked_for(console: Console, team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    console.open("inbox/proofs?q=status:in_review")
    form = console.page.form("Ask for changes")
    console.submit(form, {"name": "decision", "value": "request_changes"}, note=HOSTILE)
    assert team.world.call_control("GET", f"/proofs/{item}")["status"] == "changes_requested"
    console.open("inbox/proofs?q=status:changes_requested")
    assert shows_as_text(console)
    assert "Waits for a new version" in console.page.text


def test_a_preview_is_finished_or_fails(console: Console, team: TeamClients) -> None:
    artwork = create_artwork(team.live, name=HOSTILE)
    ready = team.live.post_json("/artwork/previews", mug_preview_body(artwork["id"]), 202)["id"]
    console.open("inbox")
    assert shows_as_text(console)
    console.press("Finish it now")
    failed = create_preview(team.test)["id"]
    console.open("inbox/previews")
    form = console.page.form("Let it fail")
    console.submit(form, {"name": "outcome", "value": "failed"})
    statuses = {row["preview_id"]: row["status"] for row in team.world.rows("previews")}
    assert statuses == {ready: "ready", failed: "failed"}
    image = console.open("inbox/previews?q=status:ready").link("Open the image")
    assert console.client.call("GET", image).headers["content-type"] == "image/png"


def test_a_decision_that_is_refused_is_said_and_not_kept(console: Console, team: TeamClients) -> None:
    create_gift(team.live)
    console.open("inbox")
    form = console.page.form("Approve")
    console.submit(form, {"name": "decision", "value": "approve"})
    console.submit(form, {"name": "decision", "value": "approve"})
    assert "Approve approval" in console.page.text
    assert "approved" in console.page.text
    console.submit(form, {"name": "decision", "value": "burn"})
    assert "decision" in console.page.text
    assert console.status == 200


def test_mail_is_listed_newest_first_and_searched(console: Console, partner: PartnerClient, world: World) -> None:
    partner.create_order(recipients=email_recipients(3), gift_sender=HOSTILE)
    console.open("inbox")
    assert shows_as_text(console)
    tos = [mail["to"] for mail in world.mail()]
    assert sorted(tos, key=console.page.text.index) == tos[::-1]
    console.open(f"inbox?q=who:{tos[1]}")
    assert (tos[1] in console.page.text, tos[0] in console.page.text) == (True, False)
    assert "Nothing fits." in console.open("inbox?q=nobody").text


def test_mail_is_paged(console: Console, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(60))
    console.open("inbox")
    first = console.page.text
    second = console.follow("Older").text
    assert "Newest" in second
    assert first != second


def test_a_mail_is_text_with_a_link_to_the_claim_page_alone(
    console: Console, world: World, partner: PartnerClient
) -> None:
    evil = f"{HOSTILE} https://evil.example/claim"
    partner.create_order(recipients=email_recipients(1), gift_sender=evil)
    (mail,) = world.mail()
    page = console.open("inbox/mail/1")
    assert shows_as_text(console, evil)
    assert page.heading == mail["subject"]
    path = mail["links"][0].partition("//")[2].partition("/")[2]
    outside = [link for _, link in page.links if link.startswith("http")]
    assert (page.link("Open the claim page"), outside) == (f"/{path}", [])
    assert console.client.call("GET", f"/{path}").status == 200
    assert page.link("Person 0’s stoneware mug #1001") == f"/w/{world.id}/orders/order/1001"
    assert {link for _, link in console.open("inbox/mail/1/letter").links} == {f"/{path}"}


def test_a_mail_that_is_not_there_is_a_page_that_says_so(console: Console) -> None:
    assert "There is no mail 7" in console.open("inbox/mail/7").text
    assert console.status == 404


def test_a_search_of_one_box_is_not_taken_to_another(console: Console) -> None:
    page = console.open("inbox/approvals?q=status:superseded")
    boxes = [href for text, href in page.links if text in ("Mail", "Approvals", "Proofs", "Previews")]
    assert len(boxes) == 4
    for box in boxes:
        console.open(box)
        assert (console.status, "q=" in console.path) == (200, False), box
