"""Keys: named, made with a capability, changed and revoked."""

from __future__ import annotations

import pytest

from giftsim.domain.access.api_key import KeyExists, find_key, issue_key, revoke, update_key
from tests.support.domain.partner_orders import PartnerDomain


def test_new_keys_have_the_capability_and_older_keys_can_get_it() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        new = issue_key(stage.state, "partner", account=stage.n)
        older = issue_key(stage.state, "partner", name="older", account=stage.n, capabilities=())
    assert (new.capabilities, older.capabilities) == (("team_orders",), ())
    with stage.state.transaction():
        assert update_key(stage.state, older, capabilities=["team_orders"]).capabilities == ("team_orders",)


def test_unnamed_keys_get_distinct_names_from_the_seed() -> None:
    names = []
    for _ in range(2):
        stage = PartnerDomain()
        with stage.state.transaction():
            names.append([issue_key(stage.state, "team", mode="test", team=0).name for _ in range(3)])
    assert names[0] == names[1]
    assert len(set(names[0])) == 3


def test_key_names_are_unique_per_interface_and_mode() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        issue_key(stage.state, "team", name="first")
        issue_key(stage.state, "partner", name="first", mode="test")
    with pytest.raises(KeyExists), stage.state.transaction():
        issue_key(stage.state, "partner", name="first")


def test_a_revoked_key_is_still_found() -> None:
    stage = PartnerDomain()
    with stage.state.transaction():
        revoke(stage.state, stage.key)
        revoke(stage.state, stage.key)
    found = find_key(stage.state, "partner", "live", "first")
    assert found is not None
    assert found.revoked
    assert find_key(stage.state, "partner", "live", "second") is None
