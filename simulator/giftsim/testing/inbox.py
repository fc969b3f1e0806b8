"""What the world has sent, to look into and to assert on: webhooks, mail, events; and feeding it to an application."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import msgspec

from giftsim.gateway.faults.effect_registry import nearest
from giftsim.kernel.instants import parse_instant
from giftsim.testing import app_endpoint
from giftsim.testing.app_endpoint import Fed
from giftsim.testing.clock import Clock
from giftsim.webhooks.event import KINDS

MOST_SHOWN = 12
HOST = "hooks.partner.example"


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to deliver an event; `data` is what the event tells, `body` the exact text that was sent.

    `outcome` is `delivered`, `http_status`, `timeout` or another way to fail; `status` the receiver's, or None.
    """

    seq: int
    at: str
    type: str
    url: str
    event_id: str
    attempt: int
    outcome: str | None
    status: int | None
    headers: dict[str, str]
    body: str

    @property
    def data(self) -> dict[str, Any]:
        """The `data` of the event."""
        told: dict[str, Any] = msgspec.json.decode(self.body)["data"]
        return told

    def __str__(self) -> str:
        came = self.outcome if self.status is None else f"{self.outcome} {self.status}"
        return f"{self.at}  {self.type:28} attempt {self.attempt}  {came:18} {self.url}  (seq {self.seq})"


class Inbox(Clock):
    """Webhooks reach nobody: they are captured, by the receiver that the world has for their host."""

    _fed = 0

    def subscribe(self, *events: str, url: str = f"https://{HOST}/gifts", credential: str = "partner.prepaid") -> Any:
        """Make an endpoint for kinds of events, by a partner's or a team's credential; the answer, with `secret`."""
        team = credential.startswith(("team.", "session."))
        path = "/api/teams/v1/webhooks" if team else "/api/external/webhooks"
        body = {"url": url, "events": list(events)}
        told = {"Idempotency-Key": f"subscribe-{url}-{'-'.join(events)}"[:100]} if team else {}
        answer = self.call("POST", path, body, credential=credential, headers=told)
        if answer.status != 201:
            raise AssertionError(f"POST {path} answered {answer.status}: {answer.text}")
        return answer.json()

    def receiver(self, host: str = HOST, mode: str = "capture", **entry: Any) -> Any:
        """Say who answers for a public host: `script=[{"status": 503}, {"timeout": True}]`, `to="http://127.0.0.1:9000"`
        with the mode `forward`, `outage={"from": "+1d", "to": "+2d"}`; the receiver.
        """
        return self.control("PUT", f"/receivers/{host}", {"mode": mode, **entry})

    def webhooks(self, type: str | None = None, *, host: str | None = None) -> list[Webhook]:  # noqa: A002
        """Every attempt so far, oldest first, of one type of event or to one host if wanted."""
        return [_webhook(row) for row in self.listed("deliveries", type=type, host=host)]

    def assert_webhook(self, kind: str, /, *, host: str | None = None, outcome: str | None = "delivered",
                       times: int | None = None, **data: Any) -> Webhook:  # fmt: skip
        """Fail unless an event of this type was sent whose `data` holds all that is given; the first such attempt.

        Members may be nested (`team_order={"id": 1001}`) and are compared as in scenarios. `outcome=None` takes failed
        attempts too; `times` wants exactly so many attempts. ValueError for a type that there is not.
        """
        _check(kind)
        there = self.webhooks()
        found = [hook for hook in there if hook.type == kind and not list(_differences(hook, host, outcome, data))]
        if found and times in (None, len(found)):
            return found[0]
        wanted = f"a webhook {kind}" if times is None else f"{times} x {kind}"
        said = f"wanted {wanted}{_with(data)}{_to(host)}{_ending(outcome)}, found {len(found) or 'none'}"
        near = [hook for hook in there if hook.type == kind and hook not in found]
        raise AssertionError("\n".join([said, *self._there(there), *_nearest(near, host, outcome, data),
                                        *self._reasons(kind, there)]))  # fmt: skip

    def assert_no_webhook(self, kind: str, /, *, host: str | None = None, **data: Any) -> None:
        """Fail if any attempt was made to send such an event, whatever came of it; ValueError for no such type."""
        _check(kind)
        there = self.webhooks()
        found = [hook for hook in there if hook.type == kind and not list(_differences(hook, host, None, data))]
        if found:
            said = f"wanted no webhook {kind}{_with(data)}{_to(host)}, found {len(found)}:"
            raise AssertionError("\n".join([said, *(f"  {hook}" for hook in found[:MOST_SHOWN])]))

    def events(self, type: str | None = None) -> list[dict[str, Any]]:  # noqa: A002
        """What has happened that webhooks tell of, whether anybody subscribed or not."""
        return [event for event in self.listed("events") if type in (None, event["type"])]

    def mail(self, to: str | None = None, kind: str | None = None) -> list[dict[str, Any]]:
        """Mail the service would have sent: `at`, `to`, `kind`, `subject`, `links`."""
        return self.listed("mail", to=to, kind=kind)

    def deliver_to(self, target: Any = None, *, handler: Callable[[Webhook], Any] | None = None,
                   host: str | None = None, type: str | None = None) -> list[Fed]:  # noqa: A002 # fmt: skip
        """Feed what was captured since the last time to an application's own endpoint; what came of each.

        `target` is a WSGI application (called in process) or the origin of a server on this machine, which gets the
        path of the endpoint's URL; `handler` is any callable instead. Signatures are of this second, or with
        `freeze_app` of the attempt's instant, at which the application's clock is held meanwhile.
        """
        fed = []
        with app_endpoint.taker(target, handler) as give:
            for hook in [hook for hook in self.webhooks(type, host=host) if hook.seq > self._fed]:
                moment = self.hand.held(parse_instant(hook.at)) if self.hand else nullcontext()
                with moment:
                    fed.append(give(self._signed(hook)))
        self._fed = max([self._fed, *(one.webhook.seq for one in fed)])
        return fed

    def _signed(self, hook: Webhook) -> Webhook:
        sign = "sent" if self.hand else "now"
        told = self.control("GET", f"/deliveries/{hook.seq}/request?sign={sign}")
        return msgspec.structs.replace(hook, headers=told["headers"], body=told["body"])

    def _there(self, there: Sequence[Webhook]) -> Iterator[str]:
        now = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        yield f"what did arrive, up to {now}:" if there else f"nothing at all was sent up to {now}"
        if len(there) > MOST_SHOWN:
            yield f"  ... {len(there) - MOST_SHOWN} earlier ones"
        yield from (f"  {hook}" for hook in there[-MOST_SHOWN:])

    def _reasons(self, kind: str, there: Sequence[Webhook]) -> Iterator[str]:
        """Why none was sent: it has not happened, nobody is subscribed, or it is not due yet."""
        sent = {hook.event_id for hook in there}
        happened = self.events(kind)
        unsent = [event for event in happened if event["id"] not in sent]
        if not happened:
            yield f"no {kind} has happened; next is due: {self._due()}"
        elif unsent and not unsent[-1]["audience"]:
            yield f"{kind} happened at {unsent[-1]['at']}, but no endpoint was subscribed to it"
        elif unsent:
            yield f"{kind} happened at {unsent[-1]['at']} and is not sent yet; next is due: {self._due()}"

    def _due(self) -> str:
        timers = self.control("GET", "/timers?limit=3")["timers"]
        return "; ".join(f"{timer['due']} {timer['kind']} {timer['subject']}" for timer in timers) or "nothing"


def _check(kind: str) -> None:
    """A misspelled type would let "none was sent" hold for ever."""
    if kind not in KINDS:
        raise ValueError(f"there is no webhook {kind!r}; {nearest(kind, KINDS)}")


def _webhook(row: Mapping[str, Any]) -> Webhook:
    request = row["request"]
    named = {name: row[name] for name in ("seq", "at", "type", "url", "event_id", "attempt", "outcome", "status")}
    return Webhook(**named, headers=request["headers"], body=request["body"])


def _differences(hook: Webhook, host: str | None, outcome: str | None, data: Mapping[str, Any]) -> Iterator[str]:
    if host is not None and f"//{host}/" not in f"{hook.url}/":
        yield f"it went to {hook.url}"
    if outcome not in (None, hook.outcome):
        yield f"it came to {hook.outcome}{'' if hook.status is None else f' {hook.status}'}"
    if data:
        from giftsim.scenario.matching import mismatches

        yield from (str(mismatch) for mismatch in mismatches(data, hook.data, "data"))


def _nearest(near: Sequence[Webhook], host: str | None, outcome: str | None, data: Mapping[str, Any]) -> Iterator[str]:
    if near:
        best = min(near, key=lambda hook: len(list(_differences(hook, host, outcome, data))))
        yield f"the nearest is seq {best.seq}, but:"
        yield from (f"  {difference}" for difference in _differences(best, host, outcome, data))


def _with(data: Mapping[str, Any]) -> str:
    return f" with {msgspec.json.encode(data).decode()}" if data else ""


def _to(host: str | None) -> str:
    return f" to {host}" if host else ""


def _ending(outcome: str | None) -> str:
    return f" that came to {outcome!r}" if outcome not in (None, "delivered") else ""
