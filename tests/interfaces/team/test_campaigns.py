"""Large campaigns: made, prepared batch by batch, paused, resumed and stopped."""

from __future__ import annotations

import re

import pytest

from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.company import enroll, row
from tests.interfaces.team.program import (
    PATH,
    approve,
    approved,
    campaign,
    cents,
    prepared,
    process,
    processed,
    read,
    request,
    statuses,
    steered,
    typed,
)
from tests.interfaces.team.scene import SCOPES, Team, TeamFace, fields, refused, well


@pytest.fixture(autouse=True)
def small_batches(world: World) -> None:
    """Batches of two."""
    world.settings(large_campaign__batch_size=2)


@claims("T-4.162", "T-4.165", "T-4.170")
def test_a_campaign_is_cut_into_batches_and_each_call_prepares_one(team: Team) -> None:
    made = campaign(team.live, 5, gift_message="Thanks!", payment_method="net_terms")
    assert (made["status"], made["approval_id"], made["totals"]["total_cents"]) == ("preparing", None, 0)
    assert (made["gift_message"], made["payment_method"], made["recipient_count"]) == ("Thanks!", "net_terms", 5)
    assert [batch["recipient_count"] for batch in made["batches"]] == [2, 2, 1]
    assert cents(made) == [None, None, None]
    assert read(team.live, made) == made
    for ready in range(1, 4):
        made = processed(team.live, made)
        assert statuses(made) == ["prepared"] * ready + ["pending"] * (3 - ready)
        assert made["status"] == ("awaiting_approval" if ready == 3 else "preparing")
        assert made["totals"]["total_cents"] == sum(found or 0 for found in cents(made))
    each = int(cents(made)[2] or 0)
    assert each > 0
    assert cents(made) == [2 * each, 2 * each, each]
    refused(team.live.get(f"{PATH}/999"), 404, "not_found")
    refused(team.other.get(f"{PATH}/{made['id']}"), 404, "not_found")
    refused(team.test.get(f"{PATH}/{made['id']}"), 404, "not_found")


@claims("T-4.170", "T-4.172", "T-4.169")
def test_a_repeated_idempotency_key_prepares_nothing_more_and_none_nothing_at_all(team: Team) -> None:
    made = campaign(team.live)
    once = processed(team.live, made, Idempotency_Key="k1")
    assert processed(team.live, made, Idempotency_Key="k1") == once
    assert statuses(read(team.live, made)) == ["prepared", "pending", "pending"]
    refused(process(team.live, made, Idempotency_Key=None), 400, "idempotency_key_required")
    patch = {"action": "pause"}
    refused(team.live.patch(f"{PATH}/{made['id']}", patch, Idempotency_Key=None), 400, "idempotency_key_required")
    assert read(team.live, made) == once


@claims("T-4.164")
def test_a_campaign_without_an_idempotency_key_is_not_made(team: Team) -> None:
    first = campaign(team.live, 1)
    refused(team.live.post(PATH, request(1), Idempotency_Key=None), 400, "idempotency_key_required")
    assert campaign(team.live, 1)["id"] == first["id"] + 1


@claims("T-4.163", "T-4.166", "T-4.168", "T-4.171")
def test_writing_takes_the_scope_to_write_orders_and_reading_that_to_read_them(team: Team) -> None:
    made = campaign(team.live)
    scopes = [scope for scope in SCOPES if scope != "orders:pay"]
    writer, reader = (team.key(*[each for each in scopes if each != left]) for left in ("orders:read", "orders:write"))
    refused(reader.post(PATH, request()), 403, "insufficient_scope")
    refused(process(reader, made), 403, "insufficient_scope")
    refused(reader.patch(f"{PATH}/{made['id']}", {"action": "pause"}), 403, "insufficient_scope")
    refused(writer.get(f"{PATH}/{made['id']}"), 403, "insufficient_scope")
    assert read(reader, made) == made
    assert campaign(writer)["id"] == made["id"] + 1
    assert statuses(processed(writer, made)) == ["prepared", "pending", "pending"]
    assert steered(writer, made, "pause")["status"] == "paused"


@claims("T-8.4")
def test_a_campaign_has_at_most_5000_recipients(team: Team) -> None:
    team.world.settings(large_campaign__batch_size=500)
    most = campaign(team.live, 5000)
    assert [batch["recipient_count"] for batch in most["batches"]] == [500] * 10
    assert fields(team.live.post(PATH, request(5001))) == ["recipients"]
    assert fields(team.live.post(PATH, request(0))) == ["recipients"]
    assert campaign(team.live, 1)["id"] == most["id"] + 1


def test_whom_and_what_a_request_names_must_be_there(team: Team) -> None:
    bo = enroll(team.live, row("bo", country="DE"))[0]["id"]
    mixed = [{"person_id": bo}, {"person_id": 999}, *typed(1), {"person_id": 998}]
    answer = team.live.post(PATH, request(collection="nothing", recipients=mixed))
    assert fields(answer) == ["collection", "recipients[1].person_id", "recipients[3].person_id"]
    both = [{"person_id": bo, "name": "Bo", "email": "bo@example.com"}]
    assert fields(team.live.post(PATH, request(recipients=both))) == ["recipients[0]"]
    assert fields(team.live.post(PATH, request(payment_method="card"))) == ["payment_method"]
    made = prepared(team.live, recipients=[{"person_id": bo}, *typed(3)])
    germany, home = [batch["totals"]["shipping_cents"] for batch in made["batches"]]
    assert germany == 2 * home, "a parcel of the first batch may go to Germany"


@claims("T-2.42", "T-4.167")
def test_an_action_is_one_of_a_few_words(team: Team) -> None:
    made = campaign(team.live)
    for action in (5, "pause", "resume", "", None, ["stop"]):
        assert fields(team.live.post(f"{PATH}/{made['id']}/process", {"action": action})) == ["action"]
    for action in (5, "stop", "process", None):
        assert fields(team.live.patch(f"{PATH}/{made['id']}", {"action": action})) == ["action"]
    assert read(team.live, made) == made
    assert processed(team.live, made, "stop")["status"] == "stopped"


@claims("T-3.8", "T-3.9")
def test_pause_halts_preparation_and_resume_goes_on_where_it_was(team: Team) -> None:
    made = processed(team.live, campaign(team.live))
    refused(team.live.patch(f"{PATH}/{made['id']}", {"action": "resume"}), 409, "invalid_state")
    paused = steered(team.live, made, "pause")
    assert (paused["status"], statuses(paused)) == ("paused", ["prepared", "pending", "pending"])
    refused(process(team.live, made), 409, "invalid_state")
    refused(process(team.live, made, "reprice"), 409, "invalid_state")
    refused(team.live.patch(f"{PATH}/{made['id']}", {"action": "pause"}), 409, "invalid_state")
    assert read(team.live, made) == paused
    assert steered(team.live, made, "resume")["status"] == "preparing"
    going = processed(team.live, made)
    assert statuses(going) == ["prepared", "prepared", "pending"]
    assert going["batches"][0] == made["batches"][0]


def test_a_campaign_that_waits_or_is_approved_comes_back_as_such_from_a_pause(team: Team) -> None:
    made = prepared(team.live)
    steered(team.live, made, "pause")
    assert steered(team.live, made, "resume")["status"] == "awaiting_approval"
    steered(team.live, made, "pause")
    approve(team.world, made)
    assert read(team.live, made)["status"] == "paused"
    refused(process(team.live, made), 409, "invalid_state")
    assert steered(team.live, made, "resume")["status"] == "approved"
    assert statuses(processed(team.live, made)) == ["paid", "prepared", "prepared"]


@claims("T-3.7")
def test_stop_ends_the_program_and_what_is_not_paid_is_dropped(team: Team) -> None:
    made = processed(team.live, campaign(team.live))
    stopped = processed(team.live, made, "stop")
    assert (stopped["status"], statuses(stopped)) == ("stopped", ["dropped"] * 3)
    assert stopped["totals"]["total_cents"] == 0
    for action in (None, "reprice", "stop"):
        refused(process(team.live, made, action), 409, "invalid_state")
    for action in ("pause", "resume", "reprice"):
        refused(team.live.patch(f"{PATH}/{made['id']}", {"action": action}), 409, "invalid_state")
    assert read(team.live, made) == stopped


@claims("T-3.7")
def test_paid_batches_go_on_after_a_stop(team: Team) -> None:
    made = processed(team.live, approved(team))
    stopped = processed(team.live, made, "stop")
    assert statuses(stopped) == ["paid", "dropped", "dropped"]
    assert stopped["batches"][0] == made["batches"][0]
    tokens = links(team.world)
    assert len(tokens) == 2
    for token in tokens:
        well(team.world.claim(token), 200)
    team.world.advance(until="idle")
    parcels = team.world.ask("GET", "/parcels?limit=1000")["parcels"]
    assert sorted(parcel["status"] for parcel in parcels) == ["canceled"] * 4 + ["delivered"] * 2


def test_a_stop_takes_the_question_back(team: Team) -> None:
    made = prepared(team.live)
    processed(team.live, made, "stop")
    assert team.live.got(f"/approvals/{made['approval_id']}")["status"] == "canceled"


def test_a_no_stops_the_program(team: Team) -> None:
    made = prepared(team.live)
    approve(team.world, made, "reject")
    told = read(team.live, made)
    assert (told["status"], statuses(told)) == ("stopped", ["dropped"] * 3)


@claims("T-1.9")
def test_no_answer_about_a_campaign_holds_an_address(team: Team) -> None:
    made = campaign(team.live)
    texts = [process(team.live, made).text, process(team.live, made).text, process(team.live, made).text]
    approve(team.world, made)
    texts += [process(team.live, made).text, team.live.get(f"{PATH}/{made['id']}").text]
    texts += [team.live.get("/approvals").text, team.live.get("/invoices").text]
    bad = [{"name": "Bo", "email": "sentinel.@"}, {"name": "Cy", "email": "sentinel.77@example.com", "person_id": 9}]
    texts += [team.live.post(PATH, request(recipients=[one])).text for one in bad]
    assert not re.search(r"sentinel|/claim/", "".join(texts))


@claims("T-1.16")
def test_a_sandbox_campaign_never_moves_money_or_mail(team: Team) -> None:
    made = prepared(team.test)
    assert (made["livemode"], type(made["id"])) == (False, str)
    approve(team.world, made)
    held = balance_and_mail(team.test)
    refused(process(team.test, made), 422, "payment_not_permitted")
    team.world.advance("60d")
    assert balance_and_mail(team.test) == held
    assert statuses(read(team.test, made)) == ["prepared"] * 3
    refused(team.test_second.get(f"{PATH}/{made['id']}"), 404, "not_found")


def balance_and_mail(face: TeamFace) -> tuple[int, int]:
    """The team's balance, and how many mails there are."""
    return face.got("/billing/balance")["balance_cents"], len(face.world.mail())


def links(world: World) -> list[str]:
    """The claim tokens that were mailed."""
    return [link.rpartition("/")[2] for mail in world.mail() for link in mail["links"]]
