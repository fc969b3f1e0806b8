"""The search of lists: its grammar, its fields, what a list refuses, and the groups of what failed or waits (G421)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.engine.control.search import InvalidSearch, Searchable, parse, quoted, text_condition, write
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_order
from tests.support.worlds import World

ORDERS = ("orders", "id")


@pytest.fixture
def shop(world: World, partner: PartnerClient) -> World:
    """Orders 1001 to 1003 wait for addresses, 1004 is in progress, 1005 is canceled, 1006 and 1007 are unpaid."""
    for n in range(3):
        partner.create_order(idempotency_key=f"linked-{n}", recipients=email_recipients(1))
    partner.create_order(idempotency_key="addressed", recipients=address_recipients(1), name="Summer party")
    partner.create_order(idempotency_key="canceled", recipients=email_recipients(1))
    partner.post("/team-orders/1005/cancel", {})
    for n in range(2):
        world.partner("partner.no_funds").create_order(idempotency_key=f"unpaid-{n}")
    return world


def found(world: World, search: str, listed: tuple[str, str] = ORDERS) -> list[Any]:
    name, key = listed
    return [row[key] for row in world.call_control("GET", f"/{name}?q={quote(search)}")[name]]


def refused(world: World, search: str, name: str = "orders") -> Any:
    response = world.control.call("GET", f"/worlds/{world.id}/{name}?q={quote(search)}")
    assert (response.status, response.json()["error"]["code"]) == (400, "invalid_search"), response.text
    return response.json()["error"]


@pytest.mark.parametrize(
    ("search", "terms"),
    [
        ("mug bo", [(None, ("mug",)), (None, ("bo",))]),
        ('"stoneware mug"', [(None, ("stoneware mug",))]),
        ("status:unpaid,shipped", [("status", ("unpaid", "shipped"))]),
        ('who:"Bo Lind",ada', [("who", ("Bo Lind", "ada"))]),
        ("-mug -is:failed", [(None, ("mug",)), ("is", ("failed",))]),
        ("https://a.example/b 12:30 a-b -", [(None, ("https://a.example/b",)), (None, ("12:30",)), (None, ("a-b",)),
                                             (None, ("-",))]),
        ('"not closed', [(None, ("not closed",))]),
        (r'"a \"b\" \\"', [(None, ('a "b" \\',))]),
        ('"team_order:1"', [(None, ("team_order:1",))]),
        ("a,b STATUS:x", [(None, ("a,b",)), ("status", ("x",))]),
        ('  ""  ', []),
        ("status:", [("status", ())]),
    ],
)  # fmt: skip
def test_a_search_is_read(search: str, terms: list[tuple[str | None, tuple[str, ...]]]) -> None:
    assert [(term.field, term.values) for term in parse(search)] == terms


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
fields = st.sampled_from([None, "status", "who", "since"])


@given(st.lists(st.tuples(fields, st.lists(texts, min_size=1, max_size=3), st.booleans()), max_size=4))
def test_what_is_written_is_read_again(written: list[tuple[str | None, list[str], bool]]) -> None:
    """A word has one value, a field has several."""
    terms = [(field, values if field else values[:1], negated) for field, values, negated in written]
    search = " ".join(write(field, values, negated=negated) for field, values, negated in terms)
    assert [(term.field, list(term.values), term.negated) for term in parse(search)] == terms


@given(st.text(max_size=40))
def test_any_text_can_be_read(search: str) -> None:
    terms = parse(search)
    assert all(term.text in search for term in terms)
    assert all(quoted(value) for term in terms for value in term.values)


@given(st.lists(texts, max_size=5), st.lists(st.tuples(texts, st.booleans()), max_size=3))
def test_words_are_in_all_that_is_found(rows: list[str], words: list[tuple[str, bool]]) -> None:
    has_words = text_condition(" ".join(write(None, [word], negated=negated) for word, negated in words))
    expected = [row for row in rows if all((word.casefold() in row.casefold()) != negated for word, negated in words)]
    assert [row for row in rows if has_words is None or has_words(row)] == expected


def test_a_list_without_fields_refuses_one() -> None:
    listed = Searchable[str]("a row", {}, lambda _: lambda _row: True)
    with pytest.raises(InvalidSearch, match="a row has no field colour, but no fields"):
        listed.check(parse("colour:red"))


@pytest.mark.parametrize(
    ("search", "ids"),
    [
        ("stoneware", [1001, 1002, 1003, 1004, 1005, 1006, 1007]),
        ("STONEWARE person", [1001, 1002, 1003, 1004, 1005]),
        ("party", [1004]),
        ("-person stoneware", [1006, 1007]),
        ("status:unpaid", [1006, 1007]),
        ('status:"In progress",canceled', [1004, 1005]),
        ("-status:unpaid -status:collecting_addresses", [1004, 1005]),
        ("who:person0@", [1001, 1002, 1003, 1005]),
        ("kind:claim_*", [1001, 1002, 1003, 1005, 1006, 1007]),
        ("key:partner.no_funds", [1006, 1007]),
        ("why:insufficient_funds*", [1006, 1007]),
        ("is:failed", [1006, 1007]),
        ("is:waiting", [1001, 1002, 1003]),
        ("-is:failed -is:waiting", [1004, 1005]),
        ("call:createTeamOrder id-nobody-has", []),
        ("call:createTeamOrder 1004", [1004]),
        ("call:create* status:canceled", [1005]),
        ("call:2", [1002]),
        ("call:cancelTeamOrder", []),
        ("since:1s", [1001, 1002, 1003, 1004, 1005, 1006, 1007]),
        ("since:2099-01-01", []),
    ],
)
def test_orders_are_found(shop: World, search: str, ids: list[int]) -> None:
    assert found(shop, search) == ids


def test_since_counts_by_the_clock_of_the_world(shop: World, partner: PartnerClient) -> None:
    shop.call_control("POST", "/clock/advance", {"by": "3d"})
    partner.create_order(idempotency_key="late")
    assert (
        found(shop, "since:2d")
        == found(shop, "since:2027-01-07T09:00:00Z")
        == found(shop, "since:2027-01-07")
        == [1008]
    )
    assert len(found(shop, "since:3d")) == 8


def test_a_text_is_found_once_its_name_was_entered_and_no_more_when_that_is_undone(shop: World) -> None:
    """Texts are kept for the next search, but not beyond a change of what they are made from."""
    assert found(shop, "zelda") == []
    partner = shop.partner("partner.prepaid")
    partner.create_order(idempotency_key="zelda", recipients=[{"name": "Zelda", "email": "z@example.com"}])
    assert found(shop, "zelda’s") == [1008]
    shop.call_control("POST", "/undo", {})
    assert found(shop, "zelda") == []


@pytest.mark.parametrize(
    ("search", "message", "term"),
    [
        ("mug status:lost", "status:lost: an order has no such status; it can be unpaid,", "status:lost"),
        ("colour:red", "an order has no field colour, but status, who,", "colour:red"),
        ("since:soon", "since is a span such as 2d or 3h, a date", "since:soon"),
        ("is:odd", "an order can be failed or waiting", "is:odd"),
        ("call:sing", "no interface has such an operation", "call:sing"),
        ("-status:", "nothing stands behind the colon", "-status:"),
    ],
)
def test_what_a_list_does_not_know_is_refused_by_name(shop: World, search: str, message: str, term: str) -> None:
    error = refused(shop, search)
    assert message in error["message"]
    assert error["details"]["term"] == term
    assert error["details"]["fields"] == ["status", "who", "kind", "key", "why", "since", "call", "is"]


def test_the_reference_has_the_fields_of_each_list_and_its_examples_are_understood(shop: World) -> None:
    lists = shop.control.call("GET", "/reference/search").json()["lists"]
    assert [row["list"] for row in lists] == sorted(row["list"] for row in lists)
    assert {"orders", "gifts", "campaigns", "calls", "events", "deliveries", "mail", "approvals"} <= {
        row["list"] for row in lists
    }
    for row in lists:
        for field in row["fields"]:
            response = shop.control.call("GET", f"/worlds/{shop.id}/{row['list']}?q={quote(field['example'])}")
            assert response.status == 200, f"{row['list']}: {field['example']}: {response.text}"
        assert [field["field"] for field in row["fields"]] == refused(shop, "no_such:x", row["list"])["details"][
            "fields"
        ]


GROUPED = (
    "orders", "gifts", "campaigns", "calls", "events", "deliveries", "approvals", "proofs", "previews", "payments",
    "invoices", "certificates",
)  # fmt: skip


@pytest.mark.parametrize("name", GROUPED)
def test_groups_and_the_rest_are_all_rows_and_a_groups_search_finds_the_group(shop: World, name: str) -> None:
    """The world has unpaid and waiting orders, refused calls, and webhooks that fail."""
    create_order(TeamClients(shop).live)
    shop.partner("partner.prepaid").post(
        "/webhooks", {"url": "https://down.example/x", "events": ["team_order.shipped"]}
    )
    shop.call_control("PUT", "/receivers/down.example", {"then": {"status": 503}})
    shop.call_control("POST", "/clock/advance", {"by": "8d"})
    every = shop.call_control("GET", f"/{name}?order=newest&limit=1000")[name]
    page = shop.call_control("GET", f"/{name}?grouped=true&order=newest&limit=1000&counts=true&per_group=50")
    members = [row for group in page["groups"] for row in group["rows"]]
    assert len(members) + len(page[name]) == len(every)
    assert all(row in every for row in [*members, *page[name]])
    assert sum(page["sections"].values()) == len(members)
    for group in page["groups"]:
        same = shop.call_control("GET", f"/{name}?order=newest&q={quote(group['q'])}&limit=1000")[name]
        assert same == group["rows"]
        assert len(same) == group["count"]
    assert shop.call_control("GET", f"/{name}?rest=true&order=newest&limit=1000")[name] == page[name]


def test_a_group_says_what_its_rows_have_in_common(shop: World) -> None:
    groups = shop.call_control("GET", "/orders?grouped=true&order=newest&q=stoneware")["groups"]
    assert [(each["is"], each["title"], each["count"], each["q"]) for each in groups] == [
        ("failed", "unpaid: insufficient funds", 2, "is:failed why:insufficient_funds_no_card stoneware"),
        ("waiting", "collecting addresses", 3, "is:waiting status:collecting_addresses stoneware"),
    ]
    assert [row["id"] for each in groups for row in each["rows"]] == [1007, 1003]


def test_events_that_fail_alike_are_one_group(shop: World) -> None:
    shop.partner("partner.prepaid").post(
        "/webhooks", {"url": "https://down.example/x", "events": ["team_order.claimed"]}
    )
    shop.call_control("PUT", "/receivers/down.example", {"then": {"status": 503}})
    for order in (1001, 1002):
        shop.call_control("POST", "/simulate/claim", {"team_order_id": order, "recipient": 0})
    shop.call_control("POST", "/clock/advance", {"by": "2h"})
    [group] = shop.call_control("GET", "/events?grouped=true&order=newest")["groups"]
    assert (group["title"], group["count"]) == ("team_order.claimed, attempt 3: 503", 2)
    assert (
        len(found(shop, "status:503", ("events", "id")))
        == len(found(shop, "status:5xx stoneware", ("events", "id")))
        == 2
    )


TERMS = ("is:failed", "-is:failed", "is:waiting", "stoneware", "-1003", "status:unpaid,canceled", "who:b", "since:1d")


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(TERMS), max_size=3), st.sampled_from(["newest", "oldest"]), st.integers(1, 4))
def test_pages_of_a_search_are_all_of_it(shop: World, terms: list[str], order: str, limit: int) -> None:
    """The world is only read, so all examples can use it."""
    listed = f"/orders?order={order}&q={quote(' '.join(terms))}"
    whole = shop.call_control("GET", f"{listed}&limit=1000&counts=true")
    rows, place = list[Any](), ""
    while True:
        page = shop.call_control("GET", f"{listed}&limit={limit}{place}")
        rows += page["orders"]
        if page["next"] is None:
            break
        place = f"&{'before' if order == 'newest' else 'after'}={page['next']}"
    assert rows == whole["orders"]
    assert whole["found"] == len(rows)
