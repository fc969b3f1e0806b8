"""A mail as its reader sees it, its links checked, what was read, and what a claim page is filled in with."""

from __future__ import annotations

from typing import Any

from tests.support.api_clients import PartnerClient
from tests.support.console import HOST, Console
from tests.support.partner.catalogue import TEE_LINE
from tests.support.responses import created
from tests.support.worlds import World

BO = [{"name": "Bo", "email": "bo@example.com"}]


def dots(console: Console) -> list[str]:
    """The marks of the mail in the inbox: that of a mail that nobody has read is blue."""
    console.open("inbox")
    classes = [attributes.get("class") or "" for _, attributes in console.page.elements]
    return [each for each in classes if each.startswith("dot ")]


def test_a_mail_is_unread_until_it_is_opened(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=BO)
    before = world.fingerprint()
    assert dots(console) == ["dot move"]
    console.follow_row("Ada has a gift for you")
    assert "To bo@example.com" in console.page.text
    assert dots(console) == ["dot plain"]
    assert [row["read"] for row in world.rows("mail")] == [True]
    assert dots(Console(world.simulator, world.id)) == ["dot plain"]  # another browser
    assert world.fingerprint() == before


def test_the_mark_is_of_the_mail_and_not_of_its_number(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=BO)
    world.call_control("PUT", "/mail/1/read")
    assert world.call_control("GET", "/mail/1")["read"] is True
    world.call_control("POST", "/undo", {})
    partner.create_order(recipients=[{"name": "Cy", "email": "cy@example.com"}])
    assert world.call_control("GET", "/mail/1")["read"] is False
    fork = world.call_control("POST", "/fork", {})["id"]
    assert world.control.get(f"/worlds/{fork}/mail/1").json()["read"] is False
    assert (
        world.control.call("PUT", f"/worlds/{world.id}/mail/2/read", None).json()["error"]["code"] == "mail_not_found"
    )


def test_links_of_a_mail_say_where_they_lead(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=BO)
    page = console.open("inbox/mail/1")
    assert "works The claim page of Bo’s stoneware mug #1001, for Bo; it expires in 30 d." in " ".join(
        page.text.split()
    )
    world.simulate("claim_link", team_order_id=1001, recipient=0)
    assert "expired This link was replaced by a newer one: see the latest mail." in _words(console.open("inbox/mail/1"))
    world.simulate("claim", team_order_id=1001, recipient=0)
    claimed = "used This gift was claimed already. It led to Bo’s stoneware mug #1001."
    assert claimed in _words(console.open("inbox/mail/2"))


def test_a_mail_bounces_and_says_so(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=BO)
    console.open("inbox/mail/1")
    assert "arrived Nothing says that it bounced." in _words(console.page)
    console.press("Let it bounce")
    assert "The mail to bo@example.com bounced." in console.page.text
    assert "bounced It bounced" in _words(console.page)
    assert [row["bounced_at"] for row in world.rows("mail")] == [world.now]
    assert dots(console) == ["dot bad"]
    assert "bounced, to bo@example.com" in console.page.text


def test_the_letter_runs_nothing_and_is_shown_by_this_origin_only(console: Console, partner: PartnerClient) -> None:
    partner.create_order(recipients=BO, gift_sender="<script>alert(1)</script>")
    page = console.open("inbox/mail/1/letter")
    assert page.heading == "<script>alert(1)</script> has a gift for you"
    assert page.link("Open the gift").startswith(f"/claim/{console.world}/")
    policy = console.response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "script-src" not in policy
    assert "Open this link to see your gift" in console.open("inbox/mail/1?view=text").text


def test_a_claim_link_says_what_to_enter_in_each_country(world: World, partner: PartnerClient) -> None:
    order = created(
        partner.create_order(
            recipients=BO, items=[TEE_LINE], return_claim_links=True, destination_countries=["US", "DE"]
        )
    )
    token = order["recipients"][0]["claim"]["link"].rpartition("/")[2]
    link = world.call_control("GET", f"/claim_links/{token}")
    assert (link["status"], link["shared"], link["recipient"]["name"]) == ("open", False, "Bo")
    assert [each["country"] for each in link["entry"]["addresses"]] == ["US", "DE"]
    for address in link["entry"]["addresses"][::-1]:
        fork = world.call_control("POST", "/fork", {})["id"]
        body = {"address": address, "selection": link["entry"]["selection"]}
        claimed: Any = world.client.call(
            "POST", f"/claim/{fork}/{token}", body=body, headers={"Accept": "application/json", "Host": HOST}
        )
        assert claimed.status == 200, claimed.text
        gone = world.control.get(f"/worlds/{fork}/claim_links/{token}").json()
        assert (gone["status"], gone["entry"], gone["about"]["kind"]) == ("used", None, "team_order")
    missing = world.control.get(f"/worlds/{world.id}/claim_links/nothing").json()
    assert missing["error"]["code"] == "claim_not_found"


def _words(page: Any) -> str:
    return " ".join(page.text.split())
