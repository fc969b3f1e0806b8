"""API keys: names, capabilities and revocation."""

from __future__ import annotations

import pytest

from giftsim.domain.api_key import KeyExists, find_key, issue_key, revoke, update_key
from tests.support.domain.partner_orders import PartnerDomain


def test_new_keys_have_the_capability_and_older_keys_can_get_it() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        new = issue_key(partner.state, "partner", account=partner.n)
        older = issue_key(partner.state, "partner", name="older", account=partner.n, capabilities=())
    assert (new.capabilities, older.capabilities) == (("team_orders",), ())
    with partner.state.transaction():
        assert update_key(partner.state, older, capabilities=["team_orders"]).capabilities == ("team_orders",)


def test_unnamed_keys_get_distinct_names_from_the_seed() -> None:
    names = []
    for _ in range(2):
        partner = PartnerDomain()
        with partner.state.transaction():
            names.append([issue_key(partner.state, "team", mode="test", team=0).name for _ in range(3)])
    assert names[0] == names[1]
    assert len(set(names[0])) == 3


def test_key_names_are_unique_per_interface_and_mode() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        issue_key(partner.state, "team", name="first")
        issue_key(partner.state, "partner", name="first", mode="test")
    with pytest.raises(KeyExists), partner.state.transaction():
        issue_key(partner.state, "partner", name="first")


def test_a_revoked_key_is_still_found() -> None:
    partner = PartnerDomain()
    with partner.state.transaction():
        revoke(partner.state, partner.key)
        revoke(partner.state, partner.key)
    key = find_key(partner.state, "partner", "live", "first")
    assert key is not None
    assert key.revoked
    assert find_key(partner.state, "partner", "live", "second") is None
