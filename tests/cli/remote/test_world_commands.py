"""`giftsim now`, `advance` and `undo`, typed by a user."""

from __future__ import annotations

import re

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from giftsim import Simulator
from giftsim.cli.main import main
from giftsim.engine.control.access import Access
from tests.cli.remote.conftest import CommandLine
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.listening import listening
from tests.support.orders import address_recipients, email_recipients


def test_now_shows_the_time_and_what_is_due_next(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=address_recipients(1))
    output = command_line.output("now")
    assert output.startswith(f"{world.now}  world {world.id}, clock stopped")
    assert "team_order 1001 recipient 200001" in output
    assert command_line.json("now")["now"] == world.now


def test_advance_moves_the_clock_and_says_what_changed(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=address_recipients(1))
    output = command_line.output("advance", "10d")
    assert output.startswith("2027-01-04T09:00:00Z -> 2027-01-14T09:00:00Z\n4 events, 240 hourly runs; 0 webhook")
    assert "shipment.produce, shipment.label, shipment.ship, shipment.deliver" in output
    assert world.now == "2027-01-14T09:00:00Z"


def test_advance_takes_an_instant_next_and_idle(command_line: CommandLine) -> None:
    assert command_line.json("advance", "2027-01-05T00:00:00Z")["to"] == "2027-01-05T00:00:00Z"
    assert command_line.json("advance", "next")["to"] == "2027-01-05T01:00:00Z"
    assert command_line.json("advance", "idle")["fired_count"] == 0


def test_a_dry_run_shows_the_deliveries_and_changes_nothing(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().subscribe("team_order.shipped")
    world.partner().create_order(recipients=address_recipients(1))
    before = world.now
    output = command_line.output("advance", "10d", "--dry-run")
    assert "dry run: nothing was changed" in output
    assert "1 webhook attempt (1 delivered) would be sent" in output
    assert WEBHOOK_HOST in output
    assert world.now == before


def test_undo_takes_the_last_things_back_whoever_did_them(command_line: CommandLine) -> None:
    world = command_line.world
    order = world.partner().create_order(recipients=email_recipients(1)).json()
    command_line.output("claim", str(order["team_order"]["id"]))
    command_line.output("advance", "2d")
    undone = command_line.output("undo", "2")
    assert undone.index("the clock was advanced") < undone.index("Claim a gift")
    assert [row["claimed_at"] for row in world.rows("parcels")] == [None]
    assert "/api/external/team-orders" in command_line.output("undo")
    assert world.rows("orders") == []
    assert command_line.error("undo", "3").endswith("has 0 things to undo, not 3")


def test_redo_brings_back_what_the_last_undo_took_away(command_line: CommandLine) -> None:
    world = command_line.world
    command_line.output("advance", "2d")
    later = world.now
    assert "`giftsim redo` brings it back" in command_line.output("undo")
    assert command_line.output("redo") == (
        f"back: the clock was advanced from 2027-01-04T09:00:00Z to 2027-01-06T09:00:00Z\nit is {later}\n"
    )
    assert world.now == later
    assert "nothing was undone" in command_line.error("redo")


def test_a_narrow_terminal_keeps_ids_links_and_instants_in_one_piece(command_line: CommandLine) -> None:
    world = command_line.world
    partner = world.partner()
    created = partner.create_order(recipients=email_recipients(1), name="A name that is long enough to wrap").json()
    order, parcel, mail = str(created["team_order"]["id"]), world.rows("parcels")[0], world.rows("mail")[0]
    for command in (("orders", order), ("mail",), ("orders",), ("now",)):
        lines = command_line.run(*command, COLUMNS="80").output.splitlines()
        assert [line for line in lines if len(line) > 80 and "http" not in line] == []
    assert f"    claim link  {parcel['claim_link']}\n" in command_line.run("orders", order, COLUMNS="80").output
    assert f"    links  {mail['links'][0]}\n" in command_line.run("mail", COLUMNS="80").output
    assert "    claim link" not in command_line.output("orders", order)


def test_options_that_name_a_world_may_stand_before_the_command(command_line: CommandLine) -> None:
    world = command_line.world
    before = command_line.run("-w", world.id, "--url", command_line.url, "now", GIFTSIM_WORLD="other", GIFTSIM_URL="")
    assert before.output == command_line.output("now")
    assert command_line.run(f"--world={world.id}", "advance", "1d", GIFTSIM_WORLD="other").exit_code == 0


def test_a_wrong_goal_is_refused_in_words(command_line: CommandLine) -> None:
    assert "later" in command_line.error("advance", "later")


def test_worlds_are_created_forked_reset_and_deleted(command_line: CommandLine) -> None:
    command_line.world.partner().create_order()
    made = command_line.json("worlds", "create", "mine", "--name", "Late claims", "--fixture", "empty", "--seed", "7")
    assert (made["id"], made["name"], made["seed"]) == ("mine", "Late claims", 7)
    fork = command_line.json("worlds", "fork", "twin")
    assert fork["counts"]["orders"] == 1
    assert command_line.json("worlds", "reset", command_line.world.id)["counts"]["orders"] == 0
    listed = command_line.output("worlds")
    assert re.search(r"^mine +Late claims +empty", listed, re.MULTILINE)
    assert "twin" in listed
    for world in ("mine", "twin"):
        assert command_line.output("worlds", "delete", world) == f"deleted {world}\n"


def test_open_names_the_address(command_line: CommandLine) -> None:
    assert command_line.output("open", "--print") == f"{command_line.url}/\n"


def test_an_unknown_world_is_named(command_line: CommandLine) -> None:
    assert "there is no world 'nope'" in command_line.error("orders", "--world", "nope")


def test_a_simulator_that_does_not_answer_ends_with_3_and_the_way_on(command_line: CommandLine) -> None:
    result = command_line.run("now", "--url", "http://127.0.0.1:1")
    assert result.exit_code == 3
    assert "no simulator answers at http://127.0.0.1:1; start one with `giftsim serve`" in result.stderr


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://localhost", "http://", "http://localhost/path"])
def test_an_address_that_is_none_is_refused(command_line: CommandLine, url: str) -> None:
    assert "is not the address of a simulator" in command_line.error("now", "--url", url)


def test_the_token_is_sent(command_line: CommandLine) -> None:
    simulator = Simulator(fixture="empty", access=Access(token="open-sesame"))
    with listening(simulator) as server:
        url = f"http://127.0.0.1:{server.port}"
        assert "control token" in command_line.run("now", "-w", "default", "--url", url).stderr.lower()
        options = ("now", "-w", "default", "--url", url)
        assert command_line.run(*options, GIFTSIM_CONTROL_TOKEN="open-sesame").exit_code == 0
        assert command_line.run(*options, "--control-token", "open-sesame").exit_code == 0


def test_the_shell_completes_worlds_orders_and_faults(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIFTSIM_URL", command_line.url)
    monkeypatch.setenv("GIFTSIM_WORLD", command_line.world.id)
    command_line.world.partner().create_order()
    command_line.output("faults", "add", "status=503", "--id", "down")
    assert completions(["orders"], "10") == ["1001"]
    assert completions(["faults", "end"], "d") == ["down"]
    assert command_line.world.id in completions(["now", "--world"], "")
    monkeypatch.setenv("GIFTSIM_URL", "http://127.0.0.1:1")
    assert completions(["orders"], "") == []


def completions(arguments: list[str], incomplete: str) -> list[str]:
    """What the shell offers after these words."""
    shell = ShellComplete(main, {}, "giftsim", "_GIFTSIM_COMPLETE")
    return [item.value for item in shell.get_completions(arguments, incomplete)]


def test_the_worlds_of_one_process_of_several_are_said_to_be_that() -> None:
    with listening(Simulator(fixture="bare", access=Access(), worlds_prefix="p2")) as server:
        listed = CliRunner().invoke(main, ["worlds", "--url", f"http://127.0.0.1:{server.port}"]).stdout
    assert listed.endswith("These are the worlds of one process, p2; others behind this address have more.\n")


def test_orders_lists_the_newest_last(command_line: CommandLine) -> None:
    assert command_line.output("orders") == "this world has no orders\n"
    for name in ("first", "second", "third"):
        command_line.world.partner().create_order(idempotency_key=name, reference=name)
    output = command_line.output("orders", "--limit", "2")
    assert output.startswith("the newest 2 of 3; --limit shows more\n")
    assert [line.split()[0] for line in output.splitlines()[3:]] == ["1002", "1003"]
    assert [row["reference"] for row in command_line.json("orders")] == ["first", "second", "third"]


def test_order_shows_money_recipients_and_its_journey(command_line: CommandLine) -> None:
    world = command_line.world
    world.partner().create_order(recipients=email_recipients(2))
    command_line.output("act", "claim", "team_order_id=1001", "recipient=1")
    output = command_line.output("orders", "1001")
    assert output.startswith("order 1001 of account ")
    assert "Person 0" in output
    assert "submitted" in output
    assert "- team_order.claimed" in output
    told = [line.split("  ")[1] for line in output.splitlines() if line.startswith("2027")]
    assert told[:4] == [
        "Your app placed the order",
        "Person 1 said where it goes: Reno, NV",
        "now",
        "Person 0 says where it goes",
    ]
    assert "The parcel arrives" in told[-1]
    assert output.rstrip().endswith("if claimed")
    data = command_line.json("orders", "1001")
    assert [row["count"] for row in data["journey"]["arrives"]] == [1, 1]
    assert [parcel["status"] for parcel in data["parcels"]] == ["awaiting", "submitted"]


def test_claim_of_one_of_several_recipients_needs_a_choice(command_line: CommandLine) -> None:
    command_line.world.partner().create_order(recipients=email_recipients(2))
    assert command_line.error("claim", "1001").endswith(
        "order 1001 has 2 recipients: name one with --recipient (0 Person 0, 1 Person 1)"
    )


def test_an_unknown_order_is_named_with_the_newest(command_line: CommandLine) -> None:
    command_line.world.partner().create_order()
    assert command_line.error("orders", "7") == (
        f"world {command_line.world.id} has no order 7; the newest are 1001"
    )  # fmt: skip


def test_mail_and_deliveries_are_listed(command_line: CommandLine) -> None:
    world = command_line.world
    assert "no webhook was sent" in command_line.output("deliveries")
    world.partner().subscribe("team_order.claimed")
    world.partner().create_order()
    assert "claim_link" in command_line.output("mail")
    command_line.output("claim", "1001")
    world.advance("2h")
    assert "delivered (200)" in command_line.output("deliveries")
    assert command_line.json("deliveries")[0]["type"] == "team_order.claimed"


def test_markup_and_control_characters_are_shown_as_text(command_line: CommandLine) -> None:
    command_line.world.partner().create_order(reference="[red]x[/red]")
    assert "[red]x[/red]" in command_line.output("orders")


def test_a_fault_acts_until_it_is_ended(command_line: CommandLine) -> None:
    output = command_line.output("faults", "add", "status=503", "--operation", "createTeamOrder", "--id", "down")
    assert "giftsim faults end down" in output
    partner = command_line.world.partner()
    assert partner.create_order().status == 503
    assert command_line.json("faults")[0]["hits"] == 1
    assert command_line.output("faults", "end", "down") == "ended down\n"
    assert partner.create_order().status == 201
    assert "this world has no faults" in command_line.output("faults")


def test_effects_take_numbers_and_flags(command_line: CommandLine) -> None:
    command_line.output("faults", "add", "status=429", "retry_after=7", "--first", "1")
    answer = command_line.world.partner().create_order()
    assert (answer.status, answer.headers["retry-after"]) == (429, "7")
    command_line.output("faults", "add", "drop=after", "--every", "2", "--credential", "partner.prepaid")
    assert command_line.json("faults")[1]["when"] == {"every": 2}
    assert command_line.output("faults", "end").startswith("ended fault-1, fault-2")


def test_a_misspelt_effect_gets_the_nearest_one(command_line: CommandLine) -> None:
    assert "did you mean status?" in command_line.error("faults", "add", "staus=503")


def test_the_world_of_a_group_is_that_of_its_command(command_line: CommandLine) -> None:
    other = command_line.json("worlds", "create")["id"]
    command_line.output("faults", "add", "status=503", "--world", other)
    assert command_line.output("faults", "end") == "there was no fault\n"
    assert command_line.output("faults", "-w", other, "end") == "ended fault-1\n"
    command_line.output("worlds", "delete", other)
