"""Invalid people: the whole body is refused, each bad row is reported by its index, no value is echoed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.people import find_person, person_row, person_rows, upsert_people

# Values that a field does not accept; the first of each is one that the documents mention.
BAD: dict[str, list[Any]] = {
    "work_email": ["abc", "", "a@", "@b", "a b@c.d", "a@b@c.d", "a@b..d", "a@[1.2.3.4]", "a\u0002@b.c", "<a@b.c>",
                   "a@b c.d", 7, None, "x" * 251 + "@b.c"],
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


@claims("T-2.9", "T-2.10", "T-2.11", "T-2.12", "T-7.5")
@pytest.mark.parametrize(("name", "value"), CASES)
def test_an_invalid_value_is_refused_by_upsert_and_patch(team: TeamClients, name: str, value: Any) -> None:
    (person,) = upsert_people(team.live, person_row("bo"))
    before = team.live.list_all("/people")
    response = team.live.post("/people", {"people": [person_row("cy"), {**person_row("di"), name: value}]})
    assert error_positions(response) == [(1, name)]
    assert invalid_fields(team.live.patch(f"/people/{person['id']}", {"last_name": "B", name: value})) == [name]
    assert team.live.list_all("/people") == before


@claims("T-2.9", "T-2.10", "T-2.11")
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
    for value in (*values, None):
        (person,) = upsert_people(team.live, person_row("bo", **{name: value}))
        assert person[name] == value
        assert find_person(team.live, person["id"])[name] == value


@claims("T-2.12")
def test_a_row_without_an_email_refuses_the_whole_upsert(team: TeamClients) -> None:
    rows = [person_row("bo"), {"first_name": "Cy"}, person_row("di", birthday="x", country="x"), 7, {}]
    response = team.live.post("/people", {"people": rows})
    assert sorted(error_positions(response)) == [
        (1, "work_email"), (2, "birthday"), (2, "country"), (3, "body"), (4, "work_email"),
    ]  # fmt: skip
    assert team.live.list_all("/people") == []


@claims("T-2.43", "T-7.5")
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


@claims("T-7.4")
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


@claims("T-1.12")
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


@claims("T-2.12")
def test_a_setting_changes_the_status_of_invalid_bodies(team: TeamClients) -> None:
    team.world.change_settings(team__body_validation_status=400)
    expect_error(team.live.post("/people", {"people": [{"work_email": "abc"}]}), 400, "validation_failed")
    expect_status(team.live.post("/people", {"people": [person_row("bo")]}), 201)


@pytest.mark.parametrize("name", ["live", "test"])
def test_a_corrected_body_can_use_the_same_idempotency_key(team: TeamClients, name: str) -> None:
    client: TeamClient = getattr(team, name)
    expect_error(client.post("/people", {"people": [{}]}, Idempotency_Key="k"), 422, "validation_failed")
    expect_status(client.post("/people", {"people": [person_row("bo")]}, Idempotency_Key="k"), 201)
