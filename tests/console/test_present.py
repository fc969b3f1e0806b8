"""Present: one story in large words, what comes next, and the way back to its beginning."""

from __future__ import annotations

from typing import Any

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.html_page import HtmlPage
from tests.support.http_receiver import HttpReceiver, http_receiver
from tests.support.worlds import World


def go_on(console: Console) -> HtmlPage:
    """Press Space."""
    return console.submit(next(form for form in console.page.forms if form.action.endswith("/present/next")))


def begin_again(console: Console) -> HtmlPage:
    """Press 0."""
    return console.submit(next(form for form in console.page.forms if form.action.endswith("/present/again")))


def next_label(page: HtmlPage) -> str:
    """What Space does next."""
    form = next(form for form in page.forms if form.action.endswith("/present/next"))
    return str(form.buttons[0]["text"]).removeprefix("Space ")


def test_a_story_goes_from_nothing_to_delivered_and_back(console: Console, world: World) -> None:
    before = world.fingerprint()
    page = console.open("present")
    assert page.heading == "Nothing has happened yet"
    headings, labels = [], [next_label(page)]
    for _ in range(4):
        page = go_on(console)
        headings.append(page.heading)
        labels.append(next_label(page))
    assert headings[:2] == ["Your app placed the order", "Bo said where it goes: Reno, NV"]
    assert headings[2].startswith("Shipped with ")
    assert headings[3] == "Delivered"
    assert labels[:2] == ["Your app sends a gift", "Bo says where it goes"]
    assert [label.partition(" in ")[0] for label in labels[2:4]] == [
        "The parcel is handed to the carrier",
        "The parcel arrives",
    ]
    assert "It has arrived" in page.text
    ended = world.fingerprint()
    assert "The story has ended. Space again: your app sends another gift." in go_on(console).text
    assert world.fingerprint() == ended
    assert go_on(console).heading == "Your app placed the order"
    page = begin_again(console)
    assert world.fingerprint() == before
    assert page.heading == "Nothing has happened yet"
    go_on(console)
    begin_again(console)
    assert world.fingerprint() == before
    assert "This is the beginning." in begin_again(console).text


def test_it_has_no_navigation_and_leads_back_to_where_it_began(
    console: Console, world: World, partner: PartnerClient
) -> None:
    order = partner.create_order(recipients=[{"name": "Fay", "email": "fay@example.com"}]).json()["team_order"]["id"]
    partner.create_order(idempotency_key="newer")
    page = console.open(f"present?back=/w/{world.id}/orders/order/{order}?q=mug")
    assert "Fay’s stoneware mug" in page.text
    assert not any(text == "Orders" for text, _ in page.links)
    assert page.link("Esc Leave") == f"/w/{world.id}/orders/order/{order}?q=mug"
    assert console.open("present?back=https://evil.example/").link("Esc Leave") == f"/w/{world.id}/"


def test_the_app_answers_beside_the_claim_page_in_the_phone(
    console: Console, world: World, partner: PartnerClient
) -> None:
    answer = b'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"kept": true}'[:-1]

    def behave(connection: Any, receiver: HttpReceiver) -> None:
        while receiver.read(connection) is not None:
            connection.sendall(answer)

    with http_receiver(behave) as receiver:
        partner.subscribe("team_order.claimed", "team_order.shipped")
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{receiver.port}")
        partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
        page = console.open("present")
        assert f"Webhooks go to 127.0.0.1:{receiver.port}" in page.text
        [frame] = [attrs for tag, attrs in page.elements if tag == "iframe"]
        assert frame["src"].startswith(f"/claim/{world.id}/")
        page = go_on(console)
        assert page.heading == "Bo said where it goes: Reno, NV"
        assert "team_order.claimed" in page.text
        assert '{"kept": true' in page.text
        assert not [attrs for tag, attrs in page.elements if tag == "iframe"]
        assert "A gift is coming" in page.text


def test_an_order_that_was_not_paid_is_paid_and_goes_on(console: Console, world: World) -> None:
    poor = world.partner("partner.no_funds")
    assert poor.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}]).status == 402
    world.partner().create_order()
    page = console.open("present")
    assert "This is the newest that failed in this world." in page.text
    assert "No webhook of this goes anywhere" in page.text
    assert next_label(page).startswith("Fund $")
    assert "402" in page.text
    page = go_on(console)
    assert page.heading.startswith("Paid $")
    assert next_label(page) == "Bo says where it goes"


def test_what_is_refused_is_said_and_nothing_changes(console: Console, world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=[{"name": "Bo", "email": "bo@example.com"}])
    page = console.open("present")
    before = world.fingerprint()
    form = next(form for form in page.forms if form.action.endswith("/present/again"))
    page = console.submit(form, begin="999999")
    assert "This is the beginning." in page.text
    assert world.fingerprint() == before


def test_a_record_that_is_not_there_is_no_error(console: Console) -> None:
    for about in ("gift:999", "nonsense"):
        page = console.open(f"present?about={about}&begin=0")
        assert (console.status, page.heading) == (200, "Nothing has happened yet")
