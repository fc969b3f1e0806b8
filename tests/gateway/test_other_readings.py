"""Other readings of answers: each changes what it says, and nothing while it is off."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.other_readings import LONGER, Answer
from giftsim.engine.kernel.unknown_members import UNKNOWN_MEMBERS
from giftsim.engine.webhooks.webhook_settings import EVENT_IDS, LADDER_JITTER, ORDER
from giftsim.services.gifting.domain.team.webhook_subscription import TEST_TYPE
from giftsim.services.gifting.interfaces.partner.partner_settings import PING_DATA
from giftsim.services.known import merged_service
from giftsim.workbench.assumptions.variants import load_variants
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from tests.support.library import SCENARIOS
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Worlds = Callable[..., World]
TEAM = "/api/teams/v1"
READINGS = {name: each for table in merged_service().readings for name, each in table.items()}


def reads(new_world: Worlds, *names: str) -> World:
    """A world with readings turned on."""
    return new_world(settings={f"answers.{name}": True for name in names})


def refused(world: World, status: int, code: str) -> Any:
    """The answer of the team interface to a call that fails with a code."""
    return TeamClients(world).live.get("/team", X_Sim_Fault=f"status={status}; code={code}; undocumented=true")


@pytest.mark.parametrize(
    ("code", "status", "other"),
    [
        ("session_required", 403, 401),
        ("test_key_required", 403, 422),
        ("proof_version_stale", 409, 422),
        ("payment_not_permitted", 422, 403),
        ("too_many_webhooks", 409, 422),
    ],
)
def test_a_code_has_another_status(new_world: Worlds, code: str, status: int, other: int) -> None:
    assert refused(new_world(), status, code).status == status
    assert refused(reads(new_world, f"{code}_is_{other}"), status, code).status == other


def test_codes_that_no_document_names_are_generic(new_world: Worlds) -> None:
    world = reads(new_world, "generic_codes")
    assert refused(world, 409, "invalid_state").json()["error"]["code"] == "error_409"
    world = reads(new_world, "generic_codes")
    assert refused(world, 403, "insufficient_scope").json()["error"]["code"] == "insufficient_scope"


def test_an_outage_has_the_code_of_the_service(new_world: Worlds) -> None:
    world = reads(new_world, "shared_provider_code")
    assert refused(world, 503, "provider_unavailable").json()["error"]["code"] == "service_unavailable"


def test_problems_of_the_museum_have_a_blank_type(new_world: Worlds) -> None:
    world = reads(new_world, "blank_problem_types")
    answer = world.client.call(
        "GET",
        "/v1.1/special-events/00000000-0000-4000-8000-000000000000",
        headers=world.credentials["museum"]["headers"],
    )
    assert (answer.status, answer.json()["type"]) == (404, "about:blank")


def test_a_replay_has_no_mark(new_world: Worlds) -> None:
    marked, plain = (
        [client.create_order(idempotency_key="spring") for _ in range(2)][1].headers
        for client in (new_world().partner(), reads(new_world, "no_replay_marker").partner())
    )
    assert ("idempotent-replayed" in marked, "idempotent-replayed" in plain) == (True, False)


def test_only_a_429_has_the_window(new_world: Worlds) -> None:
    partner = reads(new_world, "window_in_429_only").partner()
    assert "x-ratelimit-limit" not in partner.get("/team-orders").headers
    world = reads(new_world, "window_in_429_only")
    world.change_settings(rate_limits__sandbox=1)
    partner = world.partner()
    partner.get("/team-orders")
    answer = partner.get("/team-orders")
    assert (answer.status, answer.headers["x-ratelimit-limit"]) == (429, "1")


def test_what_is_created_is_answered_200_by_the_team_interface_alone(new_world: Worlds) -> None:
    world = reads(new_world, "created_is_200")
    answer = TeamClients(world).live.post("/cost-centers", {"name": "Events", "code": "EV"}, idempotency_key="one")
    assert answer.status == 200, answer.text
    assert world.partner().create_order().status == 201


def test_instants_have_milliseconds_also_in_webhooks(new_world: Worlds) -> None:
    world = reads(new_world, "fractions")
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    order = partner.create_order().json()["team_order"]
    assert order["claim_expires_at"] == "2027-02-03T09:00:00.000Z"
    world.simulate("claim", team_order_id=order["id"], recipient=0)
    world.advance("1h")
    [delivery] = world.deliveries()
    sent = world.call_control("GET", f"/deliveries/{delivery['seq']}")
    assert json.loads(sent["request"]["body"])["data"]["occurred_at"] == "2027-01-04T09:00:00.000Z"


def test_every_object_has_one_more_member_but_in_the_museum(new_world: Worlds) -> None:
    world = reads(new_world, "extra_members")
    answer = world.partner().create_order().json()
    assert (answer["x_revision"], answer["team_order"]["totals"]["x_revision"]) == (1, 1)
    hours = world.client.call("GET", "/v1.1/museum-hours", headers=world.credentials["museum"]["headers"]).json()
    assert set(hours[0]) == {"date", "timeOpen", "timeClose"}


def test_members_that_are_null_are_left_out(new_world: Worlds) -> None:
    before, after = (
        world.partner().create_order().json()["team_order"] for world in (new_world(), reads(new_world, "no_nulls"))
    )
    assert (before["event"], "event" in after) == (None, False)
    assert after == {name: value for name, value in before.items() if value is not None}


def test_members_are_in_alphabetical_order(new_world: Worlds) -> None:
    answer = reads(new_world, "sorted_members").partner().create_order().json()
    assert list(answer) == sorted(answer)
    assert list(answer["team_order"]) == sorted(answer["team_order"])


@pytest.mark.parametrize("shape", ["nested", "flat"])
def test_messages_and_labels_are_longer(new_world: Worlds, shape: str) -> None:
    world = new_world(
        settings={"answers.longer_messages": True, "answers.longer_labels": True, "partner.error_shape": shape}
    )
    error = world.partner().get("/team-orders/1").json()
    assert error.get("error", error)["message"].endswith(LONGER)
    [row] = world.partner().create_order().json()["recipients"]
    assert row["status_label"] == "Waiting for address (as of the latest update)"


def test_names_of_headers_are_in_lower_case() -> None:
    answer = Answer("partner", "", 200, {"X-Request-Id": "req_1"})
    change = READINGS["answers.lower_case_headers"].change
    assert change is not None
    change(answer)
    assert answer.headers == {"x-request-id": "req_1"}


@pytest.mark.parametrize(
    ("name", "answer", "member"),
    [
        ("other_order_status", Answer("team", "getTeamOrder", 200, {}, {"status": "in_production"}), "in_progress"),
        ("other_approval_status", Answer("team", "getApproval", 200, {}, {"status": "superseded"}), "withdrawn"),
        ("other_certificate_status", Answer("team", "createTaxCertificate", 201, {}, {"status": "pending_review"}),
         "received"),
        ("other_parcel_status", Answer("partner", "getTeamOrder", 200, {}, {"status": "labeled"}), "packed"),
    ],
)  # fmt: skip
def test_a_status_has_another_name_where_it_belongs(name: str, answer: Answer, member: str) -> None:
    change = READINGS[f"answers.{name}"].change
    assert change is not None
    other = Answer("museum", answer.operation, 200, {}, dict(answer.body), is_open=False)
    change(answer)
    change(other)
    assert answer.body == {"status": member}
    assert other.body != answer.body


def test_a_proof_without_a_version_is_a_draft() -> None:
    answer = Answer("team", "getTeamOrder", 200, {}, {"items": [{"proof_status": "awaiting_version"}]})
    change = READINGS["answers.other_proof_status"].change
    assert change is not None
    change(answer)
    assert answer.body == {"items": [{"proof_status": "draft"}]}


def test_errors_have_no_details_and_a_409_no_delay() -> None:
    answer = Answer("team", "", 409, {"Retry-After": "1"}, {"error": {"code": "x", "details": [{}]}})
    for name in ("no_details", "no_wait_for_key"):
        change = READINGS[f"answers.{name}"].change
        assert change is not None
        change(answer)
    assert (answer.headers, answer.body) == ({}, {"error": {"code": "x"}})


def test_a_stored_answer_is_replayed_as_it_is_read_now(world: World) -> None:
    partner = world.partner()
    first = partner.create_order(idempotency_key="spring").json()
    world.change_settings(answers__extra_members=True)
    assert partner.create_order(idempotency_key="spring").json()["x_revision"] == 1
    world.change_settings(answers__extra_members=False)
    assert partner.create_order(idempotency_key="spring").json() == first


class Listening(InProcessClient):
    """A client that keeps the answers of the three interfaces, in the order of their calls.

    An answer that is delayed in real time may come before or after that to a later call.
    """

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator.wsgi_app)
        self.answers: list[list[Any]] = []

    def call(self, method: str, path: str, **more: Any) -> Response:
        heard: list[Any] = [method, path]
        if not path.startswith("/_sim"):
            self.answers.append(heard)
        answer = super().call(method, path, **more)
        heard += [answer.status, answer.fields(), answer.body]
        return answer


def test_all_answers_of_the_library_are_the_same_bytes_while_all_readings_are_off() -> None:
    off = dict.fromkeys(READINGS, False)
    off |= {each.name: each.default for each in (LADDER_JITTER, ORDER, EVENT_IDS, TEST_TYPE, PING_DATA)}
    heard = []
    for assumed in ({}, off):
        simulator = Simulator(fixture="bare")
        simulator.registry.assumed = assumed
        client = Listening(simulator)
        for file in SCENARIOS[::4]:
            scenario = load_scenario(file)
            check_scenario(scenario, client)
            play(scenario, client)
        heard.append(client.answers)
        simulator.close()
    assert len(heard[0]) > 100
    assert heard[0] == heard[1]


def test_every_reading_belongs_to_a_variant() -> None:
    turned = {name for each in load_variants().values() for name in each.settings}
    assert set(READINGS) - {UNKNOWN_MEMBERS.name} <= turned  # that one is a test of apps, and reads nothing otherwise
