"""The difference between two worlds: records, events and money."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.responses import status_and_code
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


def fork_of(world: World) -> World:
    """A fork."""
    fork = copy(world)
    fork.description = world.call_control("POST", "/fork", {})
    fork.id, fork.credentials = fork.description["id"], fork.description["credentials"]
    return fork


def diff(world: World, other: World, query: str = "") -> Any:
    """What differs between two worlds."""
    return world.call_control("GET", f"/diff?with={other.id}{query}")


def kinds(found: Any) -> dict[str, tuple[int, int, int]]:
    """How many records were added, removed and changed, by kind."""
    return {row["kind"]: (row["added"], row["removed"], row["changed"]) for row in found["kinds"]}


@pytest.fixture
def fork(world: World, partner: PartnerClient) -> Any:
    """A fork of a world with an order of two recipients."""
    partner.subscribe("team_order.claimed")
    partner.create_order(recipients=email_recipients(2))
    return fork_of(world)


def test_a_fork_is_the_same_until_something_happens(world: World, fork: World) -> None:
    found = diff(world, fork)
    assert found["same"]
    assert (found["kinds"], found["diff"], found["events"], found["balances"]) == ([], [], [], [])
    assert found["ledger"] == {"this_entries": 0, "other_entries": 0, "accounts": []}
    assert found["this"] == {**found["other"], "id": world.id}
    fork.advance("1h")
    assert not diff(world, fork)["same"]


def test_each_world_has_what_the_other_has_not(world: World, fork: World) -> None:
    fork.simulate("claim", team_order_id=1001, recipient=0, address=RENO)
    found = diff(world, fork)
    assert not found["same"]
    [parcel] = [row for row in found["diff"] if row["kind"] == "parcel"]
    assert (parcel["what"], parcel["subject"]) == ("changed", {"kind": "team_order", "id": 1001})
    assert {"name": "country", "this": None, "other": "US"} in parcel["members"]
    [event] = found["events"]
    assert (event["what"], event["type"], event["label"]) == (
        "added", "team_order.claimed", "team_order 1001 recipient 200001",
    )  # fmt: skip
    assert event["about"] == {"kind": "team_order", "id": 1001}
    back = diff(fork, world)
    assert [(row["what"], row["type"]) for row in back["events"]] == [("removed", "team_order.claimed")]
    [parcel] = [row for row in back["diff"] if row["kind"] == "parcel"]
    assert {"name": "country", "this": "US", "other": None} in parcel["members"]


def test_orders_of_one_world_only_are_added_and_different_ones_under_one_id_are_changed(
    world: World, fork: World
) -> None:
    world.partner().create_order(idempotency_key="here", gift_sender="Ada")
    fork.partner().create_order(idempotency_key="there", gift_sender=HOSTILE)
    fork.partner().create_order(idempotency_key="more", name=HOSTILE)
    orders = diff(world, fork, "&kind=order")["diff"]
    assert [(row["id"], row["what"]) for row in orders] == [(1002, "changed"), (1003, "added")]
    assert orders[0]["members"] == [{"name": "gift_sender", "this": "Ada", "other": HOSTILE}]
    assert orders[1]["label"] == HOSTILE


def test_money_differs_by_balances_and_by_what_the_ledger_moved(world: World, fork: World) -> None:
    order = {
        "items": [{"sku_code": "MUG-01", "quantity": 1}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
    }
    total = fork.partner().create_order(idempotency_key="more", **order).json()["totals"]["total_cents"]
    found = diff(world, fork)
    [balance] = found["balances"]
    assert balance["other_cents"] == balance["this_cents"] - total
    assert (found["ledger"]["this_entries"], found["ledger"]["other_entries"]) == (0, 1)
    moved = {row["account"]: (row["this_cents"], row["other_cents"]) for row in found["ledger"]["accounts"]}
    assert moved[f"wallet {balance['account_id']}"] == (0, -total)
    assert sum(other for _, other in moved.values()) == 0


def test_the_order_in_which_the_same_things_happened_is_not_a_difference(world: World, fork: World) -> None:
    for each, places in ((world, (0, 1)), (fork, (1, 0))):
        for place in places:
            each.simulate("claim", team_order_id=1001, recipient=place, address=RENO)
    found = diff(world, fork)
    assert found["events"] == []
    assert "event" not in kinds(found)


def test_credentials_and_ids_of_worlds_are_not_differences(world: World, fork: World) -> None:
    for each in (world, fork):
        each.partner().create_order(idempotency_key="same", return_claim_links=True)
        each.call_control("POST", "/keys", {"interface": "partner", "name": "mine"})
        each.advance("2d")
    found = diff(world, fork)
    assert (found["same"], found["kinds"]) == (True, [])


def test_secrets_are_not_shown(world: World, fork: World) -> None:
    world.call_control("POST", "/keys", {"interface": "partner", "name": "verysecret"})
    fork.call_control("POST", "/keys", {"interface": "partner", "name": "othersecret"})
    world.partner().create_order(idempotency_key="here", return_claim_links=True)
    token = world.mail()[-1]["links"][0].rpartition("/")[2]
    text = world.control.get(f"/worlds/{world.id}/diff?with={fork.id}").text
    assert token not in text
    assert "whsec_" not in text


def test_tokens_and_secrets_that_follow_from_the_seed_are_not_differences(new_world: Callable[..., World]) -> None:
    worlds = [new_world(seed=seed) for seed in (1, 2)]
    for each in worlds:
        each.partner().subscribe("team_order.claimed")
        each.partner().create_order(return_claim_links=True)
    found = diff(worlds[0], worlds[1])
    members = {member["name"] for row in found["diff"] for member in row["members"]}
    assert members & {"token", "secret", "share_token", "links", "data", "body", "fingerprint"} == set()
    assert kinds(found).keys() & {"endpoint", "recipient", "mail"} == set()


def test_settings_that_differ_are_listed(world: World, fork: World) -> None:
    fork.change_settings(partner__claim_expiry_days=3)
    found = diff(world, fork)
    assert found["settings"] == [{"name": "partner.claim_expiry_days", "this": 30, "other": 3}]
    assert not found["same"]


def test_records_come_in_pages_and_the_counts_are_of_all(world: World, fork: World) -> None:
    fork.partner().create_order(idempotency_key="more")
    found = diff(world, fork, "&limit=2")
    assert (len(found["diff"]), found["next"]) == (2, 2)
    rest = diff(world, fork, "&after=2&limit=1000")
    assert rest["next"] is None
    assert sum(sum(each) for each in kinds(found).values()) == 2 + len(rest["diff"])
    assert rest["kinds"] == found["kinds"]


def test_worlds_with_nothing_in_common_are_compared_too(world: World, new_world: Callable[..., World]) -> None:
    other = new_world(fixture="default", seed=3)
    found = diff(world, other, "&limit=1000")
    assert not found["same"]
    assert kinds(found)["order"][0] > 0
    assert kinds(diff(other, world))["order"][1] == kinds(found)["order"][0]


def test_every_record_of_two_busy_worlds_can_be_shown(new_world: Callable[..., World]) -> None:
    world = new_world(fixture="default")
    fork = fork_of(world)
    fork.advance("40d")
    found = diff(world, fork, "&limit=1000")
    assert {row["what"] for row in found["diff"]} == {"added", "changed"}
    assert len(world.control.get(f"/worlds/{world.id}/diff?with={fork.id}&limit=100").body) < 200_000


def test_a_world_is_compared_with_another_one_that_exists(world: World) -> None:
    own = world.control.get(f"/worlds/{world.id}/diff?with={world.id}")
    assert status_and_code(own) == (400, "invalid_body")
    assert status_and_code(world.control.get(f"/worlds/{world.id}/diff?with=nowhere")) == (404, "world_not_found")
    assert status_and_code(world.control.get(f"/worlds/{world.id}/diff")) == (400, "invalid_parameter")


def test_a_comparison_changes_no_fingerprint(world: World, fork: World) -> None:
    fork.partner().create_order(idempotency_key="more")
    before = world.fingerprint(), fork.fingerprint()
    diff(world, fork)
    assert (world.fingerprint(), fork.fingerprint()) == before
