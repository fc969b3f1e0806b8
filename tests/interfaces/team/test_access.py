"""Who gets in: keys in two headers, worlds and teams of their own, switches, and errors that look alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.gateway.in_process_client import Answer
from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.scene import TEAM, Team, TeamFace, refused, well

Make = Callable[..., World]


@claims("T-1.1", "T-4.1")
def test_a_key_reads_its_own_team(team: Team) -> None:
    mine, other = team.live.got("/team"), team.other.got("/team")
    assert mine["name"] == "Northwind Trading"
    assert other["name"] == "Other Team"
    assert mine["id"] != other["id"]
    assert [member["display_name"] for member in team.other.got("/members")["data"]] == ["Ash Approver", "Oscar Owner"]


@claims("T-4.3", "T-2.2")
def test_members_are_listed_newest_first_without_an_address(team: Team) -> None:
    page = team.live.got("/members")
    assert page["next_cursor"] is None
    assert [member["role"] for member in page["data"]] == ["member", "member", "approver", "approver", "owner"]
    assert team.test.got("/members") == page


@claims("T-5.3", "T-5.4")
def test_a_key_stands_in_either_header_or_in_both_alike(team: Team) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    for headers in (
        {"Authorization": f"Bearer {key}"},
        {"X-API-Key": key},
        {"Authorization": f"bearer {key}", "X-API-Key": key},
    ):
        assert TeamFace(team.world, headers).got("/team")["livemode"] is True


def test_two_headers_with_different_keys_open_nothing(team: Team) -> None:
    keys = [team.world.credentials[f"team.{name}"]["value"] for name in ("live_approver", "live_requester")]
    refused(TeamFace(team.world, {"Authorization": f"Bearer {keys[0]}", "X-API-Key": keys[1]}).get("/team"), 401,
            "invalid_api_key")  # fmt: skip


@claims("T-5.6")
def test_what_is_no_key_of_the_team_opens_nothing(team: Team) -> None:
    world = team.world
    texts = [
        "ptk_live_nope", f"ptk_live_{world.id}_nope", f"ptk_test_{world.id}_approver", "ptk_live_elsewhere_approver",
        world.credentials["partner.prepaid"]["value"], f"ptk_live_{world.id}_approver ",
        f"PTK_LIVE_{world.id}_approver", "", "é", "ptk_live_",
    ]  # fmt: skip
    for text in texts:
        for headers in ({"X-API-Key": text}, {"Authorization": f"Bearer {text}x"}):
            refused(TeamFace(world, headers).get("/team"), 401, "invalid_api_key")
    refused(TeamFace(world, world.credentials["museum"]["headers"]).get("/team"), 401, "missing_api_key")
    refused(team.owner.get("/team"), 401, "missing_api_key")


def test_a_key_opens_its_own_world_alone(new_world: Make) -> None:
    one, two = new_world(), new_world()
    headers = {**one.credentials["team.live_approver"]["headers"], "X-Sim-World": two.id}
    before = two.ask("GET", "/fingerprint")["calls"]
    well(TeamFace(two, headers).get("/team"), 200)
    assert two.ask("GET", "/fingerprint")["calls"] == before


@claims("T-5.12", "T-5.13")
@pytest.mark.parametrize(
    ("switch", "code"), [("api_enabled", "team_api_disabled"), ("agent_access", "agent_access_suspended")]
)
def test_a_switch_disables_every_key_of_the_team_until_it_is_back(team: Team, switch: str, code: str) -> None:
    keys = (team.live, team.requester, team.test, team.test_second)
    team.world.simulate("team", **{switch: False})
    for face in keys:
        refused(face.get("/team"), 401, code)
        refused(face.get("/keys"), 401, code)
    well(team.other.get("/team"), 200)
    well(team.owner.get("/keys"), 200)
    team.world.settings(team__disabled_key_status=403)
    refused(team.live.get("/team"), 403, code)
    team.world.simulate("team", **{switch: True})
    for face in keys:
        well(face.get("/team"), 200)


def test_a_disabled_key_is_told_so_before_anything_else(team: Team) -> None:
    team.world.ask("PATCH", "/keys/team.live_approver", {"scopes": [], "plan": "starter"})
    team.world.simulate("team", api_enabled=False)
    for _ in range(70):
        answer = team.live.call("POST", "/people", "{", Idempotency_Key="k" * 129)
        refused(answer, 401, "team_api_disabled")
        assert "x-ratelimit-limit" not in answer.headers


@claims("T-5.14")
def test_revocation_and_switches_come_before_a_replay(team: Team) -> None:
    people = {"people": [{"work_email": "ada@example.com", "first_name": "Ada"}]}
    first = well(team.live.post("/people", people, Idempotency_Key="one"), 201)
    assert well(team.live.post("/people", people, Idempotency_Key="one"), 201).body == first.body
    team.world.simulate("team", agent_access=False)
    refused(team.live.post("/people", people, Idempotency_Key="one"), 401, "agent_access_suspended")
    team.world.simulate("team", agent_access=True)
    team.world.ask("PATCH", "/keys/team.live_approver", {"scopes": ["orders:read"]})
    refused(team.live.post("/people", people, Idempotency_Key="one"), 403, "insufficient_scope")
    team.world.ask("DELETE", "/keys/team.live_approver")
    refused(team.live.post("/people", people, Idempotency_Key="one"), 401, "invalid_api_key")


def provoked(team: Team) -> dict[int, Answer]:
    """An answer of every kind of refusal."""
    team.world.ask("PATCH", "/keys/team.test_second", {"plan": "starter"})
    for _ in range(60):
        well(team.test_second.get("/team"), 200)
    team.live.make("/people", {"people": [{"work_email": "ada@example.com"}]}, Idempotency_Key="one")
    return {
        400: team.live.call("POST", "/people", "{"),
        401: team.nobody.get("/team"),
        403: team.requester.get("/people"),
        404: team.live.get("/nothing/here"),
        405: team.live.put("/team"),
        409: team.live.post("/people", {"people": [{"work_email": "bo@example.com"}]}, Idempotency_Key="one"),
        422: team.live.post("/people", {"people": []}),
        429: team.test_second.get("/team"),
        503: team.live.get("/team", X_Sim_Fault="status=503"),
    }


@claims("T-7.1", "T-7.2", "T-7.4", "T-7.5", "T-7.6", "T-2.1", "T-2.5")
def test_every_refusal_has_the_same_body_and_names_its_request(team: Team) -> None:
    answers = provoked(team)
    for status, answer in answers.items():
        assert answer.status == status, answer.text
        assert answer.headers["content-type"] == "application/json"
        error = answer.json()["error"]
        assert list(answer.json()) == ["error"]
        assert error.keys() - {"details"} == {"code", "message", "request_id"}
        assert all(isinstance(error[name], str) and error[name] for name in ("code", "message", "request_id"))
        assert error["request_id"] == answer.headers["x-request-id"]
        assert ("details" in error) == (status == 422)
    assert len({answer.headers["x-request-id"] for answer in answers.values()}) == len(answers)
    assert answers[503].json()["error"]["code"] == "service_unavailable"
    assert answers[405].headers["allow"] == "GET"


@claims("T-7.9", "T-7.10", "T-7.11", "T-7.12", "T-8.7")
def test_a_window_of_a_minute_is_counted_per_key_by_its_plan(team: Team) -> None:
    world = team.world
    assert team.live.get("/team").headers["x-ratelimit-limit"] == "1000000"
    world.simulate("team", plan="starter")
    other = team.other.get("/team")
    assert (team.live.get("/team").headers["x-ratelimit-limit"], other.headers["x-ratelimit-limit"]) == (
        "60",
        "1000000",
    )
    left = [int(team.requester.get("/team").headers["x-ratelimit-remaining"]) for _ in range(60)]
    assert left == list(range(59, -1, -1))
    full = team.requester.post("/people", {"people": [{"work_email": "ada@example.com"}]})
    refused(full, 429, "rate_limited")
    assert full.headers["x-ratelimit-remaining"] == "0"
    well(team.live.get("/team"), 200)
    assert team.live.got("/people")["data"] == []
    world.advance(f"{int(full.headers['retry-after']) - 1}s")
    refused(team.requester.get("/team"), 429, "rate_limited")
    world.advance("1s")
    well(team.requester.get("/team"), 200)


@claims("T-8.8")
def test_every_request_is_in_the_history_and_in_the_counts(team: Team) -> None:
    key = TeamFace(team.world, {"X-API-Key": team.world.credentials["team.test"]["value"]})
    told = [team.live.get("/team"), team.owner.get("/keys"), key.get("/nowhere")]
    calls = team.world.ask("GET", "/journal")["calls"]
    assert [(call["request"]["method"], call["request"]["path"]) for call in calls] == [
        ("GET", f"{TEAM.prefix}{path}") for path in ("/team", "/keys", "/nowhere")
    ]
    assert [call["response"]["status"] for call in calls] == [200, 200, 404]
    assert [call["response"]["headers"]["X-Request-Id"] for call in calls] == [
        answer.headers["x-request-id"] for answer in told
    ]
    usage = team.world.ask("GET", "/usage")["usage"]
    assert [(row["credential"], row["operation"], row["calls"]) for row in usage] == [
        ("team.live_approver", "getTeam", 1), ("session.owner", "listKeys", 1), ("team.test", None, 1),
    ]  # fmt: skip


def test_no_key_or_session_stands_in_the_journal(team: Team) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    TeamFace(team.world, {"X-API-Key": key}).got("/team")
    TeamFace(team.world, {"X-API-Key": "no-key-at-all", "X-Sim-World": team.world.id}).get("/team")
    TeamFace(team.world, {"Cookie": f"session=sess_{team.world.id}_owner"}).got("/keys")
    made = team.owner.make("/keys", {"name": "N", "mode": "live", "role": "requester", "scopes": []})["key"]
    told = team.world.control.get(f"/worlds/{team.world.id}/journal?limit=1000").text
    for secret in (key, "no-key-at-all", f"sess_{team.world.id}_owner", made):
        assert secret not in told


@claims("T-9.1", "T-9.2", "T-9.3")
def test_version_one_stands_under_its_base_path_on_any_host(team: Team) -> None:
    client, headers = team.world.client, team.live.headers
    for host in ("staging.example", "production.example"):
        answer = client.call("GET", "/api/teams/v1/team", headers={**headers, "Host": host})
        assert (answer.status, answer.json()["name"]) == (200, "Northwind Trading")
        assert client.call("GET", "/api/teams/v2/team", headers={**headers, "Host": host}).status == 404
        assert client.call("GET", "/team", headers={**headers, "Host": host}).status == 404
    described = client.call("GET", "/openapi/team.json").json()
    assert described["info"]["version"] == "1.0.0"
    assert described["servers"][0]["url"] == "/api/teams/v1"
