"""Approvals, proofs and previews as lists and one by one, and the verb that decides a proof."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.services.gifting.domain.fulfilment.mail import MAX_MAILS
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.responses import expect_error
from tests.support.team.artwork import create_artwork, create_preview, mug_preview_body
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, cancel, create_gift, create_order, reject
from tests.support.team.proofs import add_version, create_branded_order, first_proof, list_proofs, review
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def listed(team: TeamClients, view: str, query: str = "") -> list[Any]:
    return list(team.world.call_control("GET", f"/{view}?{query}")[view])


def test_the_newest_approvals_come_first_by_status_with_counts(team: TeamClients) -> None:
    approve(team.world, create_gift(team.live))
    reject(team.world, create_gift(team.live))
    pending = create_gift(team.live)["approval_id"]
    newest = team.world.call_control("GET", "/approvals?order=newest&limit=1&counts=true")
    assert [row["id"] for row in newest["approvals"]] == [pending]
    assert newest["counts"] == {"pending": 1, "approved": 1, "rejected": 1, "canceled": 0, "superseded": 0}
    assert [row["id"] for row in listed(team, "approvals", "status=pending")] == [pending]
    assert team.world.call_control("GET", f"/approvals/{pending}") == newest["approvals"][0]
    expect_error(team.world.control.get(f"/worlds/{team.world.id}/approvals/7"), 404, "approval_not_found")


def test_proofs_of_all_teams_say_what_they_wait_for(team: TeamClients) -> None:
    order, test_order = create_branded_order(team.live), create_branded_order(team.test)
    create_order(team.live)
    proofs = listed(team, "proofs")
    expected = [(proof["id"], True) for proof in list_proofs(team.live, order)]
    expected += [(proof["id"], False) for proof in list_proofs(team.test, test_order)]
    assert [(row["proof_id"], row["livemode"]) for row in proofs] == expected
    first = proofs[0]
    assert first["about"] == {"kind": "team_order", "id": order["id"]}
    assert (first["status"], first["current_version"], first["versions"]) == ("awaiting_version", None, [])
    assert first["waits_for"].startswith(f"a first version: a key of the team calls POST /proofs/{first['proof_id']}/")
    assert [row["proof_id"] for row in listed(team, "proofs", "order=newest")] == [
        each for each, _ in reversed(expected)
    ]


def test_proofs_are_found_by_status_and_text_and_counted(team: TeamClients) -> None:
    proof = first_proof(team.live, create_branded_order(team.live))
    add_version(team.live, proof["id"], notes=HOSTILE)
    page = team.world.call_control("GET", "/proofs?status=in_review&counts=true")
    (found,) = page["proofs"]
    assert (found["proof_id"], found["versions"][0]["notes"]) == (proof["id"], HOSTILE)
    assert page["counts"]["in_review"] == 1
    assert page["counts"]["awaiting_version"] == len(listed(team, "proofs")) - 1
    assert [row["proof_id"] for row in listed(team, "proofs", f"q={proof['id']}")] == [proof["id"]]
    assert team.world.call_control("GET", f"/proofs/{proof['id']}") == found


def test_a_proof_is_approved_and_signed_by_the_verb(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    approved = team.world.simulate("proof", proof_id=item, decision="approve", note=HOSTILE)
    assert (approved["status"], approved["review"]["note"]) == ("ready_to_sign", HOSTILE)
    signed = team.world.simulate("proof", proof_id=item, decision="sign")
    assert (signed["status"], signed["signed_by"], signed["waits_for"]) == ("signed", "approver", None)
    assert signed["signed_at"] == team.world.now


def test_signing_approves_a_version_that_nobody_has_reviewed(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    signed = team.world.simulate("proof", proof_id=item, decision="sign", user="owner")
    assert (signed["status"], signed["signed_by"], signed["review"]["decision"]) == ("signed", "owner", "approve")


def test_a_proof_of_a_sandbox_is_signed_by_nobody(team: TeamClients) -> None:
    item = first_proof(team.test, create_branded_order(team.test))["id"]
    add_version(team.test, item)
    signed = team.world.simulate("proof", proof_id=item, decision="sign")
    assert (signed["status"], signed["signed_by"], signed["livemode"]) == ("signed", None, False)


def test_a_refused_version_waits_for_a_new_one(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    refused = team.world.simulate("proof", proof_id=item, decision="request_changes", note="Larger")
    assert (refused["status"], refused["waits_for"].split(":")[0]) == ("changes_requested", "a new version")


def test_a_proof_of_a_canceled_order_waits_for_nothing_and_is_not_decided(team: TeamClients) -> None:
    order = create_branded_order(team.live)
    item = first_proof(team.live, order)["id"]
    add_version(team.live, item)
    cancel(team.live, order)
    assert [row["waits_for"] for row in listed(team, "proofs")] == [None] * len(order["items"])
    for decision in ("approve", "request_changes", "sign"):
        body = {"proof_id": item, "decision": decision}
        refused = team.world.control.post(f"/worlds/{team.world.id}/simulate/proof", body)
        assert "canceled" in expect_error(refused, 409, "invalid_state")["message"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"decision": "sign"}, 409, "invalid_state"),
        ({"decision": "approve"}, 409, "invalid_state"),
        ({"proof_id": 7, "decision": "sign"}, 404, "proof_not_found"),
        ({"decision": "burn"}, 400, "invalid_body"),
    ],
)
def test_a_proof_that_cannot_be_decided_stays_as_it_is(
    team: TeamClients, body: dict[str, Any], status: int, code: str
) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    with team.world.assert_unchanged():
        expect_error(
            team.world.control.post(f"/worlds/{team.world.id}/simulate/proof", {"proof_id": item, **body}), status, code
        )
    assert listed(team, "proofs")[0]["status"] == "awaiting_version"


def test_only_an_approver_or_an_owner_signs(team: TeamClients) -> None:
    item = first_proof(team.live, create_branded_order(team.live))["id"]
    add_version(team.live, item)
    review(team.live, item)
    path = f"/worlds/{team.world.id}/simulate/proof"
    body = {"proof_id": item, "decision": "sign"}
    expect_error(team.world.control.post(path, {**body, "user": "member"}), 409, "invalid_state")
    expect_error(team.world.control.post(path, {**body, "user": "nobody"}), 404, "member_not_found")
    assert team.world.call_control("GET", f"/proofs/{item}")["status"] == "ready_to_sign"


def test_an_item_without_custom_artwork_has_no_proof(team: TeamClients) -> None:
    order = create_order(team.live)
    item = team.live.get_json(f"/team-orders/{order['id']}")["items"][0]["id"]
    expect_error(team.world.control.get(f"/worlds/{team.world.id}/proofs/{item}"), 404, "proof_not_found")


def test_previews_are_listed_with_their_artwork_until_they_are_ready(team: TeamClients) -> None:
    artwork = create_artwork(team.live, name=HOSTILE)
    preview = team.live.post_json("/artwork/previews", mug_preview_body(artwork["id"]), 202)
    create_preview(team.test)
    (live,) = [row for row in listed(team, "previews") if row["livemode"]]
    assert live["placements"] == [
        {"area": "front", "artwork_id": artwork["id"], "artwork": HOSTILE, "fit": "contain"}
    ]  # fmt: skip
    assert (live["preview_id"], live["product_id"], live["status"], live["image_url"]) == (
        preview["id"], 101, "pending", None,
    )  # fmt: skip
    assert "simulate/preview" in live["waits_for"]
    team.world.simulate("preview", preview_id=preview["id"], outcome="ready")
    ready = team.world.call_control("GET", f"/previews/{preview['id']}")
    assert (ready["status"], ready["waits_for"]) == ("ready", None)
    assert ready["image_url"] == team.live.get_json(f"/previews/{preview['id']}")["image_url"]
    page = team.world.call_control("GET", "/previews?order=newest&counts=true&status=pending")
    assert ([row["livemode"] for row in page["previews"]], page["counts"]) == (
        [False], {"pending": 1, "ready": 1, "failed": 0},
    )  # fmt: skip
    expect_error(team.world.control.get(f"/worlds/{team.world.id}/previews/7"), 404, "preview_not_found")


@pytest.fixture
def mailed(world: World, partner: PartnerClient) -> World:
    """A world with three mails of order 1001."""
    partner.create_order(recipients=email_recipients(3), gift_sender=HOSTILE)
    return world


def test_a_mail_has_a_text_with_its_link_and_says_what_it_is_about(mailed: World) -> None:
    mail = mailed.mail()[0]
    assert mail["text"].startswith(f"Hello,\n\n{HOSTILE} has a gift for you.\n\n")
    assert mail["links"][0] in mail["text"].split("\n")
    assert mail["about"] == {"kind": "team_order", "id": 1001}


def test_the_newest_mail_comes_first_and_is_searched(mailed: World) -> None:
    first = mailed.call_control("GET", "/mail?order=newest&limit=2")
    assert [mail["seq"] for mail in first["mail"]] == [3, 2]
    rest = mailed.call_control("GET", f"/mail?order=newest&limit=2&before={first['next']}")
    assert ([mail["seq"] for mail in rest["mail"]], rest["next"]) == ([1], None)
    third = first["mail"][0]["to"]
    assert mailed.call_control("GET", f"/mail?q={third.upper()}")["mail"] == first["mail"][:1]
    assert len(mailed.call_control("GET", "/mail?q=%3CSCRIPT")["mail"]) == 3


def test_one_mail_is_read_by_its_number(mailed: World) -> None:
    assert mailed.call_control("GET", "/mail/2") == mailed.mail()[1]
    expect_error(mailed.control.get(f"/worlds/{mailed.id}/mail/4"), 404, "mail_not_found")


def test_a_mail_whose_link_was_replaced_is_about_nothing(mailed: World) -> None:
    mailed.simulate("claim_link", team_order_id=1001, recipient=0)
    old, new = mailed.call_control("GET", "/mail/1"), mailed.mail()[-1]
    assert (old["about"], new["about"]) == (None, {"kind": "team_order", "id": 1001})
    assert old["links"] != new["links"]


def test_the_mail_of_a_shared_link_asks_to_pass_it_on(world: World) -> None:
    order = create_order(TeamClients(world).live, headcount=3)
    approve(world, order)
    (mail,) = [mail for mail in world.mail() if mail["kind"] == "shared_claim_link"]
    assert "Send this link to the people" in mail["text"]
    assert mail["about"] == {"kind": "team_order", "id": order["id"]}


def test_a_mail_that_was_dropped_is_said_to_be(world: World, partner: PartnerClient) -> None:
    world.change_account(wallet_cents=100_000_000)
    for n in range(MAX_MAILS // 100 + 1):
        partner.create_order(idempotency_key=str(n), recipients=email_recipients(100))
    error = expect_error(world.control.get(f"/worlds/{world.id}/mail/100"), 404, "mail_not_found")
    assert error["message"] == "mail 100 was dropped to make room"
    newest = world.call_control("GET", "/mail?order=newest&limit=1")["mail"]
    assert newest[0]["seq"] == MAX_MAILS + 100


def test_people_are_shown_with_the_mail_addresses_that_the_team_api_hides(team: TeamClients) -> None:
    team.live.post_json("/people", {"people": [{"work_email": "zoe@example.com", "first_name": HOSTILE}]}, 201)
    (zoe,) = team.world.call_control("GET", "/people?order=newest&limit=1")["people"]
    assert (zoe["work_email"], zoe["first_name"], zoe["display_name"], zoe["livemode"]) == (
        "zoe@example.com", HOSTILE, HOSTILE, True,
    )  # fmt: skip
    for text in ("ZOE@", "%3Cscript", str(zoe["id"])):
        assert team.world.call_control("GET", f"/people?q={text}")["people"] == [zoe]
    assert team.world.call_control("GET", "/people?q=nobody@")["people"] == []


def test_contacts_are_listed_by_provider_also_while_it_is_down(team: TeamClients) -> None:
    world = team.world
    world.simulate("crm", provider="salesforce", upsert={"id": "s-1", "name": HOSTILE, "email": "a@example.com"})
    world.simulate("crm", provider="hubspot", upsert={"id": "h-1", "name": "Bo", "email": "b@example.com"})
    world.simulate("crm", provider="hubspot", outage=True)
    newest = world.call_control("GET", "/contacts?order=newest&limit=2")["contacts"]
    assert [(row["id"], row["name"], row["available"]) for row in newest] == [
        ("h-1", "Bo", False),
        ("s-1", HOSTILE, True),
    ]
    assert world.call_control("GET", "/contacts?provider=hubspot&q=b@example")["contacts"] == newest[:1]


def test_recipients_say_what_they_get_a_gift_of(team: TeamClients, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1), open_seats=1)
    gift = create_gift(team.live)
    team.world.simulate("claim", team_order_id=1001, recipient=0)
    rows = team.world.call_control("GET", "/recipients?order=newest")["recipients"]
    assert [(row["about"]["kind"], row["about"]["id"], row["status"]) for row in rows] == [
        ("gift", gift["id"], rows[0]["status"]), ("team_order", 1001, "awaiting"), ("team_order", 1001, "submitted"),
    ]  # fmt: skip
    assert (rows[1]["name"], rows[2]["claimed_at"]) == (None, team.world.now)
    assert rows[0]["recipient_id"] == gift["recipients"][0]["id"]
    assert team.world.call_control("GET", f"/recipients?q={rows[2]['email']}")["recipients"] == rows[2:]


@pytest.mark.parametrize(
    ("path", "code"),
    [("approvals", "approval_not_found"), ("proofs", "proof_not_found"), ("previews", "preview_not_found"),
     ("invoices", "invoice_not_found"), ("orders", "team_order_not_found"), ("gifts", "gift_not_found"),
     ("campaigns", "campaign_not_found"), ("museum/tickets", "ticket_not_found"), ("mail", "mail_not_found"),
     ("calls", "call_not_found"), ("deliveries", "delivery_not_found")],
)  # fmt: skip
@pytest.mark.parametrize("unknown", ["x", "9" * 200, "%C3%BC" * 200])
def test_an_id_that_no_record_can_have_is_not_found_with_the_code_of_its_kind(
    world: World, path: str, code: str, unknown: str
) -> None:
    error = expect_error(world.control.get(f"/worlds/{world.id}/{path}/{unknown}"), 404, code)
    assert len(error["message"]) < 200


def test_an_id_of_thousands_of_digits_names_nothing(team: TeamClients) -> None:
    for view in ("orders", "gifts", "campaigns"):
        response = team.world.control.get(f"/worlds/{team.world.id}/{view}/{'9' * 4_500}")
        assert response.status == 404
