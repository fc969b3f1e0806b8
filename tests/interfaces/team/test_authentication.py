"""Keys of the team interface: headers, worlds, switches, rate limits, and the error envelope."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import TEAM_CONTRACT, TeamClient, TeamClients
from tests.support.worlds import World

Make = Callable[..., World]


@shows("T-1.1", "T-4.1")
def test_a_key_reads_its_own_team(team: TeamClients) -> None:
    mine, other = team.live.get_json("/team"), team.other.get_json("/team")
    assert mine["name"] == "Northwind Trading"
    assert other["name"] == "Other Team"
    assert mine["id"] != other["id"]
    assert [member["display_name"] for member in team.other.get_json("/members")["data"]] == [
        "Ash Approver",
        "Oscar Owner",
    ]


@shows("T-4.3", "T-2.2")
def test_members_are_listed_newest_first_without_emails(team: TeamClients) -> None:
    page = team.live.get_json("/members")
    assert page["next_cursor"] is None
    assert [member["role"] for member in page["data"]] == ["member", "member", "approver", "approver", "owner"]
    assert team.test.get_json("/members") == page


@shows("T-5.3", "T-5.4")
def test_a_key_is_sent_in_either_header_or_the_same_in_both(team: TeamClients) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    for headers in (
        {"Authorization": f"Bearer {key}"},
        {"X-API-Key": key},
        {"Authorization": f"bearer {key}", "X-API-Key": key},
        {"Authorization": f"Bearer  {key}"},
        {"Authorization": f"Bearer {key}", "X-API-Key": ""},
        {"Authorization": "Bearer ", "X-API-Key": key},
    ):
        assert TeamClient(team.world, headers).get_json("/team")["livemode"] is True


def test_empty_headers_have_no_key(team: TeamClients) -> None:
    for headers in (
        {},
        {"X-API-Key": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer  ", "X-API-Key": ""},
    ):
        expect_error(TeamClient(team.world, headers).get("/team"), 401, "missing_api_key")


def test_different_keys_in_the_two_headers_are_refused(team: TeamClients) -> None:
    keys = [team.world.credentials[f"team.{name}"]["value"] for name in ("live_approver", "live_requester")]
    expect_error(TeamClient(team.world, {"Authorization": f"Bearer {keys[0]}", "X-API-Key": keys[1]}).get("/team"), 401,
            "invalid_api_key")  # fmt: skip


@shows("T-5.6")
def test_malformed_and_unknown_keys_are_refused(team: TeamClients) -> None:
    world = team.world
    texts = [
        "ptk_live_nope", f"ptk_live_{world.id}_nope", f"ptk_test_{world.id}_approver", "ptk_live_elsewhere_approver",
        world.credentials["partner.prepaid"]["value"], f"ptk_live_{world.id}_approver ",
        f"PTK_LIVE_{world.id}_approver", "é", "ptk_live_",
    ]  # fmt: skip
    for text in texts:
        for headers in ({"X-API-Key": text}, {"Authorization": f"Bearer {text}x"}):
            expect_error(TeamClient(world, headers).get("/team"), 401, "invalid_api_key")
    expect_error(TeamClient(world, world.credentials["museum"]["headers"]).get("/team"), 401, "missing_api_key")
    expect_error(team.owner.get("/team"), 401, "missing_api_key")


def test_a_key_selects_its_own_world_despite_the_world_header(new_world: Make) -> None:
    one, two = new_world(), new_world()
    headers = {**one.credentials["team.live_approver"]["headers"], "X-Sim-World": two.id}
    before = two.call_control("GET", "/fingerprint")["calls"]
    expect_status(TeamClient(two, headers).get("/team"), 200)
    assert two.call_control("GET", "/fingerprint")["calls"] == before


@shows("T-5.12", "T-5.13")
@pytest.mark.parametrize(
    ("switch", "code"), [("api_enabled", "team_api_disabled"), ("agent_access", "agent_access_suspended")]
)
def test_a_switch_disables_every_key_of_the_team_until_it_is_on_again(
    team: TeamClients, switch: str, code: str
) -> None:
    keys = (team.live, team.requester, team.test, team.test_second)
    team.world.simulate("team", **{switch: False})
    for client in keys:
        expect_error(client.get("/team"), 401, code)
        expect_error(client.get("/keys"), 401, code)
    expect_status(team.other.get("/team"), 200)
    expect_status(team.owner.get("/keys"), 200)
    team.world.change_settings(team__disabled_key_status=403)
    expect_error(team.live.get("/team"), 403, code)
    team.world.simulate("team", **{switch: True})
    for client in keys:
        expect_status(client.get("/team"), 200)


def test_a_disabled_key_is_refused_before_all_other_checks(team: TeamClients) -> None:
    team.world.call_control("PATCH", "/keys/team.live_approver", {"scopes": [], "plan": "starter"})
    team.world.simulate("team", api_enabled=False)
    for _ in range(70):
        response = team.live.call("POST", "/people", "{", Idempotency_Key="k" * 129)
        expect_error(response, 401, "team_api_disabled")
        assert "x-ratelimit-limit" not in response.headers


@shows("T-5.14")
def test_revocation_and_switches_are_checked_before_an_idempotent_replay(team: TeamClients) -> None:
    people = {"people": [{"work_email": "ada@example.com", "first_name": "Ada"}]}
    first = expect_status(team.live.post("/people", people, Idempotency_Key="one"), 201)
    assert expect_status(team.live.post("/people", people, Idempotency_Key="one"), 201).body == first.body
    team.world.simulate("team", agent_access=False)
    expect_error(team.live.post("/people", people, Idempotency_Key="one"), 401, "agent_access_suspended")
    team.world.simulate("team", agent_access=True)
    team.world.call_control("PATCH", "/keys/team.live_approver", {"scopes": ["orders:read"]})
    expect_error(team.live.post("/people", people, Idempotency_Key="one"), 403, "insufficient_scope")
    team.world.call_control("DELETE", "/keys/team.live_approver")
    expect_error(team.live.post("/people", people, Idempotency_Key="one"), 401, "invalid_api_key")


def error_responses(team: TeamClients) -> dict[int, Response]:
    """One response for each error status, by status."""
    team.world.call_control("PATCH", "/keys/team.test_second", {"plan": "starter"})
    for _ in range(60):
        expect_status(team.test_second.get("/team"), 200)
    team.live.post_json("/people", {"people": [{"work_email": "ada@example.com"}]}, Idempotency_Key="one")
    return {
        400: team.live.call("POST", "/people", "{"),
        401: team.anonymous.get("/team"),
        403: team.requester.get("/people"),
        404: team.live.get("/nothing/here"),
        405: team.live.put("/team"),
        409: team.live.post("/people", {"people": [{"work_email": "bo@example.com"}]}, Idempotency_Key="one"),
        422: team.live.post("/people", {"people": []}),
        429: team.test_second.get("/team"),
        503: team.live.get("/team", X_Sim_Fault="status=503"),
    }


@shows("T-7.1", "T-7.2", "T-7.4", "T-7.5", "T-7.6", "T-2.1", "T-2.5")
def test_every_error_has_the_same_envelope_and_names_its_request(team: TeamClients) -> None:
    responses = error_responses(team)
    for status, response in responses.items():
        assert response.status == status, response.text
        assert response.headers["content-type"] == "application/json"
        error = response.json()["error"]
        assert list(response.json()) == ["error"]
        assert error.keys() - {"details"} == {"code", "message", "request_id"}
        assert all(isinstance(error[name], str) and error[name] for name in ("code", "message", "request_id"))
        assert error["request_id"] == response.headers["x-request-id"]
        assert ("details" in error) == (status == 422)
    assert len({response.headers["x-request-id"] for response in responses.values()}) == len(responses)
    assert responses[503].json()["error"]["code"] == "service_unavailable"
    assert responses[405].headers["allow"] == "GET, HEAD, OPTIONS"


@shows("T-7.9", "T-7.10", "T-7.11", "T-7.12", "T-8.7")
def test_calls_are_limited_per_key_and_minute_by_the_plan(team: TeamClients) -> None:
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
    expect_error(full, 429, "rate_limited")
    assert full.headers["x-ratelimit-remaining"] == "0"
    expect_status(team.live.get("/team"), 200)
    assert team.live.get_json("/people")["data"] == []
    world.advance(f"{int(full.headers['retry-after']) - 1}s")
    expect_error(team.requester.get("/team"), 429, "rate_limited")
    world.advance("1s")
    expect_status(team.requester.get("/team"), 200)


@shows("T-8.8")
def test_every_request_is_in_the_call_log_and_the_usage_counts(team: TeamClients) -> None:
    key = TeamClient(team.world, {"X-API-Key": team.world.credentials["team.test"]["value"]})
    responses = [team.live.get("/team"), team.owner.get("/keys"), key.get("/nowhere")]
    calls = team.world.call_control("GET", "/calls")["calls"]
    assert [(call["request"]["method"], call["request"]["path"]) for call in calls] == [
        ("GET", f"{TEAM_CONTRACT.prefix}{path}") for path in ("/team", "/keys", "/nowhere")
    ]
    assert [call["response"]["status"] for call in calls] == [200, 200, 404]
    assert [call["response"]["headers"]["X-Request-Id"] for call in calls] == [
        response.headers["x-request-id"] for response in responses
    ]
    usage = team.world.call_control("GET", "/usage")["usage"]
    assert [(row["credential"], row["operation"], row["calls"]) for row in usage] == [
        ("team.live_approver", "getTeam", 1), ("session.owner", "listKeys", 1), ("team.test", None, 1),
    ]  # fmt: skip


def test_no_key_or_session_is_in_the_call_log(team: TeamClients) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    TeamClient(team.world, {"X-API-Key": key}).get_json("/team")
    TeamClient(team.world, {"X-API-Key": "no-key-at-all", "X-Sim-World": team.world.id}).get("/team")
    TeamClient(team.world, {"Cookie": f"session=sess_{team.world.id}_owner"}).get_json("/keys")
    created = team.owner.post_json("/keys", {"name": "N", "mode": "live", "role": "requester", "scopes": []})["key"]
    log_text = team.world.control.get(f"/worlds/{team.world.id}/calls?limit=1000").text
    for secret in (key, "no-key-at-all", f"sess_{team.world.id}_owner", created):
        assert secret not in log_text


@shows("T-9.1", "T-9.2", "T-9.3")
def test_version_one_is_served_below_its_base_path_on_any_host(team: TeamClients) -> None:
    client, headers = team.world.client, team.live.headers
    for host in ("staging.example", "production.example"):
        response = client.call("GET", "/api/teams/v1/team", headers={**headers, "Host": host})
        assert (response.status, response.json()["name"]) == (200, "Northwind Trading")
        assert client.call("GET", "/api/teams/v2/team", headers={**headers, "Host": host}).status == 404
        assert client.call("GET", "/team", headers={**headers, "Host": host}).status == 404
    described = client.call("GET", "/openapi/team.json").json()
    assert described["info"]["version"] == "1.0.0"
    assert described["servers"][0]["url"].endswith("/api/teams/v1")
