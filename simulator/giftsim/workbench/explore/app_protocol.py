"""The protocol between explore and an app: four endpoints of the app, with their requests and responses."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec

from giftsim.engine.guard import Guard
from giftsim.engine.system import end_group
from giftsim.engine.worlds import system_clock

HOST = "hooks.partner.example"
EVENTS = ("team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention")
CREDENTIAL = "partner.prepaid"
RECIPIENT = {"name": "Bo", "email": "bo@example.com"}
ADDRESS = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}

# What explore may ask of an app, the operations of the service that it needs for that, and what of it is the team's.
OPERATIONS: dict[str, tuple[str, ...]] = {
    "order": ("createTeamOrder", "getTeamOrder", "listTeamOrders"),
    "cancel_order": ("cancelTeamOrder",),
    "pay_order": (),
    "gift": ("sendGift", "getGift", "listGifts", "getApproval"),
    "campaign": ("createLargeCampaign", "processLargeCampaign", "getLargeCampaign"),
    "rule": ("createRule", "upsertPeople"),
    "ticket": (),
    "secrets": (),
    "clock": (),
    "restart": (),
    "instance": (),
}
ACTIONS = tuple(OPERATIONS)
TEAM_ACTIONS = frozenset({"gift", "campaign", "rule"})
PARTNER_ACTIONS = frozenset({"order", "cancel_order", "pay_order", "secrets"})
OF_COMMAND = frozenset({"restart", "instance"})  # what only an app can do that explore has started
AGAIN_AND_AGAIN = "step"  # the parameter of the check after a step

PROTOCOL_HELP = """\
The app runs on this machine and has four endpoints (options set other paths):
  POST /giftsim/start     {simulator, key, webhook_url, secret, world}
                          delete all data; use this simulator from now on
  POST /giftsim/do        {action: "order", reference, recipient}
                          place this order over the partner interface; a
                          known reference means the same order again.
                          recipient is {name, email}, with the address
                          {address1, city, state, zip, country} if the gift
                          goes there at once
  POST /giftsim/webhooks  receives the simulator's webhooks, signed with
                          `secret`
  GET  /giftsim/check     called when nothing is left to happen: {"ok": true},
                          or {"wrong": "why"} (or a list of reasons)

The app may answer the start with {"actions": [...], "cheap_check": true}. Then
it is asked for these actions too: order, cancel_order, pay_order, gift,
campaign, rule, ticket, secrets, clock; and after each step
GET /giftsim/check?step=N asks what is wrong already. Without an answer it is
asked for orders. An app that --app-command starts may add restart and instance:
it is ended and started again, and a second instance of it runs beside it.

A response that is not 2xx or comes too late is a failure too. An app answers
501 to an action that it does not offer, and does not list it. The readiness
pack asks for the same and for more: docs/reference/app-protocol.md.

With --check CMD a command replaces the last call: an exit status other than 0
is a failure, and its last line of output is the reason. Its environment has
GIFTSIM_ORIGIN, GIFTSIM_WORLD, GIFTSIM_KEY and GIFTSIM_APP.
"""


class AppProtocol(msgspec.Struct, frozen=True, kw_only=True):
    """The app's URL and the paths of its endpoints.

    `do` is None if explore places the orders for the app, `check` if a command checks the app. `actions` are what the
    app says that it can do, none if it does not say; with `cheap_check` it is checked after each step.
    """

    app: str
    start: str = "/giftsim/start"
    do: str | None = "/giftsim/do"
    webhooks: str = "/giftsim/webhooks"
    check: str | None = "/giftsim/check"
    timeout_s: int = 5
    actions: tuple[str, ...] = ()
    cheap_check: bool = False

    @property
    def has_team(self) -> bool:
        """Whether the app uses the team interface."""
        return not TEAM_ACTIONS.isdisjoint(self.actions)

    @property
    def has_partner(self) -> bool:
        """Whether the app uses the partner interface."""
        return not self.actions or not PARTNER_ACTIONS.isdisjoint(self.actions)

    def telling(self, answer: Any) -> AppProtocol:
        """The protocol with what the app's answer to the start says; ValueError if it says what there is not."""
        if not isinstance(answer, dict) or "actions" not in answer:
            return msgspec.structs.replace(self, actions=(), cheap_check=False)
        actions = answer["actions"]
        if not isinstance(actions, list) or not actions:
            raise ValueError(f"{answer['actions']!r} is not a list of actions")
        for action in actions:
            if action not in ACTIONS:
                raise ValueError(f"{action!r} is not an action; the actions are {', '.join(ACTIONS)}")
        if self.do is None:
            actions = []
        return msgspec.structs.replace(
            self, actions=tuple(actions), cheap_check=answer.get("cheap_check") is True and self.check is not None
        )

    @property
    def webhook_url(self) -> str:
        """The public URL under which the service knows the app's webhook receiver."""
        return f"https://{HOST}{self.webhooks}"

    def start_body_template(self) -> dict[str, Any]:
        """The body of the start call, with scenario variables."""
        secret = {"secret": "${secret}"} if self.has_partner else {"secret": "${team_secret}"}
        team = {"team_key": "ptk_live_${world}_approver", "team_secret": "${team_secret}"} if self.has_team else {}
        ticket = {"museum": {"user": "museum.${world}", "password": "museum-pass"}} if "ticket" in self.actions else {}
        clock = {"now": "${start}"} if "clock" in self.actions else {}
        return {
            "simulator": "${origin}",
            "key": "pk_live_${world}_prepaid",
            "webhook_url": self.webhook_url,
            **secret,
            "world": "${world}",
            **team,
            **ticket,
            **clock,
        }


def order_request(number: int, destination: str) -> dict[str, Any]:
    """The body of the call that asks the app for an order to a recipient with an `address` or with a claim `link`."""
    return {"action": "order", "reference": f"order-{number}", "recipient": _recipient(destination)}


def partner_order(number: int, destination: str) -> dict[str, Any]:
    """The body of the same order in the partner interface, for an app that places none itself."""
    reference = f"order-{number}"
    return {
        "idempotency_key": reference,
        "reference": reference,
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01"}],
        "recipients": [_recipient(destination)],
    }


def _recipient(destination: str) -> dict[str, Any]:
    return {**RECIPIENT, "address": ADDRESS} if destination == "address" else RECIPIENT


START_S = 30.0
END_S = 5.0
POLL_S = 0.05
SHOWN_LINES = 5


class AppNotStarted(Exception):
    """An app did not start; the message says why, with the end of its output."""


class AppProcess:
    """A running app. `{port}` and `{url}` in its command, for a shell, stand for its address."""

    def __init__(self, command: str, url: str) -> None:
        self.url = url
        self.address = address_of(url)
        self.command = command.replace("{port}", str(self.address[1])).replace("{url}", url)
        if self._answers():
            raise AppNotStarted(f"something listens on {url} already; name another port with --app")
        self._output = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed in `close`
        self._start()

    def _start(self) -> None:
        self._guard = Guard()
        self._process = subprocess.Popen(
            self.command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._guard.watch(self._process.pid)

    def wait(self) -> None:
        """Wait until the app listens; AppNotStarted if it ends, or takes too long."""
        began = system_clock.monotonic()
        while not self._answers():
            if self._process.poll() is not None:
                raise AppNotStarted(f"the command ended with {self._process.returncode}: {self.command}{self._end()}")
            if system_clock.monotonic() - began > START_S:
                raise AppNotStarted(f"nothing listens on {self.url} after {START_S:g} s: {self.command}{self._end()}")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(POLL_S)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.poll() is not None

    def restart(self) -> None:
        """End the app at once, as a crash does, and start it again at the same address. AppNotStarted."""
        self._stop(at_once=True)
        self._start()
        self.wait()

    def close(self) -> None:
        """End the app, with all that its command started."""
        self._stop()
        self._output.close()

    def _stop(self, *, at_once: bool = False) -> None:
        self._guard.close()
        end_group(self._process, at_once=at_once)
        began = system_clock.monotonic()
        while self._runs() and system_clock.monotonic() - began < END_S:
            threading.Event().wait(POLL_S)
        end_group(self._process, at_once=True)
        self._process.wait()

    def _runs(self) -> bool:
        """Whether the shell of the command still runs, or what it started still listens: it may end a moment later."""
        return self._process.poll() is None or self._answers()

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(self.address, timeout=1) as connection:
            itself: bool = connection.getsockname() == connection.getpeername()  # as a free port can be
            return not itself
        return False

    def _end(self) -> str:
        self._output.seek(0)
        return "".join(f"\n  {line.rstrip()}" for line in self._output.readlines()[-SHOWN_LINES:])


def address_of(url: str) -> tuple[str, int]:
    """The host and port of a URL."""
    parts = urlsplit(url)
    return parts.hostname or "127.0.0.1", parts.port or 80


def url_of_own(url: str) -> str:
    """The URL of a further app beside that of a URL: with a port of its host that is free now."""
    parts = urlsplit(url)
    host, _ = address_of(url)
    with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
        port = taken.getsockname()[1]
    return parts._replace(netloc=f"[{host}]:{port}" if ":" in host else f"{host}:{port}").geturl()
