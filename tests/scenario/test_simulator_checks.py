"""What the simulator would refuse is refused before a scenario plays, with its place and the nearest known word."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.build import Simulator
from giftsim.cli.main import main
from giftsim.workbench.scenario import InvalidScenario, check_scenario, json_schema, load_scenario, play
from tests.support.worlds import World

HEAD = "scenario: A scenario\n"
STEPS = HEAD + "steps:\n"
HOOK = """\
  - call: POST /api/external/webhooks
    as: partner.prepaid
    body: {url: "https://hooks.example/gifts", events: [team_order.shipped]}
    save: {hook: $.endpoint.id}
"""
PAID = """
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      {idempotency_key: one, gift_sender: Ada, items: [{sku_code: MUG-01}], recipients: [{name: Bo, email: b@x.test}]}
    save: {id: $.team_order.id}
""".lstrip("\n")

REFUSED = {
    # The head
    "a fixture": (
        HEAD + "fixture: defualt\nsteps: [advance: 1d]\n",
        "2:10: there is no fixture 'defualt'; did you mean default?",
    ),
    "a section of a fixture": (
        HEAD + "fixture: {extends: empty, acounts: []}\nsteps: [advance: 1d]\n",
        "2:27: a fixture has no section 'acounts'; did you mean accounts?",
    ),
    "a setting of the head": (
        HEAD + "settings: {webhooks.forward_at_one: true}\nsteps: [advance: 1d]\n",
        "2:12: there is no setting 'webhooks.forward_at_one'; did you mean webhooks.forward_at_once?",
    ),
    # Types of events and hosts, by which an expectation of nothing passes if they are misspelt
    "a type of deliveries": (
        STEPS + "  - advance: 1d\n    expect: {deliveries: {type: team_order.deliverd, count: 0}}\n",
        '4:33: no event has the type "team_order.deliverd"; did you mean "team_order.delivered"?',
    ),
    "a type of an event": (
        HEAD + "vars: {kind: gift.send}\nsteps:\n  - expect: {events: [gift.sent, {type: '${kind}'}]}\n",
        '4:41: no event has the type "gift.send"; did you mean "gift.sent"?',
    ),
    "a type of a held delivery": (
        STEPS + "  - advance: 1d\n    on_delivery: [{type: gift.send, answer: {status: 200}}]\n",
        '4:26: no event has the type "gift.send"; did you mean "gift.sent"?',
    ),
    "a type in a query": (
        STEPS + "  - control: GET /events?type=gift.send\n",
        '3:14: no event has the type "gift.send"; did you mean "gift.sent"?',
    ),
    "a type that a call subscribes": (
        STEPS + HOOK.replace("shipped", "shiped"),
        '5:57: no event has the type "team_order.shiped"; did you mean "team_order.shipped"?',
    ),
    "a host of deliveries": (
        STEPS + HOOK + "  - expect: {deliveries: {type: gift.sent, host: hook.example, count: 0}}\n",
        '7:50: no webhook of this scenario goes to "hook.example"; did you mean "hooks.example"?',
    ),
    "a host of a receiver": (
        STEPS + HOOK + "  - receiver: {host: hook.example, to: 'http://127.0.0.1:9'}\n",
        '7:22: no webhook of this scenario goes to "hook.example"; did you mean "hooks.example"?',
    ),
    # Queries of control calls
    "a parameter of a control call": (
        STEPS + "  - control: GET /orders?statu=paid\n",
        "3:14: unknown parameter 'statu'; did you mean status?",
    ),
    "a path of a control call": (
        STEPS + "  - control: GET /ordrs\n",
        "3:14: there is no operation at ",
    ),
    # Variables in place of numbers
    "a status that is not one": (
        HEAD + "vars: {s: fine}\nsteps:\n  - {call: GET /api/external/team-orders, expect: {status: '${s}'}}\n",
        '4:43: "fine" is not an HTTP status',
    ),
    # Verbs
    "a product of a verb": (
        STEPS + "  - {simulate: price, with: {product: MUG-1, price_cents: 5}}\n",
        "3:29: there is no product MUG-1",
    ),
    "a team of a verb": (
        STEPS + "  - {simulate: team, with: {team_id: northwnd, balance_cents: 5}}\n",
        "3:38: there is no team 'northwnd'; the teams are 301 (northwind), 302 (other)",
    ),
    "a key of a verb after a call with a variable in its path": (
        STEPS + HOOK + "  - {call: 'POST /api/external/webhooks/${hook}/test', as: partner.prepaid}\n"
        "  - {simulate: account, with: {key: partner.prepad, wallet_cents: 5}}\n",
        '8:37: the world has no key "partner.prepad"; did you mean "partner.prepaid"?',
    ),
    # Settings, credentials and receivers
    "a setting": (
        STEPS + "  - settings: {partner.lead_times.producton: 1h}\n",
        "3:16: there is no setting 'partner.lead_times.producton'; did you mean partner.lead_times.production?",
    ),
    "a value of a setting": (
        STEPS + "  - settings:\n      webhooks.forward_at_once: 9\n",
        "4:33: setting webhooks.forward_at_once takes a whole number, not 9: it goes from 1 to 4",
    ),
    "a setting in a loop": (
        STEPS + "  - for_each: {on: [2, 9]}\n    steps:\n      - settings: {webhooks.forward_at_once: '${on}'}\n",
        "5:46: setting webhooks.forward_at_once takes a whole number, not 9: it goes from 1 to 4",
    ),
    "a setting after a step that saves": (
        STEPS + PAID + "  - settings: {partner.lead_times.production: '${id}', partner.lead_times.producton: 1h}\n",
        "8:56: there is no setting 'partner.lead_times.producton'; did you mean partner.lead_times.production?",
    ),
    "a member of a verb that is refused for another reason": (
        STEPS + "  - simulate: claim\n    with: {adress: {}}\n    expect: {status: 422}\n",
        '4:12: "adress" is not a member of "claim"; did you mean "address"?',
    ),
    "a setting by a control call": (
        STEPS + "  - control: PATCH /settings\n    body: {webhooks.forward_at_one: true}\n",
        "4:12: there is no setting 'webhooks.forward_at_one'; did you mean webhooks.forward_at_once?",
    ),
    "a credential": (
        STEPS + "  - call: GET /api/external/team-orders\n    as: partner.prepayd\n",
        '4:9: the world has no credential "partner.prepayd"; did you mean "partner.prepaid"?',
    ),
    "a path that no operation has": (
        STEPS + "  - call: GET /api/external/team-orderz/${start}\n    as: partner.prepaid\n",
        "3:11: there is no operation at /api/external/team-orderz/",
    ),
    "a method that a path does not have": (
        STEPS + "  - call: DELETE /api/external/team-orders\n    as: partner.prepaid\n",
        "3:11: /team-orders has GET, HEAD, POST, OPTIONS, not DELETE",
    ),
    "the key of a verb": (
        STEPS + "  - simulate: account\n    with: {key: partner.prepayd, add_cents: 1}\n",
        '4:17: the world has no key "partner.prepayd"; did you mean "partner.prepaid"?',
    ),
    "a receiver": (
        STEPS + "  - receiver: {host: hooks.example, to: 'http://192.0.2.1/hooks'}\n",
        "3:41: Receiver hooks.example: 'http://192.0.2.1/hooks' is not a target",
    ),
    # Verbs
    "a verb of a control call": (
        STEPS + "  - control: POST /simulate/clam\n    body: {}\n",
        '3:14: "clam" is not a verb of the outside world; did you mean "claim"?',
    ),
    "a member of a verb": (
        STEPS + PAID + "  - simulate: claim\n    with: {team_order_id: '${id}', recipient: 0, adress: {}}\n",
        '9:50: "adress" is not a member of "claim"; did you mean "address"?',
    ),
    "a nested member of a verb": (
        STEPS + PAID + "  - simulate: claim\n    with: {team_order_id: '${id}', address: {addres1: 1 Main St}}\n",
        '9:46: "addres1" is not a member of "address"; did you mean "address1"?',
    ),
    "a value of a verb": (
        STEPS + PAID + "  - simulate: shipment\n    with: {team_order_id: '${id}', to: deliverd}\n",
        '9:40: "deliverd" is not a value of "to"; did you mean "delivered"?',
    ),
    "a value of a verb that is a variable": (
        HEAD + "vars: {goal: deliverd}\nsteps:\n  - simulate: shipment\n    with: {order_id: 1001, to: '${goal}'}\n",
        '5:32: "deliverd" is not a value of "to"; did you mean "delivered"?',
    ),
    "a value of the wrong type": (
        STEPS + "  - simulate: price\n    with: {product: MUG-01, price_cents: much}\n",
        "4:42: price_cents: must be a whole number, not 'much'",
    ),
    "a missing member of a verb": (
        STEPS + "  - simulate: price\n    with: {product: MUG-01}\n",
        '4:11: "price" needs "price_cents"',
    ),
    "a member called 0": (
        STEPS + PAID + "  - simulate: claim\n    with: {team_order_id: '${id}', selection: {'0': red}}\n",
        "9:53: selection.0: must be a whole number, not 'red'",
    ),
    "a verb during a delivery": (
        STEPS + "  - advance: 1d\n    on_delivery:\n      - steps: [{simulate: price, with: {prodct: MUG-01}}]\n",
        '5:42: "prodct" is not a member of "price"; did you mean "product"?',
    ),
    # Faults
    "the operation of a fault": (
        STEPS + "  - fault: {match: {operation: createTeamOrdr}, effect: {status: 503}}\n",
        "3:32: match.operation: there is no operation 'createTeamOrdr' here; did you mean createTeamOrder?",
    ),
    "the credential of a fault": (
        STEPS + "  - fault: {match: {credential: partner.prepayd}, effect: {status: 503}}\n",
        "3:33: match.credential: the world has no key 'partner.prepayd'; did you mean partner.prepaid?",
    ),
    "the charge of a fault": (
        STEPS + "  - fault: {effect: {charge: declined}}\n",
        '3:30: "declined" is not a refusal of a charge; known are "insufficient_funds", ',
    ),
    "the status of a fault": (
        STEPS + "  - fault: {match: {operation: createTeamOrder}, effect: {status: 418}}\n",
        "3:67: team createTeamOrder documents the errors ",
    ),
    "a fault that nothing can meet": (
        STEPS + "  - fault: {match: {operation: getTeamOrder}, effect: {charge: card_charge_failed}}\n",
        "3:32: match.operation: charge can do nothing to getTeamOrder",
    ),
    "an actor": (
        HEAD + "actors: [{approver: any, decides: approve, note: 7}]\nsteps: [advance: 1d]\n",
        '2:50: "note" must be text, not a whole number (7)',
    ),
}  # fmt: skip

ALLOWED = {
    "a type in a call that shall be refused": (
        STEPS + HOOK.replace("shipped", "shiped").replace("save: {hook: $.endpoint.id}", "expect: {status: 400}")
    ),
    "a value that is known later": (
        STEPS + PAID + "  - simulate: shipment\n    with: {order_id: '${id}', to: '${id}'}\n    expect: {status: 400}\n"
    ),
    "a fault of a key that is made before": (
        STEPS + "  - control: POST /keys\n    body: {interface: partner, name: new}\n"
        "  - fault: {match: {credential: partner.new}, effect: {status: 503}, when: {calls: [9]}, optional: true}\n"
        "  - {call: GET /api/external/team-orders, as: partner.new}\n"
    ),
    "two faults of one id": (
        STEPS + "  - fault: {id: a, effect: {status: 503}, optional: true}\n  - fault: {clear: a}\n"
        "  - fault: {id: a, effect: {status: 500}, optional: true}\n"
    ),
    "a refusal of a control call that is expected": (
        STEPS + "  - control: PATCH /settings\n    body: {webhooks.forward_at_one: 2}\n    expect: {status: 400}\n"
    ),
    "a verb that is expected to be unknown": (
        STEPS + "  - control: POST /simulate/clam\n    body: {}\n    expect: {status: 404}\n"
    ),
    "a refusal that is expected": STEPS + "  - simulate: claim\n    with: {adress: {}}\n    expect: {status: 400}\n",
    "a saved value in place of a variable": (
        HEAD + "vars: {goal: x}\nsteps:\n" + PAID.replace("{id: ", "{goal: ")
        + "  - simulate: shipment\n    with: {team_order_id: '${goal}', to: delivered}\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    """One simulator for all checks."""
    return Simulator(fixture="bare")


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_a_scenario_is_refused_before_it_plays(simulator: Simulator, text: str, message: str) -> None:
    with pytest.raises(InvalidScenario) as refused:
        check_scenario(load_scenario(text, "scenario.yaml"), simulator.client)
    assert str(refused.value).startswith(f"scenario.yaml:{message}")


@pytest.mark.parametrize("text", ALLOWED.values(), ids=ALLOWED)
def test_a_scenario_is_not_refused_for_what_is_known_only_later(simulator: Simulator, text: str) -> None:
    scenario = load_scenario(text, "scenario.yaml")
    check_scenario(scenario, simulator.client)
    report = play(scenario, simulator.client)
    assert report.outcome == "passed", report.timeline


def test_a_check_leaves_no_world_behind(simulator: Simulator) -> None:
    check_scenario(load_scenario(STEPS + "  - settings: {webhooks.forward_at_once: 2}\n"), simulator.client)
    assert [world["id"] for world in simulator.client.call("GET", "/_sim/v1/worlds").json()["worlds"]] == ["default"]


def test_an_error_in_an_included_file_names_that_file(simulator: Simulator, tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text("steps:\n  - settings: {webhooks.forward_at_one: true}\n", encoding="utf-8")
    (tmp_path / "scenario.yaml").write_text(STEPS + "  - include: part.yaml\n", encoding="utf-8")
    with pytest.raises(InvalidScenario) as refused:
        check_scenario(load_scenario(tmp_path / "scenario.yaml"), simulator.client)
    assert (refused.value.file.rpartition("/")[2], refused.value.line) == ("part.yaml", 2)


@pytest.mark.parametrize(
    ("text", "line", "column", "word"),
    [
        (STEPS + "  - fault: {effect: {charge: declined}}\n", 3, 30, "insufficient_funds"),
        (HEAD + "fixture: emty\nsteps: [advance: 1d]\n", 2, 10, "empty"),
        (STEPS + "  - simulate: price\n    with: {prodct: MUG-01, price_cents: 1}\n", 4, 12, "product"),
        (STEPS + "  - call: GET /x\n    as: museun\n", 4, 9, "museum"),
    ],
)
def test_the_control_api_refuses_it_with_its_place(world: World, text: str, line: int, column: int, word: str) -> None:
    path, headers = "/_sim/v1/scenarios/play", {"Content-Type": "application/yaml"}
    response = world.client.call("POST", path, body=text, headers=headers)
    error = response.json()["error"]
    assert (response.status, error["code"]) == (400, "invalid_scenario")
    assert (error["details"]["line"], error["details"]["column"]) == (line, column)
    assert word in error["message"]


@pytest.mark.parametrize(
    ("steps", "exit_code"),
    [
        ("  - advance: 1d\n", 0),
        ("  - call: GET /x\n    expect: {status: 200}\n", 1),
        ("  - settings: {webhooks.forward_at_one: 2}\n", 2),
        ("  - simulate: clam\n", 2),
    ],
    ids=["passed", "failed", "refused by the simulator", "refused by the schema"],
)
def test_play_exits_with_2_for_a_refused_file(tmp_path: Path, steps: str, exit_code: int) -> None:
    (tmp_path / "a.yaml").write_text(STEPS + "  - call: GET /x\n    expect: {status: 200}\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text(STEPS + steps, encoding="utf-8")
    files = [str(tmp_path / "b.yaml")] if exit_code == 0 else [str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")]
    assert CliRunner().invoke(main, ["play", *files]).exit_code == exit_code


def test_a_receiver_of_a_scenario_answers_as_one_of_the_control_api_does(simulator: Simulator) -> None:
    contract = simulator.client.call("GET", "/openapi/control.json").json()
    step, reaction = contract["components"]["schemas"]["Step"], json_schema()["$defs"]["reaction"]
    assert set(reaction["properties"]) == set(step["properties"])
