"""People: created and updated by work email, changed by id, removed; no response contains an email."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.people import (
    PERSON_FIELDS,
    display_names,
    find_person,
    patch_person,
    person_ids,
    person_row,
    person_rows,
    upsert_people,
)

SENTINEL = "Sentinel.7Q@hidden.example"


@pytest.fixture(params=["live", "test"])
def client(team: TeamClients, request: pytest.FixtureRequest) -> TeamClient:
    """A client in live mode or in test mode."""
    chosen: TeamClient = getattr(team, request.param)
    return chosen


@shows("T-4.19", "T-4.23", "T-2.43")
def test_new_people_are_created_and_listed_newest_first(client: TeamClient) -> None:
    assert client.get_json("/people") == {"data": [], "next_cursor": None}
    response = expect_status(
        client.post("/people", {"people": [person_row("bo"), person_row("cy")]}, Idempotency_Key=None), 201
    ).json()
    assert (response["created"], response["updated"]) == (2, 0)
    assert display_names(response["data"]) == ["Bo", "Cy"]
    assert person_ids(client.list_all("/people")) == person_ids(response["data"])[::-1]


@shows("T-2.7", "T-2.10")
def test_every_field_is_stored_as_written(client: TeamClient) -> None:
    (person,) = upsert_people(client, person_row("cy", **PERSON_FIELDS))
    for listed in (person, find_person(client, person["id"])):
        assert {name: listed[name] for name in PERSON_FIELDS} == PERSON_FIELDS
    assert person["display_name"] == "Cy Cole"
    assert (person["provider"], person["managed_fields"], person["ignored_fields"]) == (None, [], [])


def test_fields_left_out_are_null(client: TeamClient) -> None:
    (person,) = upsert_people(client, {"work_email": "bo@example.com"})
    assert {person[name] for name in PERSON_FIELDS} == {None}
    assert person["livemode"] is isinstance(person["id"], int)


@shows("T-4.25", "T-2.12")
@pytest.mark.parametrize("spelling", ["bo@example.com", "BO@Example.COM", "  bo@example.com\n", "\u2003Bo@example.com"])
def test_a_known_email_updates_that_person_and_keeps_the_id(
    team: TeamClients, client: TeamClient, spelling: str
) -> None:
    (person,) = upsert_people(client, person_row("bo", **PERSON_FIELDS))
    team.world.advance("1h")
    response = expect_status(
        client.post("/people", {"people": [{"work_email": spelling, "department": "Legal"}]}), 200
    ).json()
    assert (response["created"], response["updated"]) == (0, 1)
    expected = {**person, "department": "Legal", "updated_at": team.world.now}
    assert response["data"] == [expected]
    assert person_ids(client.list_all("/people")) == [person["id"]]


@shows("T-4.25")
def test_an_upsert_may_create_some_and_update_others(client: TeamClient) -> None:
    (bo,) = upsert_people(client, person_row("bo"))
    response = expect_status(
        client.post("/people", {"people": [person_row("cy"), person_row("bo", department="Legal"), person_row("di")]}),
        201,
    ).json()
    assert (response["created"], response["updated"]) == (2, 1)
    assert display_names(response["data"]) == ["Cy", "Bo", "Di"]
    assert response["data"][1]["id"] == bo["id"]
    assert len(client.list_all("/people")) == 3


def test_the_later_of_two_rows_with_the_same_email_wins(client: TeamClient) -> None:
    rows = [
        person_row("bo", department="Legal", zip="1"),
        person_row("bo", work_email="BO@example.com", department="Sales"),
    ]
    response = expect_status(client.post("/people", {"people": rows}), 201).json()
    assert (response["created"], response["updated"]) == (1, 1)
    assert response["data"][0] == response["data"][1]
    assert (response["data"][0]["department"], response["data"][0]["zip"]) == ("Sales", "1")


@shows("T-2.6", "T-4.26", "T-1.13")
def test_a_patch_changes_the_fields_sent_and_no_others(team: TeamClients, client: TeamClient) -> None:
    (other, person) = upsert_people(client, person_row("bo"), person_row("cy", **PERSON_FIELDS))
    listed = client.get_json("/people")["data"][0]
    assert (listed["id"], listed["display_name"]) == (person["id"], "Cy Cole")
    team.world.advance("1h")
    response = expect_status(
        client.patch(f"/people/{person['id']}", {"department": "Legal"}, Idempotency_Key=None), 200
    ).json()
    assert response == {**person, "department": "Legal", "updated_at": team.world.now}
    assert patch_person(client, person["id"], zip=None, first_name=None) == {
        **response, "zip": None, "first_name": None, "display_name": "Cole",
    }  # fmt: skip
    assert find_person(client, other["id"]) == {
        name: value for name, value in other.items() if name != "ignored_fields"
    }


@pytest.mark.parametrize("body", [{}, {"id": 1}, {"display_name": "Eve", "livemode": True, "colour": "red"}])
def test_read_only_members_are_ignored(team: TeamClients, client: TeamClient, body: Any) -> None:
    (person,) = upsert_people(client, person_row("bo"))
    team.world.advance("1h")
    assert patch_person(client, person["id"], **body) == person


def test_an_email_can_be_changed_but_not_to_one_in_use(client: TeamClient) -> None:
    bo, cy = upsert_people(client, person_row("bo"), person_row("cy"))
    error = expect_error(
        client.patch(f"/people/{cy['id']}", {"work_email": " BO@example.com"}), 422, "validation_failed"
    )
    assert error["details"] == [{"field": "work_email", "message": error["details"][0]["message"]}]
    patch_person(client, bo["id"], work_email="Bo@Example.com", department="Legal")
    patch_person(client, bo["id"], work_email="bob@example.com")
    patch_person(client, cy["id"], work_email="bo@example.com")
    assert person_ids(upsert_people(client, person_row("bob"), person_row("bo"))) == [bo["id"], cy["id"]]


@shows("T-4.28")
def test_a_person_is_removed_from_the_roster(client: TeamClient) -> None:
    bo, cy = upsert_people(client, person_row("bo"), person_row("cy"))
    deleted = expect_status(client.delete(f"/people/{bo['id']}", Idempotency_Key=None), 200)
    assert deleted.json() == {"id": bo["id"], "deleted": True, "livemode": bo["livemode"]}
    assert person_ids(client.list_all("/people")) == [cy["id"]]
    expect_error(client.delete(f"/people/{bo['id']}"), 404, "not_found")
    expect_error(client.patch(f"/people/{bo['id']}", {}), 404, "not_found")
    (again,) = upsert_people(client, person_row("bo"))
    assert again["id"] not in (bo["id"], cy["id"])


@shows("T-1.3", "T-1.14")
def test_a_person_of_another_team_or_mode_is_not_found(team: TeamClients) -> None:
    clients = [team.live, team.other, team.test, team.test_second]
    people = [upsert_people(client, person_row("bo"))[0]["id"] for client in clients]
    assert len(set(people)) == len(clients)
    for client, own in zip(clients, people, strict=True):
        assert person_ids(client.list_all("/people")) == [own]
        for foreign in (person_id for person_id in people if person_id != own):
            expect_error(client.patch(f"/people/{foreign}", {"zip": "1"}), 404, "not_found")
            expect_error(client.delete(f"/people/{foreign}"), 404, "not_found")
        assert find_person(client, own)["zip"] is None


@shows("T-7.6")
@pytest.mark.parametrize("person_id", ["0", "-1", "1.5", "060001", "+60001", "x", UNKNOWN_ID, "9" * 30, "60001%20"])
def test_a_malformed_id_is_not_found(team: TeamClients, person_id: str) -> None:
    upsert_people(team.live, person_row("bo"))
    upsert_people(team.test, person_row("bo"))
    for client in (team.live, team.test):
        expect_error(client.patch(f"/people/{person_id}", {}), 404, "not_found")
        expect_error(client.delete(f"/people/{person_id}"), 404, "not_found")


@shows("T-2.8")
def test_no_response_about_people_contains_an_email(client: TeamClient) -> None:
    rows = [
        person_row("bo", work_email=SENTINEL, birthday="01-01"),
        {"work_email": f"{SENTINEL}.org", "start_date": "1990-01-01"},
    ]
    responses = [client.post("/people", {"people": rows}), client.post("/people", {"people": rows})]
    for record in responses[0].json()["data"]:
        responses.append(client.patch(f"/people/{record['id']}", {"work_email": f"new.{record['id']}.{SENTINEL}"}))
    responses += [client.get("/people"), client.get("/people/upcoming"), client.delete(f"/people/{record['id']}")]
    for response in responses:
        assert response.status < 300
        assert "work_email" not in response.text
        assert "sentinel" not in response.text.lower()
        assert "hidden" not in response.text.lower()


def test_the_display_name_of_a_person_without_a_name_is_the_id(client: TeamClient) -> None:
    blank, half = upsert_people(
        client, {"work_email": "a@example.com", "first_name": " "}, person_row("cy", last_name="")
    )
    assert blank["display_name"] == f"Person {blank['id']}"
    assert half["display_name"] == "Cy"


def test_an_upsert_takes_five_hundred_people(client: TeamClient) -> None:
    rows = person_rows(500)
    response = expect_status(client.post("/people", {"people": rows}), 201).json()
    assert (response["created"], len(response["data"])) == (500, 500)
    assert expect_status(client.post("/people", {"people": rows}), 200).json()["updated"] == 500


@shows("T-4.211")
def test_an_upsert_with_an_idempotency_key_is_replayed(team: TeamClients, client: TeamClient) -> None:
    body = {"people": [person_row("bo")]}
    first = expect_status(client.post("/people", body, Idempotency_Key="once"), 201)
    (bo,) = first.json()["data"]
    expect_status(client.delete(f"/people/{bo['id']}"), 200)
    again = expect_status(client.post("/people", body, Idempotency_Key="once"), 201)
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    assert client.list_all("/people") == []
    expect_error(
        client.post("/people", {"people": [person_row("cy")]}, Idempotency_Key="once"), 409, "idempotency_key_reused"
    )
    assert client.list_all("/people") == []


# Values that a field does not accept; the first of each is one that the documents mention.
BAD: dict[str, list[Any]] = {
    "work_email": ["abc", "", "a@", "@b", "a b@c.d", "a@b@c.d", "a@b..d", "a@[1.2.3.4]", "a\u0002@b.c", "<a@b.c>",
                   "a@b c.d", 7, "x" * 251 + "@b.c"],
    "start_date": ["2026-02-30", "01/02/2026", 20260101, "2026-1-2", "0000-01-01", "2026-02-28T00:00:00Z", "", True,
                   "2025-02-29", "2026-13-01", "２０２６-02-28"],
    "birthday": ["1990-05-01", "13-40", "02-30", "04-31", "00-10", "10-00", "5-1", "", 501, "--05-01", "05-01\n"],
    "country": ["Germany", "ZZZ", "de", "ZZ", "", 49, "D\u0415"],
    "first_name": [7, ["Bo"], "x" * 201, "a\nb", "a\u2028b", "a\u2029b", "a\u0085b", "\u0001", {"a": 1}, True],
    "department": [7, "x" * 201, "a\tb"],
    "zip": [10115, "x" * 21, "1\n2"],
    "status": [False, "\u0002"],
}  # fmt: skip
CASES = [(name, value) for name, values in BAD.items() for value in values]


def error_positions(response: Any) -> list[tuple[int | None, str]]:
    """The row and the field of each detail of an error."""
    rows = expect_error(response, 422, "validation_failed")["details"]
    assert all(each["message"] for each in rows)
    return [(each.get("index"), each["field"]) for each in rows]


@shows("T-2.9", "T-2.10", "T-2.11", "T-2.12", "T-7.5")
@pytest.mark.parametrize(("name", "value"), CASES)
def test_an_invalid_value_is_refused_by_upsert_and_patch(team: TeamClients, name: str, value: Any) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    before = team.live.list_all("/people")
    response = team.live.post("/people", {"people": [person_row("cy"), {**person_row("di"), name: value}]})
    assert error_positions(response) == [(1, name)]
    assert invalid_fields(team.live.patch(f"/people/{person['id']}", {"last_name": "B", name: value})) == [name]
    assert team.live.list_all("/people") == before


@shows("T-2.9", "T-2.10", "T-2.11")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("start_date", ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"]),
        ("birthday", ["02-29", "05-01", "12-31"]),
        ("country", ["DE", "US"]),
        ("zip", ["", "K1A 0B1", "x" * 20]),
        ("location", ["São Paulo 🌇", "x" * 200, ""]),
    ],
)
def test_valid_values_are_accepted_and_null_clears_a_field(team: TeamClients, name: str, values: list[str]) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    for value in values:
        (person,) = upsert_people(team.live, person_row("bo", **{name: value}))
        assert person[name] == value
        assert find_person(team.live, person["id"])[name] == value
    assert patch_person(team.live, person["id"], **{name: None})[name] is None
    assert find_person(team.live, person["id"])[name] is None


@shows("T-2.12")
def test_a_row_without_an_email_refuses_the_whole_upsert(team: TeamClients) -> None:
    rows = [person_row("bo"), {"first_name": "Cy"}, person_row("di", birthday="x", country="x"), 7, {}]
    response = team.live.post("/people", {"people": rows})
    assert sorted(error_positions(response)) == [
        (1, "work_email"), (2, "birthday"), (2, "country"), (3, "body"), (4, "work_email"),
    ]  # fmt: skip
    assert team.live.list_all("/people") == []


@shows("T-2.43", "T-7.5")
@pytest.mark.parametrize(
    "body", [[], {}, {"people": []}, {"people": None}, {"people": {}}, b'"x"', 7, None, [person_row("bo")]]
)
def test_a_body_that_is_not_a_list_of_people_is_refused(team: TeamClients, body: Any) -> None:
    response = team.live.post("/people", body if body is not None else b"null")
    assert set(error_positions(response)) <= {(None, "body"), (None, "people")}
    assert team.live.list_all("/people") == []


@pytest.mark.parametrize("body", [[], b'"x"', 7, b"null"])
def test_a_patch_that_is_not_an_object_is_refused(team: TeamClients, body: Any) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    assert invalid_fields(team.live.patch(f"/people/{person['id']}", body)) == ["body"]


@shows("T-7.4")
@pytest.mark.parametrize("body", [b"{", b"", b'{"people": NaN}', b'{"people": [], "people": []}', b"\xff"])
def test_a_body_that_is_not_json_is_refused(team: TeamClients, body: bytes) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    expect_error(team.live.post("/people", body), 400, "invalid_json")
    expect_error(team.live.patch(f"/people/{person['id']}", body), 400, "invalid_json")


def test_more_than_five_hundred_rows_are_refused(team: TeamClients) -> None:
    assert error_positions(team.live.post("/people", {"people": person_rows(501)})) == [(None, "people")]
    assert team.live.list_all("/people") == []
    team.world.change_settings(people__max_rows=2)
    assert error_positions(team.live.post("/people", {"people": person_rows(3)})) == [(None, "people")]
    assert len(upsert_people(team.live, *person_rows(2))) == 2


@shows("T-1.12")
def test_an_error_echoes_no_value(team: TeamClients) -> None:
    secret = "sentinel.7q@hidden"
    (person,) = upsert_people(team.live, person_row("bo", work_email=f"{secret}.example"), person_row("cy"))[1:]
    bodies: list[Any] = [
        dict.fromkeys(BAD, secret + "\u0001"),
        {"work_email": f"{secret}..example", "first_name": {secret: secret}},
        {"work_email": f"{secret}.example"},
    ]
    for body in bodies:
        responses = [team.live.patch(f"/people/{person['id']}", body)]
        if body is not bodies[-1]:
            responses.append(team.live.post("/people", {"people": [body]}))
        for response in responses:
            expect_error(response, 422, "validation_failed")
            assert "sentinel" not in response.text
            assert "hidden" not in response.text
    assert "sentinel" not in team.live.patch("/people/sentinel@hidden", {}).text


@shows("T-2.12")
def test_a_setting_changes_the_status_of_invalid_bodies(team: TeamClients) -> None:
    team.world.change_settings(team__body_validation_status=400)
    expect_error(team.live.post("/people", {"people": [{"work_email": "abc"}]}), 400, "validation_failed")
    expect_status(team.live.post("/people", {"people": [person_row("bo")]}), 201)


@pytest.mark.parametrize("name", ["live", "test"])
def test_a_corrected_body_can_use_the_same_idempotency_key(team: TeamClients, name: str) -> None:
    client: TeamClient = getattr(team, name)
    expect_error(client.post("/people", {"people": [{}]}, Idempotency_Key="k"), 422, "validation_failed")
    expect_status(client.post("/people", {"people": [person_row("bo")]}, Idempotency_Key="k"), 201)


def test_a_setting_refuses_two_rows_with_one_email(team: TeamClients) -> None:
    rows = [person_row("bo", zip="1"), person_row("cy"), person_row("di", work_email=" BO@example.com ", zip="2")]
    team.world.change_settings(people__same_email_twice="refuse")
    error = expect_error(team.live.post("/people", {"people": rows}), 422, "validation_failed")
    assert [(each["index"], each["field"], each["message"]) for each in error["details"]] == [
        (2, "work_email", "is the email of row 0 too")
    ]
    assert team.live.list_all("/people") == []
    team.world.change_settings(people__same_email_twice="last_wins")
    assert [person["zip"] for person in upsert_people(team.live, *rows)] == ["2", None, "2"]


@shows("T-2.7", "T-4.19")
@pytest.mark.parametrize("clears", [False, True])
def test_null_in_an_upsert_counts_as_absent_unless_the_setting_lets_it_clear(team: TeamClients, clears: bool) -> None:
    team.world.change_settings(**{"people.null_clears": clears})
    (before,) = upsert_people(team.live, person_row("cy", **PERSON_FIELDS))
    nulls = dict.fromkeys(PERSON_FIELDS)
    (after,) = upsert_people(team.live, person_row("cy", **{**nulls, "department": "Sales"}))
    left = nulls if clears else PERSON_FIELDS
    assert {name: after[name] for name in PERSON_FIELDS} == {**left, "department": "Sales"}
    assert after["id"] == before["id"]
    cleared = patch_person(team.live, after["id"], **nulls)
    assert {name: cleared[name] for name in PERSON_FIELDS} == nulls
