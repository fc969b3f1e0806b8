"""`giftsim act`: every verb, its keys, what is refused before anything is sent, and what a shell completes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from giftsim.cli.main import main
from tests.cli.remote.conftest import CommandLine
from tests.cli.test_statements import ASK
from tests.docs.shell_session import environment
from tests.support.orders import email_recipients


@pytest.fixture
def order(command_line: CommandLine) -> str:
    """The id of an order for two people with claim links."""
    made = command_line.world.partner().create_order(recipients=email_recipients(2)).json()
    return str(made["team_order"]["id"])


def test_act_alone_lists_every_verb_with_its_summary(command_line: CommandLine) -> None:
    listed = command_line.world.call_control("GET", "/simulate?limit=1000")["verbs"]
    text = command_line.run("act").stdout
    for verb in listed:
        assert f"{verb['verb']} " in text
        assert verb["summary"] in " ".join(text.split())
    assert {"approve", "reject", "ship", "fund", "receiver", "settings"} < {
        line.split(" ")[0] for line in text.splitlines()
    }
    assert [row["verb"] for row in command_line.json("act")][:4] == ["approve", "reject", "ship", "fund"]


def test_a_claim_with_an_address_of_its_own(command_line: CommandLine, order: str) -> None:
    address = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
    words = [f"address.{name}={value}" for name, value in address.items()]
    output = command_line.output("act", "claim", f"team_order_id={order}", "recipient=1", *words)
    assert "submitted" in output
    [event] = command_line.world.events()
    assert event["type"] == "team_order.claimed"


def test_a_situation_is_rehearsed_by_its_name(command_line: CommandLine, order: str) -> None:
    output = command_line.output("act", "rehearse", "parcel-lost", f"team_order_id={order}", "recipient=0")
    assert output.splitlines()[1].startswith('POST /simulate/parcel  {"event": "lost"')
    assert "Check: Your app takes a rejection after the handover" in output
    assert command_line.json("act", "rehearse", "name=card-closed", "key=partner.prepaid")["name"] == "card-closed"
    assert "did you mean parcel-lost?" in command_line.run("act", "rehearse", "parcel-lot").stderr


def test_the_help_of_a_rehearsal_has_only_what_it_takes(command_line: CommandLine) -> None:
    option = command_line.output("act", "rehearse", "option-gone", "--help")
    assert option.startswith("Usage: giftsim act rehearse option-gone KEY=VALUE")
    assert "A size or a colour is sold out" in option
    assert option.count("[required]") == 2
    assert "team_order_id" not in option
    parcel = " ".join(command_line.output("act", "rehearse", "name=parcel-lost", "--help").split())
    assert "One of these is required: order_id, team_order_id, gift_id, campaign_id." in parcel
    assert "product" not in parcel
    assert "none" in command_line.output("act", "rehearse", "holiday", "--help")
    everything = command_line.output("act", "rehearse", "--help")
    assert "team_order_id" in everything
    assert "product" in everything
    refused = command_line.run("act", "rehearse", "option-gone", "product=TEE-01", "optoin=M").stderr
    assert "did you mean option?" in refused


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["ship", "recipient=0"], "shipped"),
        (["ship", "recipient=0", "to=delivered"], "delivered"),
        (["shipment", "recipient=0", "to=labeled"], "labeled"),
    ],
)
def test_a_parcel_is_shipped(command_line: CommandLine, order: str, words: list[str], status: str) -> None:
    [parcel] = command_line.json("act", words[0], f"team_order_id={order}", *words[1:])["parcels"]
    assert parcel["status"] == status


def test_money_settings_receivers_keys_and_snapshots(command_line: CommandLine) -> None:
    before = command_line.json("act", "account", "key=partner.prepaid", "card=declined")["wallet_cents"]
    assert command_line.json("act", "fund", "add_cents=500")["wallet_cents"] == before + 500
    other = command_line.json("act", "account", "key=partner.net_terms", "card_fallback=true")["account_id"]
    assert command_line.json("act", "fund", "add_cents=7", f"account_id={other}")["account_id"] == other
    assert command_line.output("act", "settings", "partner.lead_times.production=1h", "museum.strict_dates=false") == (
        "partner.lead_times.production  1h\nmuseum.strict_dates            false\n"
    )
    entry = command_line.json("act", "receiver", "host=hooks.partner.example", "outage.from=+1d", "outage.to=+2d",
                              'script=[{"status": 500}]', "addresses=[]")  # fmt: skip
    assert (entry["outage"]["status"], entry["script"], entry["addresses"]) == (503, [{"status": 500}], [])
    assert command_line.output("act", "delete_receiver", "host=hooks.partner.example").split() == [
        "deleted", "hooks.partner.example",
    ]  # fmt: skip
    made = command_line.json("act", "key", "interface=partner", "name=mine", "account.wallet_cents=100")
    assert made["name"] == "partner.mine"
    assert command_line.json("act", "revoke_key", f"key={made['key']}")["revoked"] is True
    command_line.output("act", "snapshot", "name=now")
    assert command_line.json("act", "clock", "mode=running", "rate=60")["mode"] == "running"
    assert command_line.json("act", "restore", "name=now")["clock"]["mode"] == "manual"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["shipp"], "there is no verb 'shipp'; did you mean ship?"),
        (["ship", "team_order_id=1001", "recipent=0"], "ship has no key 'recipent'; did you mean recipient?"),
        (["ship", "team_order_id=1001", "to=shiped"], "not 'shiped'; did you mean shipped?"),
        (["ship", "decision=approve"], "ship has no key 'decision'; its keys are order_id, team_order_id"),
        (["approve", "decision=reject"], "approve has no key 'decision'"),
        (["claim", "address.citty=Reno"], "claim has no key 'address.citty'; did you mean address.city?"),
        (["claim", "recipient=first"], "claim: recipient: "),
        (["fund", "key=partner.prepaid"], "fund: add_cents"),
        (["fund", "add_cents=much"], "fund: add_cents: "),
        (["fund", "500"], "fund takes KEY=VALUE, not '500'"),
        (["fund", "add_cents=1", "add_cents=2"], "add_cents is given twice"),
        (["receiver", "host=a.example", "outage=x", "outage.from=+1d"], "which is given as a whole too"),
        (["receiver", "host=a.example", "mode=forwrd"], "receiver: mode takes capture, forward, refuse or hold"),
        (["receiver", "mode=refuse"], "receiver: host"),
        (["settings", "webhooks.ordr=created"], "settings has no key 'webhooks.ordr'; did you mean webhooks.order?"),
        (["settings", "webhooks.order=latest"], "settings: webhooks.order takes one of created, reversed"),
        (["settings", "museum.strict_dates=perhaps"], "settings: museum.strict_dates takes true or false"),
    ],
    ids=range(17),
)  # fmt: skip
def test_what_is_wrong_is_named_and_nothing_is_sent(
    command_line: CommandLine, order: str, words: list[str], message: str
) -> None:
    del order
    before = command_line.world.fingerprint
    result = command_line.run("act", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert command_line.world.fingerprint == before


def test_what_the_simulator_refuses_ends_with_1(command_line: CommandLine) -> None:
    result = command_line.run("act", "ship", "team_order_id=77", "recipient=0")
    assert (result.exit_code, "team_order_not_found" in result.stderr) == (1, True)


@pytest.mark.parametrize("words", [("approve", "--help"), ("approval", "-h")])
def test_the_help_of_a_verb_has_its_keys_and_what_they_mean(command_line: CommandLine, words: tuple[str, ...]) -> None:
    text = command_line.output("act", *words)
    assert text.startswith(f"Usage: giftsim act {words[0]} KEY=VALUE...\n")
    for line in ("  approval_id ", "  note ", "The user name of the approver or owner who decides."):
        assert line in text
    assert ("  decision " in text) == (words[0] == "approval")
    assert "approve, reject or ask  [required]" in text or words[0] == "approve"


@pytest.mark.parametrize("verb", ["approve", "ship", "claim", "settings", "receiver"])
def test_a_verb_without_keys_does_nothing_and_says_what_it_takes(command_line: CommandLine, verb: str) -> None:
    before = command_line.world.fingerprint
    result = command_line.run("act", verb)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == command_line.output("act", verb, "--help")
    assert command_line.world.fingerprint == before


def test_the_help_of_ship_says_that_it_enters_an_address(command_line: CommandLine) -> None:
    text = " ".join(command_line.output("act", "ship", "--help").split())
    assert "it enters an address for a gift that nobody claimed" in text


def test_a_text_is_not_taken_for_a_number_where_the_key_takes_texts(command_line: CommandLine) -> None:
    command_line.output("act", "actor", "id=12", 'recipient="any"', "claims=3d")
    [actor] = command_line.world.rows("actors")
    assert (actor["id"], actor["recipient"]) == ("12", '"any"')


@pytest.mark.parametrize(
    ("words", "typed", "offered"),
    [
        (["act"], "appr", {"approve", "approval"}),
        (["act"], "sett", {"settings"}),
        (["act", "ship"], "t", {"team_order_id=", "to="}),
        (["act", "ship", "to=shipped"], "t", {"team_order_id="}),
        (["act", "ship"], "to=d", {"to=delivered", "to=delayed"}),
        (["act", "ship", "to", "="], "d", {"delivered", "delayed"}),  # as bash parts words
        (["act", "ship", "to"], "del", {"delivered", "delayed"}),
        (["act", "settings"], "webhooks.ord", {"webhooks.order="}),
        (["act", "settings"], "webhooks.order=", {"webhooks.order=created", "webhooks.order=reversed"}),
        (["act", "claim"], "address.c", {"address.city=", "address.country="}),
        (["act", "nothing"], "", set()),
    ],
    ids=range(11),
)
def test_a_shell_completes_verbs_keys_and_values(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, words: list[str], typed: str, offered: set[str]
) -> None:
    monkeypatch.setenv("GIFTSIM_URL", command_line.url)
    monkeypatch.setenv("GIFTSIM_WORLD", command_line.world.id)
    shell = ShellComplete(main, {}, "giftsim", "_GIFTSIM_COMPLETE")
    assert {item.value for item in shell.get_completions(words, typed)} == offered


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [("giftsim act shi", {"ship", "shipment"}), ("giftsim act ship to = del", {"delivered", "delayed"}),
     ("giftsim act ship to =", {"in_production", "labeled", "shipped", "delivered", "delayed", "rejected"}),
     ("giftsim act fund add", {"add_cents="})],
)  # fmt: skip
def test_bash_completes_what_it_parts_at_the_equals_sign(
    command_line: CommandLine, tmp_path: Path, words: str, offered: set[str]
) -> None:
    script = ASK.format(words=words, last=len(words.split()) - 1)
    variables = {"GIFTSIM_URL": command_line.url, "GIFTSIM_WORLD": command_line.world.id}
    done = subprocess.run(
        ["bash", "-c", script], env={**environment(tmp_path, active=True), **variables}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert set(done.stdout.split()) == offered


def test_every_verb_that_a_simulator_describes_can_be_shown(command_line: CommandLine) -> None:
    for verb in json.loads(command_line.output("act", "--json")):
        assert "Keys:" in command_line.output("act", verb["verb"], "--help")
