"""The pages about calls: the list with its filters, one call, and the same again in a shell, a scenario or a fault."""

from __future__ import annotations

import re
import subprocess
from urllib.parse import quote

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.orders import email_recipients
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def open_call(console: Console, operation: str) -> None:
    """Open the page of the newest call of an operation, or to a path."""
    console.open("calls")
    console.follow_row(operation)


def test_without_calls_the_page_says_why(console: Console) -> None:
    page = console.open("calls")
    assert (console.status, page.heading) == (200, "Calls")
    assert "No call yet" in page.text
    assert "curl -s " in page.text


def test_calls_that_failed_come_first_and_then_the_newest(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.get("/team-orders/99999")
    partner.create_order()
    page = console.open("calls")
    shown = [name for name, _ in page.links if " #" in name and name[0].islower()]
    assert [name.partition(" #")[0] for name in shown[:2]] == ["getTeamOrder", "createTeamOrder"]
    assert "partner.prepaid" in page.text
    assert "4xx 1" in page.text
    assert page.title == "Calls – giftsim"


def test_calls_are_searched(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(reference="Spring")
    partner.get("/team-orders/99999")
    partner.get("/team-orders", X_Sim_Fault="status=503")
    cases = {
        "status:4xx": "getTeamOrder #2", "call:createTeamOrder": "createTeamOrder #1", "fault:*": "listTeamOrders #3",
        "spring": "createTeamOrder #1", "code:team_order_not_found": "getTeamOrder #2", "is:failed status:503": "#3",
    }  # fmt: skip
    for search, expected in cases.items():
        page = console.open(f"calls?q={quote(search)}")
        assert "Found, newest first 1" in page.text, search
        assert expected in page.text, search
    assert "Found, newest first 3" in console.open("calls?q=key:partner.prepaid").text
    for search in ("status:3xx", "key:museum", "nowhere"):
        assert "Nothing fits." in console.open(f"calls?q={quote(search)}").text, search
    assert "call:sing: no interface has such an operation" in console.open("calls?q=call:sing").text


def test_older_calls_are_a_page_away(console: Console, partner: PartnerClient) -> None:
    for _ in range(52):
        partner.get("/team-orders")
    console.open("calls")
    console.follow("Older")
    assert len([name for name, _ in console.page.links if name.startswith("listTeamOrders #")]) == 2
    console.follow("Newest")
    assert console.page.title == "Calls – giftsim"


def test_a_call_says_who_made_it_and_which_calls_are_about_the_same(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    partner.create_order(idempotency_key="other")
    partner.get("/team-orders/1001", User_Agent="shop/1.0", X_Sim_Source="shop/orders.py:42")
    partner.post("/team-orders/1001/cancel", {})
    page = console.open("calls/3")
    assert "by partner.prepaid (shop/1.0) at shop/orders.py:42" in page.text
    about = " ".join(page.text.partition("Calls about")[2].partition("Request")[0].split())
    assert [f"#{seq} " in about for seq in (1, 2, 3, 4)] == [True, False, True, True]
    console.follow("cancelTeamOrder")
    assert console.page.title.startswith("Call 4")


def test_one_call_shows_request_response_and_a_command(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(gift_sender="Ada O'Hara")
    open_call(console, "createTeamOrder")
    text = console.page.text
    assert "createTeamOrder #1 201" in text
    assert '"gift_sender": "Ada O\'Hara",' in text
    assert '"status": "collecting_addresses",' in text
    assert "Bearer $GIFTSIM_KEY" in text
    (command,) = [attributes["data-copy"] for _, attributes in console.page.elements if "data-copy" in attributes]
    echoed = command.replace("curl", "printf '%s\\n'", 1)
    printed = subprocess.run(["sh", "-c", echoed], capture_output=True, text=True, check=True, env={})  # as pasted
    assert "Ada O'Hara" in printed.stdout
    assert f"Authorization: Bearer {world.credentials['partner.prepaid']['value']}" in printed.stdout


@pytest.mark.parametrize(
    ("path", "credential", "expected"),
    [
        ("/api/teams/v1/members", "session.owner", 'Authorization: Session $GIFTSIM_KEY"'),
        ("/v1.1/museum-hours?start_date=2027-01-05", "museum", '-u "$GIFTSIM_KEY"'),
        ("/api/external/team-orders", "partner.prepaid", 'Authorization: Bearer $GIFTSIM_KEY"'),
    ],
)
def test_the_command_sends_its_credential_as_the_call_did(
    console: Console, world: World, path: str, credential: str, expected: str
) -> None:
    world.client.call("GET", path, headers=world.credentials[credential]["headers"])
    text = console.open("calls/1").text
    assert expected in text
    assert "GIFTSIM_KEY=" in text


def test_calls_are_saved_as_scenarios(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    open_call(console, "createTeamOrder")
    for link, name in (("Save as a scenario", "call-1.yaml"), ("Save all calls as a scenario", f"{world.id}.yaml")):
        address = console.page.link(link)
        response = world.client.call("GET", address, headers={"Host": "localhost:8080"})
        assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
        report = world.client.call(
            "POST", "/_sim/v1/scenarios/play", body=response.text, headers={"Content-Type": "application/yaml"}
        ).json()
        assert report["outcome"] == "passed"


def test_the_next_call_like_this_fails_and_is_counted(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="one")
    open_call(console, "createTeamOrder")
    console.press("Fail the next one like this", failure="charge=card_charge_failed")
    assert "The next call like this fails: the fault fault-1 waits for it." in console.page.text
    (fault,) = world.call_control("GET", "/faults")["faults"]
    assert fault["match"] == {
        "interface": "partner", "operation": "createTeamOrder", "credential": "partner.prepaid",
    }  # fmt: skip
    assert fault["when"] == {"first": 1}
    assert world.partner("partner.net_terms").create_order(idempotency_key="two").status == 201
    assert partner.create_order(idempotency_key="three").status == 402
    assert partner.create_order(idempotency_key="four").status == 201
    console.open("calls?q=fault:fault-1")
    console.follow_row("createTeamOrder")
    assert "createTeamOrder #3 402" in console.page.text
    assert console.page.link("fault-1").endswith("/faults")


def test_every_failure_that_is_offered_can_be_added(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order()
    open_call(console, "createTeamOrder")
    form = console.page.form("Fail the next one like this")
    start = console.response.text.index('<select id="failure"')
    options = console.response.text[start:].partition("</select>")[0].split('value="')[1:]
    values = [option.partition('"')[0] for option in options]
    assert len(values) > 10
    for value in values:
        console.submit(form, failure=value)
        assert "The next call like this fails" in console.page.text, value


def test_a_call_without_an_operation_or_an_answer_has_a_page(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.get("/no-such-thing")
    with pytest.raises(ConnectionError):
        partner.get("/team-orders", X_Sim_Fault="drop=before")
    open_call(console, "GET /api/external/no-such-thing")
    assert "no such route" in console.page.text
    assert not console.page.has_button("Fail the next one like this")
    open_call(console, "listTeamOrders")
    assert "The connection was closed without an answer." in console.page.text
    assert console.open("calls/99").heading
    assert console.status == 404


def test_what_is_long_is_shown_in_part(console: Console, partner: PartnerClient) -> None:
    partner.post("/team-orders", {"name": "x" * 40_000})
    page = console.open("calls/1")
    assert "more characters" in page.text
    assert "too long for a command" in page.text
    assert len(console.response.body) < 60_000
    assert "x" * 40_000 in console.client.call("GET", page.link("Save as a scenario")).text
    partner.create_order(recipients=email_recipients(100))
    assert re.search(r"And \d+ more", console.open("calls/2").text)


def test_hostile_text_is_text(console: Console, partner: PartnerClient) -> None:
    partner.create_order(gift_sender=HOSTILE)
    partner.get(f"/team-orders?status={quote(HOSTILE)}", User_Agent=HOSTILE)
    for seq in (1, 2):
        console.open(f"calls/{seq}")
        assert "alert(1)" in console.page.text
        assert ("script", {}) not in console.page.elements
        assert "&<b>" not in console.response.text
    console.open(f"calls?q={quote(HOSTILE)}")
    assert ("script", {}) not in console.page.elements


def test_a_call_shows_what_it_changed_by_name_with_money_before_and_after(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order()
    open_call(console, "createTeamOrder")
    text = " ".join(console.page.text.partition("What it changed")[2].partition("Make it again")[0].split())
    assert "Bo’s stoneware mug new, collecting addresses" in text
    assert "Charge: wallet 501 → Bo’s stoneware mug $26.00" in text
    assert "Account prepaid −$26.00 cash $5,000.00 → $4,974.00" in text
    assert "Bo’s stoneware mug new" in text
    assert "Parcel 500001 of Bo’s stoneware mug new" in text
    assert "Timer set Wed 3 Feb, 09:00 the claim link expires, Bo’s stoneware mug" in text
    assert "to bo@example.com" in text
    partner.get("/team-orders")
    open_call(console, "listTeamOrders")
    assert "Nothing." in console.page.text.partition("What it changed")[2]


def test_an_event_leads_to_the_call_that_caused_it(console: Console, world: World, partner: PartnerClient) -> None:
    order = partner.create_order().json()["team_order"]
    world.simulate("claim", team_order_id=order["id"], recipient=0)
    world.advance("10d")
    console.open("webhooks")
    console.follow_row("team_order.shipped")
    assert "Caused by the clock: the parcel is handed to the carrier." in console.page.text


def test_json_is_highlighted_and_stays_the_same_text(console: Console, partner: PartnerClient) -> None:
    partner.create_order(gift_sender='Ada: "O" <b>', recipients=[{"name": "Bo", "email": "bo@example.com"}])
    open_call(console, "createTeamOrder")
    html = console.response.text
    assert "<b>&#34;gift_sender&#34;</b>: <i>&#34;Ada: \\&#34;O\\&#34; &lt;b&gt;&#34;</i>" in html
    assert "<b>&#34;id&#34;</b>: <var>1001</var>" in html
    assert '"gift_sender": "Ada: \\"O\\" <b>"' in console.page.text


def test_a_body_of_arrays_within_arrays_has_a_page(console: Console, partner: PartnerClient) -> None:
    deep = "[" * 2000 + "]" * 2000
    refused = partner.client.call("POST", "/api/external/team-orders", body=deep, headers=partner.headers)
    assert refused.status == 400
    assert deep in console.open("calls/1").text
    assert console.status == 200
