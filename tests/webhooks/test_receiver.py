"""The receiver table: entries, scripts, errors, and allowed targets of forwarding (B49, G25)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.signals import connect
from giftsim.webhooks import receiver
from giftsim.webhooks.forward_targets import check_allowance, check_target
from giftsim.webhooks.receiver import FORWARD_ALLOWED, InvalidReceiver, ReceiverNotFound
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
    shown = receiver.view(world.set_receiver(**entry))
    outage = {"from": "2027-01-07T09:20:00Z", "to": "2027-01-08T00:00:00Z", "status": 503}
    assert shown == {**entry, "host": HOST, "to": None, "used": 0, "outage": outage}


def test_without_network_scripts_answer_and_nothing_is_forwarded() -> None:
    world = WebhookWorld()
    forwarding = receiver.without_network(world.set_receiver(mode="forward", to=TO, script=[{"status": 500}]))
    assert (forwarding.mode, forwarding.to, len(forwarding.script)) == ("capture", None, 1)
    refusing = world.set_receiver(mode="refuse")
    assert receiver.without_network(refusing) == refusing


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
        ({"outage": {"from": "soon", "to": "+1d"}}, "is no instant"),
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
    "to", ["http://127.0.0.1", "http://127.0.0.1:9000", "http://127.9.8.7:1/", "http://[::1]:9000"]
)
def test_loopback_is_a_valid_target(to: str) -> None:
    assert check_target(to).port in (80, 9000, 1)


@pytest.mark.parametrize(
    "to",
    [
        "https://127.0.0.1:9000", "http://localhost:9000", "http://127.1:9000", "http://2130706433/",
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
        ("0.0.0.0/0", "http://169.254.169.254", False),
        ("169.254.169.254", "http://169.254.169.254", False),
        ("metadata.google.internal", "http://metadata.google.internal", False),
        ("::/0", "http://[fe80::1]", False),
        ("::/0", "http://[::ffff:169.254.169.254]", False),
        ("fd00::/8", "http://[fd00::7]:80", True),
        ("[fd00::7]", "http://[fd00::7]:80", True),
    ],
)
def test_the_operator_can_allow_other_targets_except_link_local_ones(allowed: str, to: str, accepted: bool) -> None:
    assert check_allowance(allowed) == allowed
    world = WebhookWorld(connect(FORWARD_ALLOWED, lambda: (allowed,)))
    if accepted:
        assert world.set_receiver(mode="forward", to=to).to == to
    else:
        with pytest.raises(InvalidReceiver):
            world.set_receiver(mode="forward", to=to)


@pytest.mark.parametrize("entry", ["", "a b", "10.0.0.0/99", "http://app", "app:port"])
def test_an_invalid_allowed_target_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_allowance(entry)
