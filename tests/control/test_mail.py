"""Mail with its texts, newest first, and one mail by its number."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.mail import MAX_MAILS
from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.responses import expect_error
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_order
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


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
