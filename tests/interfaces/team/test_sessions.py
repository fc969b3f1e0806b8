"""Sessions: members who sign in, by header or cookie, and their permissions."""

from __future__ import annotations

from collections.abc import Callable

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.responses import status_and_code as control_refused
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.worlds import World

Make = Callable[..., World]


def client_with(world: World, **headers: str) -> TeamClient:
    """A client with only these headers."""
    return TeamClient(world, {name.replace("_", "-"): value for name, value in headers.items()})


def test_a_world_has_the_documented_sessions(team: TeamClients) -> None:
    entries = {name: entry for name, entry in team.world.credentials.items() if name.startswith("session.")}
    assert {name: entry["value"] for name, entry in entries.items()} == {
        f"session.{name}": f"sess_{team.world.id}_{name}" for name in ("owner", "approver", "member", "otherowner")
    }
    assert entries["session.owner"]["headers"] == {"Authorization": f"Session sess_{team.world.id}_owner"}


def test_a_session_is_sent_in_the_header_or_the_cookie(team: TeamClients) -> None:
    token = team.world.credentials["session.owner"]["value"]
    approver = team.world.credentials["session.approver"]["value"]
    expect_status(client_with(team.world, Authorization=f"session {token}").get("/keys"), 200)
    expect_status(client_with(team.world, Cookie=f"theme=dark; session={token}").get("/keys"), 200)
    expect_status(
        client_with(team.world, Authorization=f"Session {token}", Cookie=f"session={token}").get("/keys"), 200
    )
    both = client_with(team.world, Authorization=f"Session {token}", Cookie=f"session={approver}")
    expect_error(both.get("/keys"), 401, "invalid_session")


def test_malformed_and_unknown_sessions_are_refused(team: TeamClients, new_world: Make) -> None:
    elsewhere = new_world().id
    for text in ("nobody", f"sess_{team.world.id}_nobody", f"sess_{elsewhere}_owner x", "sess_nowhere_owner"):
        expect_error(client_with(team.world, Authorization=f"Session {text}").get("/keys"), 401, "invalid_session")
        expect_error(client_with(team.world, Cookie=f'session="{text}"').get("/keys"), 401, "invalid_session")
    for headers in ({"Authorization": "Session "}, {"Cookie": "session="}, {"Cookie": 'session=""'}):
        expect_error(client_with(team.world, **headers).get("/keys"), 401, "missing_session")
    expect_error(client_with(team.world, Cookie="theme=dark").get("/keys"), 401, "missing_session")
    expect_error(client_with(team.world, Authorization="Bearer ptk_live_nope").get("/keys"), 401, "invalid_api_key")


def test_a_session_takes_precedence_over_a_key(team: TeamClients) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    token = team.world.credentials["session.owner"]["value"]
    client = client_with(team.world, Authorization=f"Bearer {key}", Cookie=f"session={token}")
    expect_status(client.get("/keys"), 200)
    expect_status(client.get("/team"), 200)


def test_a_session_of_another_world_is_refused_even_beside_a_valid_key(team: TeamClients, new_world: Make) -> None:
    other = new_world()
    client = client_with(
        team.world, X_API_Key=team.world.credentials["team.live_approver"]["value"],
        Cookie=f"session={other.credentials['session.owner']['value']}",
    )  # fmt: skip
    expect_error(client.get("/keys"), 401, "invalid_session")


def test_a_fault_can_match_one_session(team: TeamClients) -> None:
    team.world.add_fault({"status": 503}, match={"credential": "session.otherowner"})
    expect_error(team.other_owner.get("/keys"), 503, "service_unavailable")
    expect_status(team.owner.get("/keys"), 200)


@shows("T-5.9")
def test_a_session_has_the_role_of_its_member(team: TeamClients) -> None:
    created = team.world.call_control("POST", "/sessions", {"user": "owner"})
    assert (created["role"], created["team_id"]) == ("owner", team.live.get_json("/team")["id"])
    assert created["token"].startswith(f"sess_{team.world.id}_")
    expect_status(TeamClient(team.world, created["headers"]).get("/keys"), 200)
    for user in ("approver", "second_approver", "member", "requester"):
        client = TeamClient(team.world, team.world.call_control("POST", "/sessions", {"user": user})["headers"])
        expect_error(client.get("/keys"), 403, "owner_required")
    other_session = team.world.call_control("POST", "/sessions", {"user": "owner", "team": "other"})
    assert TeamClient(team.world, other_session["headers"]).get_json("/keys") == team.other_owner.get_json("/keys")
    assert (
        team.world.call_control("POST", "/sessions", {"user": "owner", "team": other_session["team_id"]})["role"]
        == "owner"
    )


def test_only_members_can_sign_in(team: TeamClients) -> None:
    sessions = f"/worlds/{team.world.id}/sessions"
    control = team.world.control
    assert control_refused(control.post(sessions, {"user": "nobody"})) == (404, "member_not_found")
    assert control_refused(control.post(sessions, {"user": "owner", "team": 1})) == (404, "team_not_found")
    assert control_refused(control.post(sessions, {})) == (400, "invalid_body")


def test_all_sessions_of_a_user_share_one_rate_limit(team: TeamClients) -> None:
    team.world.simulate("team", plan="starter")
    again = TeamClient(team.world, team.world.call_control("POST", "/sessions", {"user": "owner"})["headers"])
    left = [int(client.get("/keys").headers["x-ratelimit-remaining"]) for client in (team.owner, again, team.owner)]
    assert left == [59, 58, 57]


def test_sessions_end_with_a_reset(team: TeamClients) -> None:
    created = team.world.call_control("POST", "/sessions", {"user": "owner"})
    team.world.call_control("POST", "/reset")
    expect_error(TeamClient(team.world, created["headers"]).get("/keys"), 401, "invalid_session")
    expect_status(team.owner.get("/keys"), 200)
