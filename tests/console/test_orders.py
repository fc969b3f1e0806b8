"""The pages of orders, gifts and campaigns: lists, one record, and its moves."""

from __future__ import annotations

import re

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.console import Console
from tests.support.html_page import Form
from tests.support.orders import RENO, address_recipients, email_recipients
from tests.support.team.campaigns import approved_campaign, prepared_campaign
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_gift, create_order
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def ordered(world: World, partner: PartnerClient) -> World:
    """A world with an order for two people, and another one that is shipped."""
    partner.create_order(recipients=email_recipients(2), name="Spring fair", reference="REF-1")
    partner.create_order(idempotency_key="second", recipients=email_recipients(1))
    world.simulate("shipment", team_order_id=1002, to="shipped")
    return world


def lit(console: Console) -> list[str]:
    """The states that the drawings of the page light."""
    return [given["data-state"] for tag, given in console.page.elements if tag == "g" and "lit" in given["class"]]


def shown(console: Console) -> list[str]:
    """The ids of the orders that the page lists."""
    return re.findall(r"#(10\d\d)\b", console.page.text)


def test_a_list_has_sections_and_its_first_row_stands_beside_it(console: Console, ordered: World) -> None:
    page = console.open("orders")
    assert (page.title, page.heading) == ("Orders – giftsim", "Spring fair #1001 collecting addresses")
    assert ("collecting addresses 1", f"/w/{ordered.id}/orders?q=status%3Acollecting_addresses") in page.links
    assert re.search(r"Waiting 1\nSpring fair #1001 \$\S+ .*, 2 recipients, REF-1 just now\n", page.text)
    assert re.search(r"The rest, newest first 1\nPerson 0’s stoneware mug #1002 \$\S+ shipped just now\n", page.text)


def test_what_failed_comes_first_and_says_why(console: Console, ordered: World) -> None:
    ordered.partner("partner.no_funds").create_order(idempotency_key="poor")
    page = console.open("orders")
    assert page.text.index("Failed 1") < page.text.index("Waiting 1") < page.text.index("The rest, newest first 1")
    assert "#1003 $26.00 unpaid: insufficient funds just now" in page.text
    assert page.heading.startswith("Bo’s stoneware mug #1003")


def test_like_rows_are_one_with_a_count_and_lead_to_all_of_them(
    console: Console, world: World, partner: PartnerClient
) -> None:
    poor = world.partner("partner.no_funds")
    for n in range(5):
        poor.create_order(idempotency_key=f"poor-{n}")
    partner.create_order()
    page = console.open("orders")
    assert "5 × unpaid: insufficient funds" in page.text
    assert shown(console) == ["1005", "1004", "1003", "1006", "1005"]
    console.follow("All 5")
    assert shown(console)[:5] == ["1005", "1004", "1003", "1002", "1001"]
    assert "is:failed" in console.path.replace("%3A", ":")


def test_a_search_that_is_not_understood_is_said_and_the_list_stays(console: Console, ordered: World) -> None:
    page = console.open("orders?q=status:lost")
    assert console.status == 200
    assert "status:lost: an order has no such status; it can be unpaid" in page.text
    assert find_form(console).fields["q"] == "status:lost"
    assert shown(console) == ["1001", "1002", "1001"]
    assert "?q=" not in page.link("‹ Orders")


def test_the_help_of_the_field_lists_what_the_search_knows_with_examples_that_work(
    console: Console, ordered: World
) -> None:
    page = console.open("orders")
    known = console.client.call("GET", "/_sim/v1/reference/search").json()["lists"]
    fields = next(each["fields"] for each in known if each["list"] == "orders")
    assert len(fields) > 5
    for field in fields:
        console.open(page.link(field["example"]))
        assert find_form(console).fields["q"] == field["example"]
        assert not any(given.get("id") == "refused" for _, given in console.page.elements)


def test_a_row_keeps_the_search_and_leads_back_to_it(console: Console, ordered: World) -> None:
    console.open("orders?q=mug+since:2d")
    page = console.follow_row("Spring fair")
    assert console.path == f"/w/{ordered.id}/orders/order/1001?q=mug+since%3A2d"
    assert (page.title, find_form(console).fields["q"]) == ("Spring fair – giftsim", "mug since:2d")
    console.follow("‹ Orders")
    assert console.path == f"/w/{ordered.id}/orders?q=mug+since%3A2d"


def counted(console: Console, name: str) -> list[int]:
    """How many orders, gifts or campaigns there are: by the list's heading, its chips, and the control API."""
    page = console.open(name)
    heading = re.search(rf"{name.capitalize()} (\d+)\n", page.text)
    counts = [text.rpartition(" ")[2] for text, href in page.links if "?q=status%3A" in href]
    chips = [int(count) for count in counts if count.isdigit()]
    listed = console.client.call("GET", f"/_sim/v1/worlds/{console.world}/{name}?counts=true&limit=1").json()
    return [int(heading[1]) if heading else 0, sum(chips), sum(listed["counts"].values())]


def on_home(console: Console) -> int:
    """How many orders Home counts."""
    found = re.search(r"Orders\s+(\d+) \d+ steps? lately", console.open("").text)
    assert found
    return int(found[1])


def test_home_list_chips_and_api_count_alike(console: Console, world: World, partner: PartnerClient) -> None:
    team = TeamClients(world)
    partner.create_order()
    create_order(team.live)
    approve(world, create_gift(team.live, 2))
    approved_campaign(team, 3)
    create_gift(team.live)
    prepared_campaign(team.live, 2)
    world.advance("20d")
    assert [counted(console, name) for name in ("orders", "gifts", "campaigns")] == [[2] * 3] * 3
    assert on_home(console) == world.control.get(f"/worlds/{world.id}").json()["counts"]["orders"] == 2


def test_the_demo_counts_alike(console: Console, world: World) -> None:
    console.open("")
    console.press("Play the demo")
    console.world = console.path.split("/")[2]
    home = on_home(console)
    assert home > 19
    assert counted(console, "orders") == [home] * 3
    world.control.delete(f"/worlds/{console.world}")


def test_a_list_is_filtered_by_a_chip_and_searched(console: Console, ordered: World) -> None:
    console.open("orders")
    assert shown(console) == ["1001", "1002", "1001"]  # the last is the detail
    console.follow("collecting addresses 1")
    assert shown(console) == ["1001", "1001"]
    console.submit(find_form(console), q="spring")
    assert console.page.heading == "Spring fair #1001 collecting addresses"
    console.submit(find_form(console), q="nobody-of-that-name")
    assert "Nothing fits" in console.page.text
    console.follow("Show all orders")
    assert "Spring fair #1001" in console.page.text


def find_form(console: Console) -> Form:
    """The search field of the list."""
    return next(form for form in console.page.forms if "q" in form.fields)


def test_a_long_list_is_read_page_by_page_from_the_newest(
    console: Console, world: World, partner: PartnerClient
) -> None:
    for n in range(51):
        partner.create_order(idempotency_key=f"order-{n}")
    console.open("orders")
    console.follow("All 51")
    assert (shown(console)[0], "50 of 51" in console.page.text) == ("1051", True)
    console.follow("Older")
    assert shown(console) == ["1001", "1001"]
    console.follow("Newest")
    assert shown(console)[0] == "1051"


@pytest.mark.parametrize(
    ("path", "button"),
    [("orders", "Send a gift to Bo"), ("gifts", "Send a gift to Bo"), ("campaigns", "Start a campaign for Bo")],
)
def test_an_empty_page_says_why_and_its_button_makes_the_first(
    console: Console, world: World, path: str, button: str
) -> None:
    page = console.open(path)
    assert f"No {path} yet" in page.text
    assert "curl -s -X POST" in page.text
    page = console.press(button)
    assert f"No {path} yet" not in page.text
    assert len(world.rows(path)) == 1
    console.press("Undo")
    assert world.rows(path) == []


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_an_order_shows_its_recipients_money_timeline_and_what_is_due(console: Console, ordered: World) -> None:
    page = console.open("orders/order/1001")
    assert page.heading == "Spring fair #1001 collecting addresses"
    assert "For 2 recipients Made just now by partner.prepaid" in " ".join(page.text.split())
    assert "Charged\n$52.00" in page.text
    assert console.page.link("Your app placed the order") == f"/w/{ordered.id}/calls/1"
    told = " ".join(page.text.partition("Journey")[2].split())
    assert "Mail to Person 0 and Person 1: Ada has a gift for you The claim link expires in 30 d" in told
    assert "Person 0 and Person 1 say where it goes until Wed 3 Feb, 09:00" in told
    assert "If claimed by 23:59 today Tue 5 Jan Production starts: Person 0, Person 1 in 1 d" in told
    assert "Arrives Sat 9 Jan, if claimed by 23:59 today." in page.text
    assert page.link("Open the claim page of Person 0").startswith(f"/claim/{ordered.id}/")
    assert lit(console) == ["awaiting"]


def test_a_move_is_made_by_its_button_and_taken_back(console: Console, ordered: World) -> None:
    console.open("orders/order/1001")
    page = console.press("Deliver")
    assert page.heading == "Spring fair #1001 delivered"
    assert lit(console) == ["delivered"]
    assert "Done: Deliver Spring fair." in page.text
    console.press("Undo")
    assert console.page.heading == "Spring fair #1001 collecting addresses"


def test_what_is_not_possible_is_told_in_a_line_with_the_reason(console: Console, ordered: World) -> None:
    page = console.open("orders/order/1002")
    assert page.has_button("Deliver")
    assert not page.has_button("Produce")
    assert not page.has_button("Produce", enabled=False)
    assert page.has_button("Delay")
    assert "7 other moves are not possible now" in page.text
    assert "Produce: Shipment 500003 is shipped: it cannot become in_production." in page.text


def test_one_parcel_of_several_is_chosen_and_moved(console: Console, ordered: World) -> None:
    console.open("orders/order/1001")
    assert not console.page.has_button("Claim")
    console.follow("Parcel #500002, its moves")
    assert "Spring fair / Person 1" in console.page.text
    console.press("Claim")
    assert [row["status"] for row in ordered.rows("parcels")][:2] == ["awaiting", "submitted"]
    assert lit(console) == ["submitted"]
    console.follow("All parcels of this order")
    assert lit(console) == ["awaiting", "submitted"]


def test_every_possible_move_has_a_command_of_the_same_call(console: Console, ordered: World) -> None:
    page = console.open("orders/order/1002")
    command = f"curl -s -X POST {ordered.description['urls']['control']}/simulate/shipment"
    assert command in page.text
    assert '{"team_order_id": 1002, "recipient": 0, "to": "delivered"}' in page.text


def test_a_move_that_was_overtaken_is_refused_in_words(console: Console, ordered: World) -> None:
    form = console.open("orders/order/1002").form("Deliver")
    ordered.simulate("shipment", team_order_id=1002, to="delivered")
    page = console.submit(form)
    assert "Deliver Person 0’s stoneware mug: shipment 500003 is delivered: it cannot become delivered" in page.text
    assert page.form("Undo").fields["label"] == "Move a parcel to a later stage, including the stages between"


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"body": "{"}, 400), ({"verb": "../clock/advance"}, 400), ({"verb": "no_such_verb"}, 200), ({"body": "[]"}, 200)],
)
def test_a_forged_move_is_refused(console: Console, ordered: World, fields: dict[str, str], status: int) -> None:
    form = console.open("orders/order/1001").form("Deliver")
    with ordered.assert_unchanged():
        console.submit(form, None, **fields)
    assert console.status == status
    assert "failed" not in console.page.heading


def test_a_team_order_is_approved_on_its_page(console: Console, world: World) -> None:
    team = TeamClients(world)
    order = create_order(team.live)
    console.open(f"orders/order/{order['id']}")
    page = console.press("Approve")
    assert page.heading == f"Stoneware mug and 2 more for Guest 0 and 1 other #{order['id']} approved"
    assert "by hand" in page.text
    assert "Paid $92.00 from the balance" in page.text
    assert "approved" in lit(console)


def test_a_gift_and_a_campaign_have_pages_of_their_own(console: Console, world: World) -> None:
    team = TeamClients(world)
    gift, campaign = create_gift(team.live, 2, message="Thanks!"), prepared_campaign(team.live, 3)
    approve(world, gift)
    console.open("gifts")
    page = console.follow_row("Stoneware mug and 2 more for Guest 0 and 1 other")
    assert page.heading == f"Stoneware mug and 2 more for Guest 0 and 1 other #{gift['id']} sent"
    assert "gift.sent" in page.text
    console.open("campaigns")
    page = console.follow_row(campaign["name"])
    assert page.heading == f"{campaign['name']} #{campaign['id']} awaiting approval"
    assert "1\nprepared\n3\n" in page.text
    assert "awaiting_approval" in lit(console)
    assert "A key of the team does this, by updateLargeCampaign." in page.text.replace(
        "No verb makes this move: a", "A"
    )


@pytest.mark.parametrize("path", ["orders/order/77", "orders/gift/x", "orders/parcel/500001", "orders/order/%2e%2e"])
def test_a_record_that_is_not_there_is_a_page_in_words(console: Console, world: World, path: str) -> None:
    page = console.open(path)
    assert console.status == 404
    assert page.heading == "There is nothing here"


def test_what_others_wrote_is_text_everywhere(console: Console, world: World, partner: PartnerClient) -> None:
    recipient = {"name": HOSTILE, "email": "bo@example.com"}
    partner.create_order(recipients=[recipient], name=HOSTILE, reference=HOSTILE, po_number=HOSTILE)
    partner.post("/team-orders/1001/cancel", {"reason": HOSTILE})
    team = TeamClients(world)
    gift = create_gift(team.live, message=HOSTILE)
    world.simulate("approval", gift_id=gift["id"], decision="reject", note=HOSTILE)
    for path in (
        "orders",
        "orders?q=status:canceled",
        "orders/order/1001",
        "gifts",
        f"orders/gift/{gift['id']}",
        "orders?q=%3Cscript%3Ealert(1)%3C/script%3E",
        "orders/order/1001?parcel=500001",
    ):
        page = console.open(path)
        assert "<script>alert" not in console.response.text
        assert HOSTILE in page.text or "<script>alert(1)</script>" in page.text


def test_a_drawing_brings_no_styles_of_its_own(console: Console, ordered: World) -> None:
    console.open("orders/order/1001")
    assert "style=" not in console.response.text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_the_next_step_is_its_own_and_its_toast_names_it_first(
    console: Console, world: World, partner: PartnerClient
) -> None:
    for n, name in enumerate(("Early", "Bo")):
        recipients = [{"name": name, "address": RENO}]
        partner.create_order(idempotency_key=f"order-{n}", recipients=recipients)
        world.advance("1h")
    page = console.open("orders/order/1002")
    assert "In production in 23 h" in page.text
    page = console.press("Advance to in production 23 h")
    assert world.now == "2027-01-05T10:00:00Z"
    toast = " ".join(page.text.split()).partition("Bo’s stoneware mug is in production.")[2]
    assert toast.index("Bo’s stoneware mug") < toast.index("Early’s stoneware mug")
    assert page.has_button("Advance to labeled 1 d")
    assert "Arrives Sat 9 Jan." in page.text


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_two_arrivals_are_told_by_their_names(console: Console, ordered: World) -> None:
    ordered.simulate("claim", team_order_id=1001, recipient=0)
    ordered.advance("1d")
    told = "Person 0’s arrives Sat 9 Jan and Person 1’s Sun 10 Jan if claimed"
    assert told in console.open("orders/order/1001").text
    assert told in console.open("").text  # Home


def test_a_campaign_of_many_is_told_in_few_lines(console: Console, world: World) -> None:
    campaign = prepared_campaign(TeamClients(world).live, 1200)
    page = console.open(f"orders/campaign/{campaign['id']}")
    assert "Batches 1 to 2 were prepared" in page.text
    assert "if approved, paid and claimed by" in page.text
    assert "This shows what happened to the first 50 of 1,200 recipients." in page.text


def test_a_parcel_in_trouble_has_one_word_in_list_head_and_home(
    console: Console, world: World, partner: PartnerClient
) -> None:
    partner.create_order(recipients=address_recipients(2), name="Spring fair")
    world.simulate("shipment", team_order_id=1001, recipient=0, to="delayed")
    world.simulate("shipment", team_order_id=1001, recipient=1, to="rejected")
    page = console.open("orders")
    assert page.heading == "Spring fair #1001 parcel rejected"
    assert re.search(r"Failed 1\nSpring fair #1001 \$\S+ parcel rejected, 2 recipients", page.text)
    console.open()
    assert "Parcel rejected" in console.page.text
    assert "Parcel delayed" not in console.page.text
