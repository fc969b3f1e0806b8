"""Large campaigns: created, prepared batch by batch, paused, resumed and stopped."""

from __future__ import annotations

import re

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.campaigns import (
    PATH,
    approved_campaign,
    batch_cents,
    batch_statuses,
    campaign_body,
    create_campaign,
    decide,
    patch_action,
    prepared_campaign,
    process,
    read_campaign,
    request_processing,
    sentinel_recipients,
)
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.people import person_row, upsert_people
from tests.support.worlds import World

pytestmark = pytest.mark.usefixtures("small_batches")


@shows("T-4.162", "T-4.165", "T-4.170")
def test_a_campaign_is_split_into_batches_and_each_call_prepares_one(team: TeamClients) -> None:
    campaign = create_campaign(team.live, 5, gift_message="Thanks!", payment_method="net_terms")
    assert (campaign["status"], campaign["approval_id"], campaign["totals"]["total_cents"]) == ("preparing", None, 0)
    assert (campaign["gift_message"], campaign["payment_method"], campaign["recipient_count"]) == (
        "Thanks!",
        "net_terms",
        5,
    )
    assert [batch["recipient_count"] for batch in campaign["batches"]] == [2, 2, 1]
    assert batch_cents(campaign) == [None, None, None]
    assert read_campaign(team.live, campaign) == campaign
    for ready in range(1, 4):
        campaign = process(team.live, campaign)
        assert batch_statuses(campaign) == ["prepared"] * ready + ["pending"] * (3 - ready)
        assert campaign["status"] == ("awaiting_approval" if ready == 3 else "preparing")
        assert campaign["totals"]["total_cents"] == sum(cents or 0 for cents in batch_cents(campaign))
    each = int(batch_cents(campaign)[2] or 0)
    assert each > 0
    assert batch_cents(campaign) == [2 * each, 2 * each, each]
    expect_error(team.live.get(f"{PATH}/999"), 404, "not_found")
    expect_error(team.other.get(f"{PATH}/{campaign['id']}"), 404, "not_found")
    expect_error(team.test.get(f"{PATH}/{campaign['id']}"), 404, "not_found")


@shows("T-4.170", "T-4.172", "T-4.169")
def test_preparing_needs_an_idempotency_key_and_a_repeated_one_prepares_nothing(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    once = process(team.live, campaign, Idempotency_Key="k1")
    assert process(team.live, campaign, Idempotency_Key="k1") == once
    assert batch_statuses(read_campaign(team.live, campaign)) == ["prepared", "pending", "pending"]
    expect_error(request_processing(team.live, campaign, Idempotency_Key=None), 400, "idempotency_key_required")
    patch = {"action": "pause"}
    expect_error(
        team.live.patch(f"{PATH}/{campaign['id']}", patch, Idempotency_Key=None), 400, "idempotency_key_required"
    )
    assert read_campaign(team.live, campaign) == once


@shows("T-4.164")
def test_creating_a_campaign_needs_an_idempotency_key(team: TeamClients) -> None:
    first = create_campaign(team.live, 1)
    expect_error(team.live.post(PATH, campaign_body(1), Idempotency_Key=None), 400, "idempotency_key_required")
    assert create_campaign(team.live, 1)["id"] == first["id"] + 1


@shows("T-4.163", "T-4.166", "T-4.168", "T-4.171")
def test_campaigns_use_the_scopes_for_orders(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    scopes = [scope for scope in SCOPES if scope != "orders:pay"]
    writer, reader = (team.key(*[each for each in scopes if each != left]) for left in ("orders:read", "orders:write"))
    expect_error(reader.post(PATH, campaign_body()), 403, "insufficient_scope")
    expect_error(request_processing(reader, campaign), 403, "insufficient_scope")
    expect_error(reader.patch(f"{PATH}/{campaign['id']}", {"action": "pause"}), 403, "insufficient_scope")
    expect_error(writer.get(f"{PATH}/{campaign['id']}"), 403, "insufficient_scope")
    assert read_campaign(reader, campaign) == campaign
    assert create_campaign(writer)["id"] == campaign["id"] + 1
    assert batch_statuses(process(writer, campaign)) == ["prepared", "pending", "pending"]
    assert patch_action(writer, campaign, "pause")["status"] == "paused"


@shows("T-8.4")
def test_a_campaign_has_at_most_5000_recipients(team: TeamClients) -> None:
    team.world.change_settings(large_campaign__batch_size=500)
    most = create_campaign(team.live, 5000)
    assert [batch["recipient_count"] for batch in most["batches"]] == [500] * 10
    assert invalid_fields(team.live.post(PATH, campaign_body(5001))) == ["recipients"]
    assert invalid_fields(team.live.post(PATH, campaign_body(0))) == ["recipients"]
    assert create_campaign(team.live, 1)["id"] == most["id"] + 1


def test_recipients_and_collection_must_exist(team: TeamClients) -> None:
    bo = upsert_people(team.live, person_row("bo", country="DE"))[0]["id"]
    mixed = [{"person_id": bo}, {"person_id": 999}, *sentinel_recipients(1), {"person_id": 998}]
    response = team.live.post(PATH, campaign_body(collection="nothing", recipients=mixed))
    assert invalid_fields(response) == ["collection", "recipients[1].person_id", "recipients[3].person_id"]
    both = [{"person_id": bo, "name": "Bo", "email": "bo@example.com"}]
    assert invalid_fields(team.live.post(PATH, campaign_body(recipients=both))) == ["recipients[0]"]
    assert invalid_fields(team.live.post(PATH, campaign_body(payment_method="card"))) == ["payment_method"]
    campaign = prepared_campaign(team.live, recipients=[{"person_id": bo}, *sentinel_recipients(3)])
    germany, home = [batch["totals"]["shipping_cents"] for batch in campaign["batches"]]
    assert germany == 2 * home, "a parcel of the first batch may go to Germany"


@shows("T-2.42", "T-4.167")
def test_an_unknown_action_is_refused(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    for action in (5, "pause", "resume", "", ["stop"]):
        assert invalid_fields(team.live.post(f"{PATH}/{campaign['id']}/process", {"action": action})) == ["action"]
    for action in (5, "stop", "process"):
        assert invalid_fields(team.live.patch(f"{PATH}/{campaign['id']}", {"action": action})) == ["action"]
    assert read_campaign(team.live, campaign) == campaign
    assert process(team.live, campaign, "stop")["status"] == "stopped"


@shows("T-3.8", "T-3.9")
def test_pausing_stops_preparation_and_resuming_continues_it(team: TeamClients) -> None:
    campaign = process(team.live, create_campaign(team.live))
    expect_error(team.live.patch(f"{PATH}/{campaign['id']}", {"action": "resume"}), 409, "invalid_state")
    paused = patch_action(team.live, campaign, "pause")
    assert (paused["status"], batch_statuses(paused)) == ("paused", ["prepared", "pending", "pending"])
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    expect_error(request_processing(team.live, campaign, "reprice"), 409, "invalid_state")
    expect_error(team.live.patch(f"{PATH}/{campaign['id']}", {"action": "pause"}), 409, "invalid_state")
    assert read_campaign(team.live, campaign) == paused
    assert patch_action(team.live, campaign, "resume")["status"] == "preparing"
    going = process(team.live, campaign)
    assert batch_statuses(going) == ["prepared", "prepared", "pending"]
    assert going["batches"][0] == campaign["batches"][0]


def test_resuming_restores_the_status_before_the_pause(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live)
    patch_action(team.live, campaign, "pause")
    assert patch_action(team.live, campaign, "resume")["status"] == "awaiting_approval"
    patch_action(team.live, campaign, "pause")
    decide(team.world, campaign)
    assert read_campaign(team.live, campaign)["status"] == "paused"
    expect_error(request_processing(team.live, campaign), 409, "invalid_state")
    assert patch_action(team.live, campaign, "resume")["status"] == "approved"
    assert batch_statuses(process(team.live, campaign)) == ["paid", "prepared", "prepared"]


@shows("T-3.7")
def test_stopping_drops_the_unpaid_batches(team: TeamClients) -> None:
    campaign = process(team.live, create_campaign(team.live))
    stopped = process(team.live, campaign, "stop")
    assert (stopped["status"], batch_statuses(stopped)) == ("stopped", ["dropped"] * 3)
    assert stopped["totals"]["total_cents"] == 0
    for action in (None, "reprice", "stop"):
        expect_error(request_processing(team.live, campaign, action), 409, "invalid_state")
    for action in ("pause", "resume", "reprice"):
        expect_error(team.live.patch(f"{PATH}/{campaign['id']}", {"action": action}), 409, "invalid_state")
    assert read_campaign(team.live, campaign) == stopped


@shows("T-3.7")
def test_paid_batches_continue_after_a_stop(team: TeamClients) -> None:
    campaign = process(team.live, approved_campaign(team))
    stopped = process(team.live, campaign, "stop")
    assert batch_statuses(stopped) == ["paid", "dropped", "dropped"]
    assert stopped["batches"][0] == campaign["batches"][0]
    tokens = mailed_links(team.world)
    assert len(tokens) == 2
    for token in tokens:
        expect_status(team.world.claim(token), 200)
    team.world.advance(until="idle")
    parcels = team.world.call_control("GET", "/parcels?limit=1000")["parcels"]
    assert sorted(parcel["status"] for parcel in parcels) == ["canceled"] * 4 + ["delivered"] * 2


def test_stopping_withdraws_the_pending_approval(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live)
    process(team.live, campaign, "stop")
    assert team.live.get_json(f"/approvals/{campaign['approval_id']}")["status"] == "canceled"


def test_a_rejection_stops_the_campaign(team: TeamClients) -> None:
    campaign = prepared_campaign(team.live)
    decide(team.world, campaign, "reject")
    reloaded = read_campaign(team.live, campaign)
    assert (reloaded["status"], batch_statuses(reloaded)) == ("stopped", ["dropped"] * 3)


@shows("T-1.9")
def test_no_response_about_a_campaign_contains_an_email(team: TeamClients) -> None:
    campaign = create_campaign(team.live)
    texts = [
        request_processing(team.live, campaign).text,
        request_processing(team.live, campaign).text,
        request_processing(team.live, campaign).text,
    ]
    decide(team.world, campaign)
    texts += [request_processing(team.live, campaign).text, team.live.get(f"{PATH}/{campaign['id']}").text]
    texts += [team.live.get("/approvals").text, team.live.get("/invoices").text]
    bad = [{"name": "Bo", "email": "sentinel.@"}, {"name": "Cy", "email": "sentinel.77@example.com", "person_id": 9}]
    texts += [team.live.post(PATH, campaign_body(recipients=[one])).text for one in bad]
    assert not re.search(r"sentinel|/claim/", "".join(texts))


@shows("T-1.16")
def test_a_sandbox_campaign_never_moves_money_or_mail(team: TeamClients) -> None:
    campaign = prepared_campaign(team.test)
    assert (campaign["livemode"], type(campaign["id"])) == (False, str)
    decide(team.world, campaign)
    before = balance_and_mail(team.test)
    expect_error(request_processing(team.test, campaign), 422, "payment_not_permitted")
    team.world.advance("60d")
    assert balance_and_mail(team.test) == before
    assert batch_statuses(read_campaign(team.test, campaign)) == ["prepared"] * 3
    expect_error(team.test_second.get(f"{PATH}/{campaign['id']}"), 404, "not_found")


def balance_and_mail(client: TeamClient) -> tuple[int, int]:
    """The team's balance in cents and the number of mails."""
    return client.get_json("/billing/balance")["balance_cents"], len(client.world.mail())


def mailed_links(world: World) -> list[str]:
    """The claim links in all mails."""
    return [link.rpartition("/")[2] for mail in world.mail() for link in mail["links"]]
