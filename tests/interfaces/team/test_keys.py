"""Keys: made, shown once, listed, revoked."""

from __future__ import annotations

from tests.claims import claims
from tests.interfaces.team.scene import Team, refused, well


@claims("T-5.7", "T-5.8")
def test_a_key_is_shown_once_and_listed_by_its_ends(team: Team) -> None:
    made = team.owner.make("/keys", {"name": "Shop", "mode": "live", "role": "requester", "scopes": ["catalog:read"]})
    row = team.owner.listed("/keys")[0]
    assert row == {**{name: value for name, value in made.items() if name != "key"}, "last4": made["key"][-4:]}
    assert made["key"] not in well(team.owner.get("/keys"), 200).text
    assert team.with_key(made["key"]).got("/team")["livemode"] is True


@claims("T-5.14")
def test_a_revoked_key_opens_nothing_from_the_next_call_on(team: Team) -> None:
    face = team.key()
    key_id = team.owner.listed("/keys")[0]["id"]
    well(face.get("/team"), 200)
    assert well(team.owner.delete(f"/keys/{key_id}"), 200).json() == {"id": key_id, "revoked": True}
    refused(face.get("/team"), 401, "invalid_api_key")
    refused(team.owner.delete(f"/keys/{key_id}"), 404, "not_found")
