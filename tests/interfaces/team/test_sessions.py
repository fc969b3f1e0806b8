"""Sessions: members who sign in, by header or by cookie, and what they may."""

from __future__ import annotations

from collections.abc import Callable

from tests.claims import claims
from tests.control.refusal import refused as control_refused
from tests.harness import World
from tests.interfaces.team.scene import Team, TeamFace, refused, well

Make = Callable[..., World]


def by(world: World, **headers: str) -> TeamFace:
    """A face with just these headers."""
    return TeamFace(world, {name.replace("_", "-"): value for name, value in headers.items()})


def test_the_named_sessions_are_those_of_the_table(team: Team) -> None:
    entries = {name: entry for name, entry in team.world.credentials.items() if name.startswith("session.")}
    assert {name: entry["value"] for name, entry in entries.items()} == {
        f"session.{name}": f"sess_{team.world.id}_{name}" for name in ("owner", "approver", "member", "otherowner")
    }
    assert entries["session.owner"]["headers"] == {"Authorization": f"Session sess_{team.world.id}_owner"}


def test_a_session_stands_in_the_header_or_in_the_cookie(team: Team) -> None:
    token = team.world.credentials["session.owner"]["value"]
    approver = team.world.credentials["session.approver"]["value"]
    well(by(team.world, Authorization=f"session {token}").get("/keys"), 200)
    well(by(team.world, Cookie=f"theme=dark; session={token}").get("/keys"), 200)
    well(by(team.world, Authorization=f"Session {token}", Cookie=f"session={token}").get("/keys"), 200)
    both = by(team.world, Authorization=f"Session {token}", Cookie=f"session={approver}")
    refused(both.get("/keys"), 401, "invalid_session")


def test_what_is_no_session_opens_nothing(team: Team, new_world: Make) -> None:
    elsewhere = new_world().id
    for text in ("nobody", f"sess_{team.world.id}_nobody", f"sess_{elsewhere}_owner x", "", "sess_nowhere_owner"):
        refused(by(team.world, Authorization=f"Session {text}").get("/keys"), 401, "invalid_session")
        if text:
            refused(by(team.world, Cookie=f'session="{text}"').get("/keys"), 401, "invalid_session")
    refused(by(team.world, Cookie="theme=dark").get("/keys"), 401, "missing_session")
    refused(by(team.world, Authorization="Bearer ptk_live_nope").get("/keys"), 401, "invalid_api_key")


def test_a_session_counts_where_a_key_stands_beside_it(team: Team) -> None:
    key = team.world.credentials["team.live_approver"]["value"]
    token = team.world.credentials["session.owner"]["value"]
    face = by(team.world, Authorization=f"Bearer {key}", Cookie=f"session={token}")
    well(face.get("/keys"), 200)
    well(face.get("/team"), 200)


def test_a_session_of_another_world_is_none_whatever_stands_beside_it(team: Team, new_world: Make) -> None:
    other = new_world()
    face = by(
        team.world, X_API_Key=team.world.credentials["team.live_approver"]["value"],
        Cookie=f"session={other.credentials['session.owner']['value']}",
    )  # fmt: skip
    refused(face.get("/keys"), 401, "invalid_session")


def test_a_fault_can_be_meant_for_one_session(team: Team) -> None:
    team.world.fault({"status": 503}, match={"credential": "session.otherowner"})
    refused(team.other_owner.get("/keys"), 503, "service_unavailable")
    well(team.owner.get("/keys"), 200)


@claims("T-5.9")
def test_who_signs_in_has_the_role_of_the_member(team: Team) -> None:
    made = team.world.ask("POST", "/sessions", {"user": "owner"})
    assert (made["role"], made["team_id"]) == ("owner", team.live.got("/team")["id"])
    assert made["token"].startswith(f"sess_{team.world.id}_")
    well(TeamFace(team.world, made["headers"]).get("/keys"), 200)
    for user in ("approver", "second_approver", "member", "requester"):
        face = TeamFace(team.world, team.world.ask("POST", "/sessions", {"user": user})["headers"])
        refused(face.get("/keys"), 403, "owner_required")
    theirs = team.world.ask("POST", "/sessions", {"user": "owner", "team": "other"})
    assert TeamFace(team.world, theirs["headers"]).got("/keys") == team.other_owner.got("/keys")
    assert team.world.ask("POST", "/sessions", {"user": "owner", "team": theirs["team_id"]})["role"] == "owner"


def test_who_is_no_member_does_not_sign_in(team: Team) -> None:
    sessions = f"/worlds/{team.world.id}/sessions"
    control = team.world.control
    assert control_refused(control.post(sessions, {"user": "nobody"})) == (404, "member_not_found")
    assert control_refused(control.post(sessions, {"user": "owner", "team": 1})) == (404, "team_not_found")
    assert control_refused(control.post(sessions, {})) == (400, "invalid_body")


def test_the_rate_window_is_the_users_however_often_they_sign_in(team: Team) -> None:
    team.world.simulate("team", plan="starter")
    again = TeamFace(team.world, team.world.ask("POST", "/sessions", {"user": "owner"})["headers"])
    left = [int(face.get("/keys").headers["x-ratelimit-remaining"]) for face in (team.owner, again, team.owner)]
    assert left == [59, 58, 57]


def test_sessions_end_with_a_reset(team: Team) -> None:
    made = team.world.ask("POST", "/sessions", {"user": "owner"})
    team.world.ask("POST", "/reset")
    refused(TeamFace(team.world, made["headers"]).get("/keys"), 401, "invalid_session")
    well(team.owner.get("/keys"), 200)
