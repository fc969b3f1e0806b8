"""Webhooks in a test's hand: assertions whose messages show what did arrive, and feeding them to an application."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from giftsim.testing import Giftsim, Webhook
from tests.testing.test_handle import given, ordered


def shipped(held: Giftsim) -> Any:
    held.subscribe("team_order.claimed", "team_order.shipped")
    order = ordered(held)
    held.claim(order)
    held.advance("3d")
    return order.json()


def failure(check: Callable[[], object]) -> str:
    with pytest.raises(AssertionError) as told:
        check()
    return str(told.value)


def test_a_webhook_that_arrived_is_handed_over(held: Giftsim) -> None:
    order = shipped(held)
    hook = held.assert_webhook("team_order.shipped", team_order={"id": order["team_order"]["id"]})
    assert hook.data["shipment"]["carrier"] == "USPS"
    assert (hook.outcome, hook.status, hook.attempt) == ("delivered", 200, 1)
    assert held.assert_webhook("team_order.claimed", times=1, host="hooks.partner.example").type == "team_order.claimed"
    held.assert_no_webhook("team_order.delivered")
    held.assert_no_webhook("team_order.shipped", team_order={"id": 1})


def test_the_message_shows_what_did_arrive_and_what_the_nearest_lacks(here: Giftsim) -> None:
    shipped(here)
    assert failure(lambda: here.assert_webhook("team_order.shipped", team_order={"id": 7})) == (
        'wanted a webhook team_order.shipped with {"team_order":{"id":7}}, found none\n'
        "what did arrive, up to 2027-01-07T09:00:00Z:\n"
        "  2027-01-04T10:00:00Z  team_order.claimed           attempt 1  delivered 200      "
        "https://hooks.partner.example/gifts  (seq 1)\n"
        "  2027-01-07T09:00:00Z  team_order.shipped           attempt 1  delivered 200      "
        "https://hooks.partner.example/gifts  (seq 2)\n"
        "the nearest is seq 2, but:\n"
        "  data.team_order.id: expected 7, actual 1001"
    )


def test_the_message_counts_and_names_other_endings(here: Giftsim) -> None:
    here.receiver(script=[{"status": 503}])
    shipped(here)
    told = failure(lambda: here.assert_webhook("team_order.claimed", times=2))
    assert told.startswith("wanted 2 x team_order.claimed, found 1\n")
    assert "attempt 1  http_status 503" in told
    assert "  it came to http_status 503" in told
    assert here.assert_webhook("team_order.claimed", outcome=None, times=2).status == 503
    told = failure(lambda: here.assert_webhook("team_order.claimed", outcome="timeout"))
    assert told.startswith("wanted a webhook team_order.claimed that came to 'timeout', found none\n")
    told = failure(lambda: here.assert_no_webhook("team_order.claimed"))
    assert told.startswith("wanted no webhook team_order.claimed, found 2:\n  2027-01-04T10:00:00Z")


def test_the_message_says_why_nothing_came(here: Giftsim) -> None:
    order = ordered(here)
    told = failure(lambda: here.assert_webhook("team_order.claimed"))
    assert "nothing at all was sent up to 2027-01-04T09:00:00Z" in told
    assert "no team_order.claimed has happened; next is due: 2027-01-04T10:00:00Z" in told
    here.claim(order)
    here.advance("1h")
    told = failure(lambda: here.assert_webhook("team_order.claimed"))
    assert "team_order.claimed happened at 2027-01-04T09:00:00Z, but no endpoint was subscribed to it" in told


def test_the_message_says_when_an_event_is_not_sent_yet(here: Giftsim) -> None:
    here.subscribe("team_order.claimed")
    here.claim(ordered(here))
    told = failure(lambda: here.assert_webhook("team_order.claimed"))
    assert "team_order.claimed happened at 2027-01-04T09:00:00Z and is not sent yet; next is due: 2027-01-04T10" in told


def test_a_teams_endpoint_is_subscribed_by_its_credential(held: Giftsim) -> None:
    told = held.subscribe("approval.decided", credential="team.live_approver")
    held.approve(given(held))
    held.advance("1h")
    assert told["secret"].startswith("whsec_")
    assert held.assert_webhook("approval.decided").url == "https://hooks.partner.example/gifts"


def test_mail_and_events_are_at_hand(held: Giftsim) -> None:
    ordered(held)
    [letter] = held.mail(to="bo@example.com")
    assert letter["to"] == "bo@example.com"
    assert held.mail(to="nobody+at+all@example.com") == []
    assert held.events("team_order.shipped") == []


class App:
    """An application of somebody's, as far as its webhook endpoint goes: it checks signatures by its own code."""

    def __init__(self, secret: str) -> None:
        self.secret = secret.encode()
        self.heard: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        parts = dict(part.split("=", 1) for part in environ["HTTP_X_SERVICE_SIGNATURE"].split(","))
        good = hmac.new(self.secret, f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
        ok = hmac.compare_digest(good, parts["v1"]) and environ["PATH_INFO"] == "/gifts"
        self.heard.append(environ["HTTP_X_SERVICE_EVENT"])
        start_response("204 No Content" if ok else "400 Bad Request", [])
        return [b""]


class Quiet(WSGIRequestHandler):
    """A handler that keeps no log."""

    def log_message(self, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(app: Any) -> Iterator[str]:
    with make_server("127.0.0.1", 0, app, handler_class=Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_captured_webhooks_are_fed_to_an_application_once(held: Giftsim) -> None:
    app = App(held.subscribe("team_order.claimed", "team_order.shipped")["secret"])
    held.claim(ordered(held))
    held.advance("1h")
    assert [fed.status for fed in held.deliver_to(app)] == [204]
    held.advance("3d")
    with served(app) as origin:
        assert [str(fed) for fed in held.deliver_to(origin)] == ["team_order.shipped (seq 2): 204 b''"]
    assert held.deliver_to(app) == []
    assert app.heard == ["team_order.claimed", "team_order.shipped"]


def test_any_callable_can_be_fed(here: Giftsim) -> None:
    shipped(here)

    def handler(hook: Webhook) -> str:
        return f"{hook.type} {hook.headers['X-Service-Signature'][:2]}"

    fed = here.deliver_to(handler=handler, type="team_order.shipped", host="hooks.partner.example")
    assert [one.body for one in fed] == ["team_order.shipped t="]


def test_webhooks_are_fed_to_this_machine_alone(here: Giftsim) -> None:
    with pytest.raises(ValueError, match="fed to this machine alone"):
        here.deliver_to("https://hooks.partner.example")
    with pytest.raises(TypeError, match="a WSGI application or a URL"):
        here.deliver_to()


def test_a_type_that_there_is_not_is_no_silent_yes(held: Giftsim) -> None:
    for ask in (held.assert_webhook, held.assert_no_webhook):
        with pytest.raises(ValueError, match=r"no webhook 'team_order.shiped'; did you mean team_order.shipped\?"):
            ask("team_order.shiped")
