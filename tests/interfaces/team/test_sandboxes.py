"""Sandboxes: records of a test key are separate from live ones, and shared in a team only by a setting."""

from __future__ import annotations

import re
from typing import Any

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClient, TeamClients

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def create_person(client: TeamClient, name: str) -> Any:
    """Create a person with this name."""
    return client.post_json("/people", {"people": [{"work_email": f"{name}@example.com", "first_name": name}]})["data"][
        0
    ]


def first_names(client: TeamClient) -> list[str]:
    return [row["first_name"] for row in client.get_json("/people")["data"]]


@shows("T-1.14", "T-2.3", "T-2.4", "T-5.1", "T-5.2")
def test_live_records_and_those_of_each_test_key_are_separate(team: TeamClients) -> None:
    clients = {"live": team.live, "test": team.test, "second": team.test_second, "other": team.other}
    people = {name: create_person(client, name) for name, client in clients.items()}
    for name, person in people.items():
        live = name in ("live", "other")
        assert person["livemode"] is live
        assert isinstance(person["id"], int) if live else UUID.fullmatch(person["id"])
        assert first_names(clients[name]) == [name]
        for other, client in clients.items():
            response = client.patch(f"/people/{person['id']}", {"zip": "1"})
            if other == name:
                expect_status(response, 200)
            else:
                expect_error(response, 404, "not_found")
    assert len({person["id"] for person in people.values()}) == 4


def test_a_setting_lets_a_team_share_one_sandbox(team: TeamClients) -> None:
    team.world.change_settings(sandbox__namespace="team")
    person = create_person(team.test, "shared")
    assert first_names(team.test_second) == ["shared"]
    expect_status(team.test_second.delete(f"/people/{person['id']}"), 200)
    assert first_names(team.live) == []
    other_keys = team.world.call_control("POST", "/keys", {"interface": "team", "mode": "test", "team": "other"})
    assert first_names(TeamClient(team.world, other_keys["headers"])) == []


def test_an_id_in_a_path_must_have_the_type_of_the_mode(team: TeamClients) -> None:
    live, test = create_person(team.live, "live")["id"], create_person(team.test, "test")["id"]
    for raw in (f"0{live}", f"+{live}", f"{live}.0", f"{live}%20", "1e9", "%D9%A1", "9" * 40, test):
        expect_error(team.live.delete(f"/people/{raw}"), 404, "not_found")
    for raw in (test[:-1], test.replace("-", ""), f"{{{test}}}", str(live)):
        expect_error(team.test.delete(f"/people/{raw}"), 404, "not_found")
    expect_status(team.test.delete(f"/people/{test.upper()}"), 200)
    expect_status(team.live.delete(f"/people/{live}"), 200)


def test_an_id_in_a_body_must_have_the_type_of_the_mode(team: TeamClients) -> None:
    nobody = "00000000-0000-4000-8000-000000000000"
    body = {"collection": "welcome-kit", "headcount": 1}
    for client, wrong, unknown in ((team.live, nobody, 999_999), (team.test, 999_999, nobody)):
        order = client.post_json("/team-orders", body)["id"]
        malformed: tuple[Any, ...] = (wrong, True, 1.5, "x", [], f"{unknown} ")
        for value in malformed:
            assert invalid_fields(client.patch(f"/team-orders/{order}", {"cost_center_id": value})) == [
                "cost_center_id"
            ]
        assert invalid_fields(client.patch(f"/team-orders/{order}", {"cost_center_id": unknown})) == ["cost_center_id"]
        both = client.patch(f"/team-orders/{order}", {"cost_center_id": wrong, "po_number": 5})
        assert sorted(invalid_fields(both)) == ["cost_center_id", "po_number"]
        expect_status(client.patch(f"/team-orders/{order}", {"cost_center_id": None}), 200)
