"""The receiver table: who answers for a host, what it may say, and where it may forward to (B49, G25)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.signals import connect
from giftsim.webhooks import receiver
from giftsim.webhooks.forward_targets import check_allowance, check_target
from giftsim.webhooks.receiver import FORWARD_ALLOWED, InvalidReceiver, ReceiverNotFound
from tests.support.webhook_world import HOST, WebhookWorld

TO = "http://127.0.0.1:9000"


def outcomes(scene: WebhookWorld, events: int) -> list[str | None]:
    for _ in range(events):
        scene.emit()
    scene.advance("40m")
    return [attempt.outcome for attempt in scene.attempts]


def test_a_host_without_an_entry_is_captured_and_answers_200() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    assert outcomes(scene, 2) == ["delivered"] * 2
    assert scene.sent == []


def test_a_script_is_used_up_one_step_per_attempt_and_then_the_rest_answers() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    entry = scene.set_receiver(script=[{"status": 500}, {"timeout": True}], then={"status": 404})
    assert outcomes(scene, 4) == ["http_status", "timeout", "http_status", "http_status"]
    assert [attempt.status for attempt in scene.attempts] == [500, None, 404, 404]
    assert scene.state[receiver.RECEIVER].get(entry.n).used == 2


def test_refusing_means_that_nothing_goes_out() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="refuse")
    assert outcomes(scene, 1) == ["refused"]
    assert scene.sent == []


def test_the_entry_for_any_host_answers_where_none_is_by_name() -> None:
    scene = WebhookWorld()
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(url="https://b.partner.example/")
    scene.set_receiver("*", then={"status": 500})
    scene.set_receiver("a.partner.example")
    assert outcomes(scene, 1) == ["delivered", "http_status"]


def test_a_deleted_entry_leaves_the_host_captured() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="refuse")
    with scene.state.transaction():
        receiver.delete_receiver(scene.state, HOST)
    assert outcomes(scene, 1) == ["delivered"]
    with pytest.raises(ReceiverNotFound):
        receiver.delete_receiver(scene.state, HOST)


def test_an_entry_put_again_starts_its_script_anew() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(script=[{"status": 500}])
    assert outcomes(scene, 2) == ["http_status", "delivered"]
    scene.set_receiver(HOST.upper(), script=[{"status": 500}])
    scene.advance("5m")
    assert [attempt.status for attempt in scene.attempts] == [500, 200, 500]
    assert len(receiver.list_receivers(scene.state)) == 1


def test_an_entry_is_shown_as_it_was_put() -> None:
    scene = WebhookWorld()
    entry: dict[str, Any] = {
        "mode": "capture",
        "script": [{"status": 302, "location": "/x"}, {"status": 200, "delay_s": 12.0}, {"reset": True}],
        "then": {"status": 204},
        "addresses": ["93.184.215.14"],
        "outage": {"from": "+3d", "to": "2027-01-08T00:00:00Z"},
        "host_header": "target",
    }
    shown = receiver.view(scene.set_receiver(**entry))
    outage = {"from": "2027-01-07T09:20:00Z", "to": "2027-01-08T00:00:00Z", "status": 503}
    assert shown == {**entry, "host": HOST, "to": None, "used": 0, "outage": outage}


def test_a_rehearsal_forwards_nothing_and_plays_everything_else() -> None:
    scene = WebhookWorld()
    forwarding = receiver.without_network(scene.set_receiver(mode="forward", to=TO, script=[{"status": 500}]))
    assert (forwarding.mode, forwarding.to, len(forwarding.script)) == ("capture", None, 1)
    refusing = scene.set_receiver(mode="refuse")
    assert receiver.without_network(refusing) == refusing


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ([], "is an object"),
        ({"mod": "capture"}, "did you mean mode"),
        ({"colour": 1}, "has no member 'colour'"),
        ({"mode": "swallow"}, "mode is one of capture, forward, refuse"),
        ({"mode": "forward"}, "needs it"),
        ({"to": TO}, "to is for mode forward"),
        ({"mode": "forward", "to": 9000}, "to is text"),
        ({"mode": "forward", "to": TO, "then": {"status": 200}}, "then is for modes capture and hold"),
        ({"script": {"status": 500}}, "script is a list"),
        ({"script": [{}]}, "a step says something"),
        ({"script": [{"status": 100}]}, "200 to 599"),
        ({"script": [{"status": True}]}, "200 to 599"),
        ({"script": [{"delay_s": -1}]}, "0 to 3600"),
        ({"script": [{"delay_s": "9"}]}, "0 to 3600"),
        ({"script": [{"location": 5, "status": 302}]}, "location is text"),
        ({"script": [{"timeout": False}]}, "nothing else"),
        ({"script": [{"timeout": True, "status": 500}]}, "nothing else"),
        ({"script": [{"timout": True}]}, "did you mean timeout"),
        ({"addresses": "10.0.0.1"}, "addresses is a list"),
        ({"addresses": ["localhost"]}, "does not appear to be"),
        ({"outage": {"from": "+1d"}}, "has from and to"),
        ({"outage": {"from": "+2d", "to": "+1d"}}, "ends after it begins"),
        ({"outage": {"from": "soon", "to": "+1d"}}, "is no instant"),
        ({"outage": {"from": 5, "to": "+1d"}}, "as text"),
        ({"outage": {"from": "+1d", "to": "+2d", "status": 99}}, "200 to 599"),
        ({"host_header": "drop"}, "host_header is one of"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused_and_told_why(entry: object, says: str) -> None:
    scene = WebhookWorld()
    with pytest.raises(InvalidReceiver, match=says) as caught, scene.state.transaction():
        receiver.set_receiver(scene.state, HOST, entry, start_ms=0)
    assert (caught.value.status, caught.value.code) == (400, "invalid_receiver")
    assert receiver.list_receivers(scene.state) == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "", "a b.example", "x"])
def test_a_host_that_no_endpoint_can_have_is_refused(host: str) -> None:
    with pytest.raises(InvalidReceiver, match="no endpoint can have this host"):
        WebhookWorld().set_receiver(host)


@pytest.mark.parametrize("host", ["a.example:443", "a.example/x", "a.example?"])
def test_a_receiver_is_named_by_its_host_alone(host: str) -> None:
    with pytest.raises(InvalidReceiver, match="a name alone"):
        WebhookWorld().set_receiver(host)


@pytest.mark.parametrize(
    "to", ["http://127.0.0.1", "http://127.0.0.1:9000", "http://127.9.8.7:1/", "http://[::1]:9000"]
)
def test_loopback_may_be_forwarded_to(to: str) -> None:
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
def test_anything_else_may_not_be_forwarded_to(to: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_target(to)


@pytest.mark.parametrize(
    ("allowed", "to", "may"),
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
def test_the_operator_may_allow_more_but_never_link_local_places(allowed: str, to: str, may: bool) -> None:
    assert check_allowance(allowed) == allowed
    scene = WebhookWorld(connect(FORWARD_ALLOWED, lambda: (allowed,)))
    if may:
        assert scene.set_receiver(mode="forward", to=to).to == to
    else:
        with pytest.raises(InvalidReceiver):
            scene.set_receiver(mode="forward", to=to)


@pytest.mark.parametrize("entry", ["", "a b", "10.0.0.0/99", "http://app", "app:port"])
def test_an_allowance_that_names_no_place_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_allowance(entry)
