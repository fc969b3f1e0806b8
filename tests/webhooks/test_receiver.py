"""The receiver table: entries, scripts, errors, and allowed targets of forwarding (B49, G25)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.signals import connect
from giftsim.engine.webhooks import receiver
from giftsim.engine.webhooks.forward_targets import check_allowance, check_target, is_forbidden
from giftsim.engine.webhooks.outgoing import Outcome
from giftsim.engine.webhooks.receiver import FORWARD_ALLOWED, InvalidReceiver, ReceiverNotFound
from giftsim.engine.webhooks.receiver_script import KEPT_ANSWERS, KEPT_BYTES, RECEIVER_ANSWER, find_answer, keep_answer
from tests.support.webhook_world import HOST, WebhookWorld

TO = "http://127.0.0.1:9000"


def outcomes(world: WebhookWorld, events: int) -> list[str | None]:
    for _ in range(events):
        world.emit()
    world.advance("40m")
    return [attempt.outcome for attempt in world.attempts]


def test_a_host_without_an_entry_answers_200() -> None:
    world = WebhookWorld()
    world.subscribe()
    assert outcomes(world, 2) == ["delivered"] * 2
    assert world.sent == []


def test_a_script_answers_one_step_per_attempt_and_then_answers_the_rest() -> None:
    world = WebhookWorld()
    world.subscribe()
    entry = world.set_receiver(script=[{"status": 500}, {"timeout": True}], then={"status": 404})
    assert outcomes(world, 4) == ["http_status", "timeout", "http_status", "http_status"]
    assert [attempt.status for attempt in world.attempts] == [500, None, 404, 404]
    assert world.state[receiver.RECEIVER].get(entry.n).used == 2


def test_mode_refuse_sends_nothing() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="refuse")
    assert outcomes(world, 1) == ["refused"]
    assert world.sent == []


def test_the_entry_for_any_host_answers_for_hosts_without_their_own() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.set_receiver("*", then={"status": 500})
    world.set_receiver("a.partner.example")
    assert outcomes(world, 1) == ["delivered", "http_status"]


def test_a_host_answers_200_after_its_entry_is_deleted() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="refuse")
    with world.state.transaction():
        receiver.delete_receiver(world.state, HOST)
    assert outcomes(world, 1) == ["delivered"]
    with pytest.raises(ReceiverNotFound):
        receiver.delete_receiver(world.state, HOST)


def test_a_replaced_entry_starts_its_script_again() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=[{"status": 500}])
    assert outcomes(world, 2) == ["http_status", "delivered"]
    world.set_receiver(HOST.upper(), script=[{"status": 500}])
    world.advance("5m")
    assert [attempt.status for attempt in world.attempts] == [500, 200, 500]
    assert len(receiver.list_receivers(world.state)) == 1


def test_the_view_shows_the_entry_as_written() -> None:
    world = WebhookWorld()
    entry: dict[str, Any] = {
        "mode": "capture",
        "script": [{"status": 302, "location": "/x"}, {"status": 200, "delay_s": 12.0}, {"reset": True}],
        "then": {"status": 204},
        "addresses": ["93.184.215.14"],
        "outage": {"from": "+3d", "to": "2027-01-08T00:00:00Z"},
        "host_header": "target",
    }
    shown = receiver.receiver_view(world.set_receiver(**entry))
    outage = {"from": "2027-01-07T09:20:00Z", "to": "2027-01-08T00:00:00Z", "status": 503}
    assert shown == {**entry, "host": HOST, "to": None, "used": 0, "outage": outage}


def test_without_network_scripts_answer_and_nothing_is_forwarded() -> None:
    world = WebhookWorld()
    forwarding = receiver.for_dry_run(world.set_receiver(mode="forward", to=TO, script=[{"status": 500}]))
    assert (forwarding.mode, forwarding.to, len(forwarding.script)) == ("capture", None, 1)
    refusing = world.set_receiver(mode="refuse")
    assert receiver.for_dry_run(refusing) == refusing


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ([], "a receiver must be an object"),
        ({"mod": "capture"}, "did you mean mode"),
        ({"colour": 1}, "has no member 'colour'"),
        ({"mode": "swallow"}, "mode must be one of capture, forward, refuse, hold, not 'swallow'"),
        ({"mode": "forward"}, "mode forward requires to"),
        ({"to": TO}, "mode forward requires to, and no other mode takes it"),
        ({"mode": "forward", "to": 9000}, "to must be a string"),
        (
            {"mode": "forward", "to": TO, "then": {"status": 200}},
            "then is only for modes capture and hold, not for mode forward",
        ),
        ({"script": {"status": 500}}, "script must be a list"),
        ({"script": [{}]}, "a step must not be empty"),
        ({"script": [{"status": 100}]}, "status must be from 200 to 599, not 100"),
        ({"script": [{"status": True}]}, "status must be from 200 to 599, not True"),
        ({"script": [{"delay_s": -1}]}, "0 to 3600"),
        ({"script": [{"delay_s": "9"}]}, "0 to 3600"),
        ({"script": [{"location": 5, "status": 302}]}, "location must be a string"),
        ({"script": [{"timeout": False}]}, "must be {timeout: true} without other members"),
        ({"script": [{"timeout": True, "status": 500}]}, "must be {timeout: true} without other members"),
        ({"script": [{"timout": True}]}, "did you mean timeout"),
        ({"addresses": "10.0.0.1"}, "addresses must be a list"),
        ({"addresses": ["localhost"]}, "does not appear to be"),
        ({"outage": {"from": "+1d"}}, "an outage requires from and to"),
        ({"outage": {"from": "+2d", "to": "+1d"}}, "an outage must end after it begins"),
        ({"outage": {"from": "soon", "to": "+1d"}}, "is not an instant"),
        ({"outage": {"from": 5, "to": "+1d"}}, "from must be an instant or an offset such as"),
        ({"outage": {"from": "+1d", "to": "+2d", "status": 99}}, "200 to 599"),
        ({"host_header": "drop"}, "host_header must be one of keep, target"),
    ],
)
def test_the_error_of_an_invalid_entry_names_what_is_wrong(entry: object, message: str) -> None:
    world = WebhookWorld()
    with pytest.raises(InvalidReceiver, match=message) as caught, world.state.transaction():
        receiver.set_receiver(world.state, HOST, entry, start_ms=0)
    assert (caught.value.status, caught.value.code) == (400, "invalid_receiver")
    assert receiver.list_receivers(world.state) == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "", "a b.example", "x"])
def test_a_host_that_is_not_public_is_refused(host: str) -> None:
    with pytest.raises(InvalidReceiver, match="no endpoint can have this host"):
        WebhookWorld().set_receiver(host)


@pytest.mark.parametrize("host", ["a.example:443", "a.example/x", "a.example?"])
def test_a_host_with_a_port_or_path_is_refused(host: str) -> None:
    with pytest.raises(InvalidReceiver, match="a name without port and path"):
        WebhookWorld().set_receiver(host)


@pytest.mark.parametrize(
    "to",
    ["http://127.0.0.1", "http://127.0.0.1:9000", "http://127.9.8.7:1/", "http://[::1]:9000", "http://localhost:9000"],
)
def test_loopback_is_a_valid_target(to: str) -> None:
    assert check_target(to).port in (80, 9000, 1)


@pytest.mark.parametrize(
    "to",
    [
        "https://127.0.0.1:9000", "http://app.localhost:9000", "http://127.1:9000", "http://2130706433/",
        "http://0x7f.0.0.1/", "http://127.0.0.01/", "http://10.0.0.1:80", "http://app:3000", "http://127.0.0.1:9000/path",
        "http://u:p@127.0.0.1/", "http://127.0.0.1:99999", "http://127.0.0.1:0", "http://[::2]:80",
        "http://127.0.0.1\r\nX: y", "http://[::1", "http://0.0.0.0:80", "ftp://127.0.0.1", "",
        "http://169.254.169.254", "http://127.0.0.1.evil.example", "http://１27.0.0.1/",
    ],
)  # fmt: skip
def test_other_targets_are_refused(to: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_target(to)


@pytest.mark.parametrize(
    ("allowed", "to", "accepted"),
    [
        ("app", "http://app:3000", True),
        ("app:3000", "http://app:3000", True),
        ("app:3000", "http://app:3001", False),
        ("app", "http://app2:3000", False),
        ("172.17.0.0/16", "http://172.17.4.4:80", True),
        ("172.17.0.0/16", "http://172.18.4.4:80", False),
        ("fd00::/8", "http://[fd00::7]:80", True),
        ("[fd00::7]", "http://[fd00::7]:80", True),
    ],
)
def test_the_operator_can_allow_other_targets(allowed: str, to: str, accepted: bool) -> None:
    assert check_allowance(allowed) == allowed
    world = WebhookWorld(connect(FORWARD_ALLOWED, lambda: (allowed,)))
    if accepted:
        assert world.set_receiver(mode="forward", to=to).to == to
    else:
        with pytest.raises(InvalidReceiver):
            world.set_receiver(mode="forward", to=to)


METADATA = (
    *("169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "[fe80::a9fe:a9fe]"),
    *("[fd00:ec2::254]", "[fd00:ec2::23]", "[fd20:ce::254]", "[fd00:42::42]", "[fd00:c1::a9fe:a9fe]"),
    # mapped, compatible, translated, NAT64 with the known and other prefixes, 6to4, Teredo, ISATAP
    *("[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:a9fe:a9fe]", "[::169.254.169.254]"),
    *("[::ffff:0:a9fe:a9fe]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::a9fe:a9fe]", "[64:ff9b:1:a9fe:a9:fe00::]"),
    *("[64:ff9b:1:a9:fe:a9fe::]", "[64:ff9b:1:0:a9:fea9:fe00:0]", "[2001:470:64::a9fe:a9fe]", "[2002:a9fe:a9fe::1]"),
    *("[2001:0:a9fe:a9fe::1]", "[2001:0:4136:e378:8000:63bf:5601:5601]", "[2001:470::5efe:a9fe:a9fe]"),
    *("[fd00::200:5efe:6464:64c8]", "[64:ff9b::6464:64c8]", "[2002:a83f:8110::]"),
    # names
    *("metadata", "metadata.google.internal", "Metadata.Google.Internal", "metadata.goog", "instance-data"),
)
NUMBERS = (
    *("2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "025177524776", "169.254.43518"),
    *("169.16689662", "169.254.169.0376", "0169.254.169.254", "0x.0x.0x.0x", "1.2.3.4.5", "127.1", "app.1"),
)


@pytest.mark.parametrize("host", METADATA)
def test_no_allowance_permits_a_metadata_service_in_any_spelling(host: str) -> None:
    with pytest.raises(ValueError, match="is link-local or a metadata service: webhooks are never forwarded there"):
        check_allowance(host)
    with pytest.raises(ValueError, match="is link-local or a metadata service: webhooks are never forwarded there"):
        check_target(f"http://{host}:80", ("0.0.0.0/0", "::/0", host))
    address = host.strip("[]").lower()
    assert is_forbidden(address)  # what the courier asks of each address that a name resolves to


@pytest.mark.parametrize("host", NUMBERS)
def test_numbers_that_are_not_a_plain_address_are_not_a_target(host: str) -> None:
    with pytest.raises(ValueError, match="write its address like"):
        check_allowance(host)
    with pytest.raises(ValueError, match="write its address like"):
        check_target(f"http://{host}:80", ("0.0.0.0/0",))


@pytest.mark.parametrize("network", ["169.254.0.0/16", "169.254.169.0/24", "fe80::/64", "100.100.100.200/32"])
def test_a_network_in_which_nothing_is_allowed_allows_nothing(network: str) -> None:
    with pytest.raises(ValueError, match=f"{network} is link-local or a metadata service"):
        check_allowance(network)


@pytest.mark.parametrize("to", ["http://10.0.0.7:80", "http://[fd00::7]", "http://[2001:470::7]", "http://10-0-0-7"])
def test_all_other_addresses_can_be_allowed(to: str) -> None:
    assert check_target(to, ("0.0.0.0/0", "::/0", "10-0-0-7")).port == 80


@pytest.mark.parametrize("entry", ["", "a b", "10.0.0.0/99", "http://app", "app:port"])
def test_an_invalid_allowed_target_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_allowance(entry)


FORWARDED: dict[str, Any] = {"mode": "forward", "to": "http://127.0.0.1:9000"}


def world_with_attempt(**entry: Any) -> WebhookWorld:
    """A world in which a receiver answered one attempt."""
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(**entry)
    world.emit()
    world.advance("40m")
    return world


def test_a_scripted_body_is_kept_with_its_attempt() -> None:
    world = world_with_attempt(script=[{"status": 500, "body": "out of <b>paper</b>"}])
    answer = find_answer(world.state, 0)
    assert answer is not None
    assert (answer.body, answer.cut) == (b"out of <b>paper</b>", False)


def test_an_empty_body_takes_no_place() -> None:
    assert list(world_with_attempt(then={"status": 204}).state[RECEIVER_ANSWER]) == []


def test_a_long_body_of_a_forwarded_attempt_is_cut() -> None:
    world = WebhookWorld()
    world.courier = lambda _: Outcome("http_status", 500, 0, 0.1, b"x" * (KEPT_BYTES + 1))
    world.subscribe()
    world.set_receiver(**FORWARDED)
    world.emit()
    world.advance("40m")
    answer = find_answer(world.state, 0)
    assert answer is not None
    assert (len(answer.body), answer.cut) == (KEPT_BYTES, True)


def test_the_newest_answers_are_kept() -> None:
    world = WebhookWorld()
    with world.state.transaction():
        for attempt in range(KEPT_ANSWERS + 3):
            keep_answer(world.state, attempt, b"late")
    assert [answer.attempt for answer in world.state[RECEIVER_ANSWER]] == list(range(3, KEPT_ANSWERS + 3))


def test_the_answer_of_a_dropped_attempt_is_dropped() -> None:
    world = WebhookWorld()
    world.change_setting("webhooks.attempts_kept", 1)
    world.subscribe()
    world.set_receiver(then={"status": 503, "body": "down"})
    world.emit()
    world.advance("50m")
    assert len(world.attempts) == 1
    assert [answer.attempt for answer in world.state[RECEIVER_ANSWER]] == [world.attempts[0].n]


def test_a_body_changes_no_fingerprint() -> None:
    quiet, chatty = (world_with_attempt(then={"status": 503, **body}) for body in ({}, {"body": "down"}))
    assert fingerprint(quiet.state) == fingerprint(chatty.state)


@pytest.mark.parametrize("body", [7, "x" * 4097, None])
def test_a_body_is_a_text_of_bounded_length(body: object) -> None:
    with pytest.raises(InvalidReceiver, match="body must be a text of at most 4096 characters"):
        WebhookWorld().set_receiver(then={"status": 200, "body": body})
