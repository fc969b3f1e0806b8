"""Validation of bodies: strict JSON, rules, unknown members; errors never echo values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.services.gifting.domain.team.free_text_redaction import remove_private
from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.orders import order_body
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.campaigns import campaign_body
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import KIT, approve, create_gift, reload
from tests.support.team.payments import pdf_text
from tests.support.worlds import World

NOTED = {f"note{i}": i for i in range(6)}  # unknown members, as a spreadsheet brings them
EMAIL = "zq.sentinel+1@leak-domain.example"
WORDS = st.text(st.characters(exclude_characters="<>@%/", exclude_categories=["Z", "C"]), min_size=1, max_size=12)


def paid_order(team: TeamClients, text: str) -> Any:
    """An order paid on terms with a text in its recipient's name, its PO number and its message."""
    body = {"collection": KIT, "headcount": 1, "recipients": [{"name": f"Bo {text}", "email": EMAIL}],
            "po_number": f"PO-7 for {text}", "gift_message": f"Dear {text} and 5 @ noon"}  # fmt: skip
    return team.live.post_json("/team-orders", {**body, "payment_method": "net_terms"})


@shows("T-1.9", "T-1.10", "T-1.11")
@pytest.mark.parametrize(
    "text", [EMAIL, EMAIL.upper(), quote(EMAIL), f"<{EMAIL}>", f"mailto:{EMAIL}", "anyone@else.example"]
)
def test_an_address_in_free_text_is_removed_alike_in_json_csv_and_pdf(team: TeamClients, text: str) -> None:
    order, removed = paid_order(team, text), "<[removed]>" if text.startswith("<") else "[removed]"
    for shown in (order, team.live.get_json(f"/team-orders/{order['id']}"), team.live.list_all("/team-orders")[0]):
        assert [row["name"] for row in shown["recipients"]] == [f"Bo {removed}"]
        assert shown["po_number"] == f"PO-7 for {removed}"
        assert shown["gift_message"] == f"Dear {removed} and 5 @ noon"
    csv = team.live.get(f"/team-orders/{order['id']}/manifest.csv").text
    assert f'"Bo {removed}"' in csv
    assert f'"PO-7 for {removed}"' in csv
    assert f"PO-7 for {removed}" in pdf_text(team.live.get(f"/invoices/{order['invoice_id']}.pdf"))


def test_a_claim_link_in_free_text_is_removed_and_the_recipient_sees_the_text_whole(team: TeamClients) -> None:
    order = paid_order(team, EMAIL)
    [link] = [mail["links"][0] for mail in team.world.mail() if mail["to"] == EMAIL]
    page = team.world.client.call("GET", f"/{link.split('/', 3)[3]}", headers={"Accept": "application/json"}).json()
    assert page["message"] == f"Dear {EMAIL} and 5 @ noon"
    changed = team.live.patch(f"/team-orders/{order['id']}", {"po_number": f"See {link} now"}).json()
    assert changed["po_number"] == "See [removed] now"


SPELLINGS: dict[str, Callable[[str], str]] = {
    "link": str,
    "encoded": lambda link: quote(link, safe=""),
    "encoded in lower case": lambda link: quote(link, safe="").lower(),
    "encoded twice": lambda link: quote(quote(link, safe=""), safe=""),
    "escaped": lambda link: link.replace("/", "\\/"),
    "without host": lambda link: link.split("/", 3)[3],
    "token": lambda link: link.rsplit("/", 1)[1],
    "token in upper case": lambda link: link.rsplit("/", 1)[1].upper(),
    "token of a query": lambda link: f"?t={link.rsplit('/', 1)[1]}&x=1",
}


@shows("T-1.10", "T-1.11")
@pytest.mark.parametrize("name", SPELLINGS)
def test_no_spelling_of_a_claim_link_is_in_json_csv_or_pdf(team: TeamClients, name: str) -> None:
    approve(team.world, create_gift(team.live))
    [link] = [mail["links"][0] for mail in team.world.mail()]
    text, token = SPELLINGS[name](link), link.rsplit("/", 1)[1]
    order = paid_order(team, text)
    team.world.simulate("invoice", invoice_id=order["invoice_id"])
    order = reload(team.live, order)
    shown = [
        team.live.get(f"/team-orders/{order['id']}").text,
        team.live.get(f"/team-orders/{order['id']}/manifest.csv").text,
        *(pdf_text(team.live.get(f"/{kind}s/{order[f'{kind}_id']}.pdf")) for kind in ("invoice", "receipt")),
    ]
    for each in shown:
        assert "PO-7 for" in each
        assert "[removed]" in each
        assert token not in each.lower()
    team.world.change_settings(strict_bodies=True)
    error = expect_error(
        team.live.post("/team-orders", {"collection": KIT, "headcount": 1, text: 1}), 422, "validation_failed"
    )
    assert token not in str(error).lower()


@pytest.mark.parametrize(
    "text", ["a warranty claim", "claims/returns", "reclaim/b", "c0ffee", "0a1b2c3d4e5f6a7b8c9", "0" * 21, "PO-2027/11"]
)
def test_an_ordinary_text_stays(team: TeamClients, text: str) -> None:
    assert paid_order(team, text)["po_number"] == f"PO-7 for {text}"


def test_json_in_json_is_named_and_not_repeated(team: TeamClients) -> None:
    text = json.dumps(json.dumps({"collection": KIT, "headcount": 1, "po_number": EMAIL}))
    error = expect_error(team.live.post("/team-orders", text), 422, "validation_failed")
    reason = "must be an object; it looks like JSON that was encoded twice"
    assert (error["message"], error["details"]) == (f"body: {reason}", [{"field": "body", "message": reason}])


def test_a_replay_returns_the_text_as_it_was_first_returned(team: TeamClients) -> None:
    body = {"collection": KIT, "headcount": 1, "po_number": EMAIL}
    first = team.live.post("/team-orders", body, Idempotency_Key="one")
    assert first.json()["po_number"] == "[removed]"
    assert team.live.post("/team-orders", body, Idempotency_Key="one").body == first.body


def test_the_url_of_a_file_is_not_free_text(team: TeamClients) -> None:
    url = "https://cdn.example.com/logo@2x.png"
    artwork = team.live.post_json("/artwork", {"url": url, "name": "Logo @2x"})
    assert (artwork["url"], artwork["name"]) == (url, "Logo @2x")


@given(local=WORDS, domain=WORDS, before=st.sampled_from(["", "to ", "<", "(", "mailto:"]))
def test_no_word_with_an_address_is_left(local: str, domain: str, before: str) -> None:
    text = remove_private(f"{before}{local}@{domain} ok")
    assert "@" not in text
    assert text.endswith("[removed] ok")
    assert remove_private(text) == text


ADA = {"work_email": "ada@example.com", "first_name": "Ada"}
SENTINEL = "sentinel.9f@hidden.example"


@shows("T-7.4", "T-2.1")
@pytest.mark.parametrize(
    "text", ["{", "", " ", "{'people': []}", '{"people": [], "people": []}', '{"people": NaN}', "\xff", "[" * 100]
)
def test_a_body_that_is_not_strict_json_is_refused(team: TeamClients, text: str) -> None:
    raw = text.encode("latin-1")
    expect_error(team.live.post("/people", raw), 400, "invalid_json")
    assert team.live.get_json("/people")["data"] == []


def test_a_body_above_the_maximum_size_is_refused(team: TeamClients) -> None:
    expect_error(team.live.post("/people", b'{"people": "' + b"x" * 4 * 1024 * 1024 + b'"}'), 400, "body_too_large")


def test_twenty_errors_are_listed_and_the_rest_is_counted(team: TeamClients) -> None:
    error = expect_error(team.live.post("/people", {"people": [5] * 30}), 422, "validation_failed")
    assert [detail["index"] for detail in error["details"]] == list(range(20))
    assert error["message"] == "row 0: body: must be an object (and 29 more, the first 20 in details)"


@pytest.mark.parametrize("bad", [(1_665, 1_666), (0, 1_665, 1_666, 1_667, 3_332, 4_999), tuple(range(1_650, 1_690))])
def test_every_bad_row_of_a_large_import_is_named_or_counted(team: TeamClients, bad: tuple[int, ...]) -> None:
    body = campaign_body(5_000)
    for i in bad:
        body["recipients"][i]["email"] = "nobody"
    error = expect_error(team.live.post("/large-campaigns", body), 422, "validation_failed")
    assert [detail["field"] for detail in error["details"]] == [f"recipients[{i}].email" for i in bad[:20]]
    assert f" (and {len(bad) - 1} more, " in error["message"]


def test_every_bad_row_of_a_large_import_of_people_is_named(team: TeamClients) -> None:
    texts = ("first_name", "last_name", "department", "location")
    people = [{"work_email": f"p{i}@example.com", **dict.fromkeys(texts, "x"), **NOTED} for i in range(500)]
    for i in (3, 454, 455, 499):
        people[i]["birthday"] = "13-40"
    error = expect_error(team.live.post("/people", {"people": people}), 422, "validation_failed")
    assert [(detail["index"], detail["field"]) for detail in error["details"]] == [
        (i, "birthday") for i in (3, 454, 455, 499)
    ]


@shows("T-1.2")
def test_no_member_of_a_body_redirects_a_write_to_another_team(team: TeamClients) -> None:
    other_team_id = team.other.get_json("/team")["id"]
    selectors = {
        "team_id": other_team_id,
        "owner_id": other_team_id,
        "account_id": other_team_id,
        "team": "other",
        "owner": "team 1",
    }
    team.live.post_json("/people", {"people": [{**ADA, **selectors}], **selectors})
    key = team.owner.post_json(
        "/keys", {"name": "N", "mode": "live", "role": "requester", "scopes": [], **selectors}
    )  # fmt: skip
    assert team.with_key(key["key"]).get_json("/team")["name"] == "Northwind Trading"
    assert len(team.live.get_json("/people")["data"]) == 1
    assert team.other.get_json("/people")["data"] == []


@shows("T-7.5", "T-1.12")
def test_all_errors_are_reported_and_no_value_is_echoed(team: TeamClients) -> None:
    rows = [{"work_email": SENTINEL, "birthday": SENTINEL}, {"work_email": f"{SENTINEL}@"}, 5, {"country": SENTINEL}]
    error = expect_error(team.live.post("/people", {"people": rows}), 422, "validation_failed")
    fields = {(row["index"], row["field"]) for row in error["details"]}
    assert {(0, "birthday"), (1, "work_email"), (2, "body"), (3, "work_email"), (3, "country")} <= fields
    assert "sentinel" not in str(error).lower()
    assert "hidden" not in str(error).lower()
    assert team.live.get_json("/people")["data"] == []


@shows("T-1.12")
def test_no_error_of_the_gateway_echoes_the_request(team: TeamClients) -> None:
    expect_status(team.live.post("/people", {"people": [ADA]}, Idempotency_Key=SENTINEL), 201)
    responses = [
        team.live.get(f"/{SENTINEL}"),
        team.live.put(f"/people/{SENTINEL}"),
        team.live.get(f"/people?limit={SENTINEL}"),
        team.live.get(f"/people?cursor={SENTINEL}"),
        team.live.get(f"/contacts?provider={SENTINEL}"),
        team.live.delete(f"/people/{SENTINEL}"),
        team.live.get(f"/collections/{SENTINEL}"),
        team.live.post("/people", {"people": []}, Idempotency_Key=SENTINEL),
        team.live.post("/people", f'{{"{SENTINEL}": 1, "{SENTINEL}": 2}}'),
        team.live.post("/people", f"{{{SENTINEL}"),
        team.live.get("/team", X_Sim_Fault=SENTINEL),
        team.live.get("/people?q=" + "x" * 200 + SENTINEL),
        TeamClient(team.world, {"Authorization": f"Bearer {SENTINEL}"}).get("/team"),
        TeamClient(team.world, {"Authorization": f"Session {SENTINEL}"}).get("/keys"),
    ]
    for response in responses:
        if response.status >= 400:
            assert "sentinel" not in response.text.lower(), response.text
    assert sum(response.status >= 400 for response in responses) >= len(responses) - 1


def test_a_setting_changes_the_status_of_invalid_bodies_to_400(team: TeamClients) -> None:
    team.world.change_settings(team__body_validation_status=400)
    error = expect_error(team.live.post("/people", {"people": []}), 400, "validation_failed")
    assert error["details"][0]["field"] == "people"


def test_a_setting_refuses_unknown_members(team: TeamClients) -> None:
    body = {"peple": 1, "people": [{**ADA, "frst_name": "x"}, {"work_email": "bo@example.com"}]}
    team.live.post_json("/people", body)
    team.world.change_settings(strict_bodies=True)
    error = expect_error(team.live.post("/people", body), 422, "validation_failed")
    assert error["details"] == [
        {"field": "peple", "message": "is not known"},
        {"index": 0, "field": "frst_name", "message": "is not known"},
    ]
    key: dict[str, Any] = {"name": "N", "mode": "live", "role": "requester", "scopes": []}
    limits = {"per_request_cents": 1, "monthly_cents": 2, "daily_cents": 3}
    assert invalid_fields(team.owner.post("/keys", {**key, "pay_limits": limits})) == ["pay_limits.daily_cents"]
    expect_status(team.owner.post("/keys", {**key, "pay_limits": None}), 201)


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"open_seat": 3}, 400, "invalid_body"),
        ({"items": [{"sku_code": "MUG-01", "quantiy": 2}]}, 400, "invalid_item"),
        ({"recipients": [{"name": "Bo", "email": "bo@example.com", "emial": "x"}]}, 422, "invalid_recipients"),
    ],
)
def test_a_setting_refuses_unknown_members_on_the_partner_interface(
    world: World, partner: PartnerClient, members: dict[str, Any], status: int, code: str
) -> None:
    assert partner.create_order(**members).status == 201
    world.change_settings(strict_bodies=True)
    response = partner.create_order(**members, idempotency_key="second")
    assert (response.status, response.json()["error"]["code"]) == (status, code)
    assert partner.post("/team-orders", order_body(idempotency_key="third")).status == 201
