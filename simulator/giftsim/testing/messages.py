"""A world's webhooks, events and mail: read them, assert on them, and deliver webhooks to an application."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, cast

import msgspec

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.texts import suggest_name
from giftsim.testing.app_endpoint import AppEndpoints, DeliveryResult
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.results import Event, Mail, Receiver, Subscription
from giftsim.testing.transport import Transport
from giftsim.testing.webhook import Webhook
from giftsim.testing.world_clock import Clock

if TYPE_CHECKING:
    from giftsim.workbench.exam.receiver.check_report import ReceiverReport

__tracebackhide__ = expected_errors
MAX_SHOWN = 12
LONGEST_ANSWER = 4_096  # characters of what an app answered
HOST = "hooks.partner.example"
Tell = Callable[[int, str], None]  # what an app answered: the status and the body


class UnknownEventType(ValueError):
    """A test asks for webhooks of a type that does not exist."""


class WebhookAssertionError(AssertionError):
    """A test expected something else. `expected` says what, as `expected` in the facts of a trace."""

    def __init__(self, message: str, **expected: Any) -> None:
        super().__init__(message)
        self.expected = {name: value for name, value in expected.items() if value is not None}


class Messages(Clock):
    """The world's webhooks, events and mail. Webhooks are captured unless a receiver forwards them."""

    def __init__(self, transport: Transport, description: Mapping[str, Any]) -> None:
        super().__init__(transport, description)
        self._endpoints = AppEndpoints()
        self._last_delivered = 0
        self._refused_by_app: list[DeliveryResult] = []

    def subscribe(
        self, *events: str, url: str = f"https://{HOST}/gifts", credential: str = "partner.prepaid"
    ) -> Subscription:
        """Create a webhook endpoint with a partner's or a team's credential; the response's JSON, with `secret`."""
        team = credential.startswith(("team.", "session."))
        path = "/api/teams/v1/webhooks" if team else "/api/external/webhooks"
        body = {"url": url, "events": list(events)}
        headers = {"Idempotency-Key": f"subscribe-{url}-{'-'.join(events)}"[:100]} if team else {}
        own = {"X-Sim-Caller": "test"}  # what a test subscribes, its app has not called (G349)
        response = self.call("POST", path, body, credential=credential, headers={**headers, **own})
        if response.status != 201:
            raise WebhookAssertionError(f"POST {path} answered {response.status}: {response.text}", answer=201)
        subscription: Subscription = response.json()
        return subscription

    def receiver(self, host: str = HOST, mode: str = "capture", **entry: Any) -> Receiver:
        """Set how a public host responds to webhooks; the receiver.

        For example `script=[{"status": 503}, {"timeout": True}]`, `outage={"from": "+1d", "to": "+2d"}`, or the mode
        `forward` with `to="http://127.0.0.1:9000"`.
        """
        return cast(Receiver, self.control("PUT", f"/receivers/{host}", {"mode": mode, **entry}))

    def webhooks(self, type: str | None = None, *, host: str | None = None) -> list[Webhook]:  # noqa: A002
        """Every attempt so far, oldest first; only those of an event type or to a host, if given."""
        return [_webhook(row) for row in self.listed("deliveries", type=type, host=host)]

    def assert_webhook(
        self,
        kind: str,
        /,
        *,
        host: str | None = None,
        outcome: str | None = "delivered",
        times: int | None = None,
        **data: Any,
    ) -> Webhook:
        """Fail unless a webhook of this type was sent whose `data` has the given members; the first such attempt.

        Members may be nested (`team_order={"id": 1001}`) and are compared as in scenarios. `outcome=None` includes
        failed attempts; `times` requires exactly that many attempts. ValueError for an unknown type.
        """
        self._check(kind)
        sent = self.webhooks()
        matches = [hook for hook in sent if hook.type == kind and not list(_differences(hook, host, outcome, data))]
        if matches and times in (None, len(matches)):
            return matches[0]
        expected = f"a webhook {kind}" if times is None else f"{times} x {kind}"
        summary = f"expected {expected}{_with(data)}{_to(host)}{_ending(outcome)}, found {len(matches) or 'none'}"
        others = [hook for hook in sent if hook.type == kind and hook not in matches]
        message = "\n".join([summary, *self._list_sent(sent), *_nearest(others, host, outcome, data)])
        raise WebhookAssertionError(message, event=kind, data=data or None, count=times, found=len(matches))

    def assert_no_webhook(self, kind: str, /, *, host: str | None = None, **data: Any) -> None:
        """Fail if a webhook of this type was sent, whatever its outcome. ValueError for an unknown type."""
        self._check(kind)
        sent = self.webhooks()
        matches = [hook for hook in sent if hook.type == kind and not list(_differences(hook, host, None, data))]
        if matches:
            summary = f"expected no webhook {kind}{_with(data)}{_to(host)}, found {len(matches)}:"
            message = "\n".join([summary, *(f"  {hook}" for hook in matches[:MAX_SHOWN])])
            raise WebhookAssertionError(message, event=kind, data=data or None, count=0, found=len(matches))

    def events(self, type: str | None = None) -> list[Event]:  # noqa: A002
        """Every webhook event, with or without subscribers; only those of a type, if given."""
        return [event for event in self.listed("events") if type in (None, event["type"])]

    def mail(self, to: str | None = None, kind: str | None = None) -> list[Mail]:
        """Mail that the service would send, as rows with `at`, `to`, `kind`, `subject`, `links`."""
        return self.listed("mail", to=to, kind=kind)

    def deliver_to(
        self,
        target: Any = None,
        *,
        handler: Callable[[Webhook], Any] | None = None,
        host: str | None = None,
        type: str | None = None,  # noqa: A002 - the control API's name
    ) -> list[DeliveryResult]:
        """Deliver the webhooks captured since the last call to an application's own endpoint; the results.

        `target` is a WSGI or ASGI application, called in process, or the origin of a server on this machine; all get
        the path of the endpoint's URL. `handler` is a callable instead. Signatures carry the current second. Inside
        `freeze_app` they carry the attempt's instant, and the application's clock is held there during the delivery.
        """
        deliver, results = self._endpoints.deliver_to(target, handler), []
        for hook in self._undelivered(type, host):
            with self._frozen_at(hook), self._noted_during(hook), self._told(hook) as tell:
                results.append(self._noted(deliver(self._signed(hook)), tell))
            self._last_delivered = hook.seq
        return results

    def check_receiver(self, app: Any = None, **options: Any) -> ReceiverReport:
        """Probe an application's webhook endpoint, with events of a world of their own; a report, which is `passed`.

        `secret=` is that of the endpoint; `handler=`, `check=` and others are those of the function.
        """
        from giftsim.testing.receiver_check import check_receiver

        return check_receiver(app, **options)

    async def deliver_to_async(
        self,
        target: Any = None,
        *,
        handler: Callable[[Webhook], Any] | None = None,
        host: str | None = None,
        type: str | None = None,  # noqa: A002 - the control API's name
    ) -> list[DeliveryResult]:
        """As `deliver_to`, but in the event loop of the test: for an ASGI application that shares objects with it.

        The application's lifespan is left to the test. `handler` may be async.
        """
        deliver, results = self._endpoints.deliver_to_async(target, handler), []
        for hook in self._undelivered(type, host):
            with self._frozen_at(hook), self._noted_during(hook), self._told(hook) as tell:
                results.append(self._noted(await deliver(self._signed(hook)), tell))
            self._last_delivered = hook.seq
        return results

    @contextmanager
    def _told(self, hook: Webhook) -> Iterator[Tell]:
        """Tell coverage and traces what comes back in the block: an error counts as the 500 that a server answers."""
        from giftsim.engine.worlds import system_clock  # only a delivery to an app needs the machine's clock

        begun_s = system_clock.monotonic()

        def tell(status: int, body: str) -> None:
            if 200 <= status <= 599:
                with suppress(Exception):  # a test does not fail because this cannot be told
                    text = body[:LONGEST_ANSWER].encode(errors="backslashreplace").decode()
                    answer = {
                        "status": status,
                        "body": text,
                        "took_ms": round((system_clock.monotonic() - begun_s) * 1000),
                    }
                    self.control("POST", f"/deliveries/{hook.seq}/app-answer", answer)

        try:
            yield tell
        except Exception as error:
            tell(500, f"{type(error).__name__}: {error}")
            raise

    def _noted(self, result: DeliveryResult, tell: Tell) -> DeliveryResult:
        """A result, which the report of a failed test shows if the application refused the webhook."""
        body = result.body.decode("utf-8", "backslashreplace") if isinstance(result.body, bytes) else ""
        tell(200 if result.status is None else result.status, body)
        if result.status is not None and not 200 <= result.status < 300:
            self._refused_by_app.append(result)
        return result

    def _went_back(self) -> None:
        """After an undo and the like, webhooks get the numbers again of those that have not been sent any more."""
        super()._went_back()
        if self._last_delivered:
            left = max((hook.seq for hook in self.webhooks()), default=0)
            self._last_delivered = min(self._last_delivered, left)

    def _undelivered(self, kind: str | None, host: str | None) -> list[Webhook]:
        return [hook for hook in self.webhooks(kind, host=host) if hook.seq > self._last_delivered]

    @contextmanager
    def _frozen_at(self, hook: Webhook) -> Iterator[None]:
        with ExitStack() as stack:
            for clock in self.app_clocks:
                stack.enter_context(clock.fixed_at(parse_instant(hook.at)))
            yield

    def _noted_during(self, hook: Webhook) -> AbstractContextManager[None]:
        """In the trace of the test, the webhook is the cause of the calls that the app makes meanwhile."""
        notes = getattr(self.transport, "notes", None)
        return notes.during(hook.seq) if notes is not None else nullcontext()

    def _signed(self, hook: Webhook) -> Webhook:
        sign = "sent" if self.app_clocks else "now"
        request = self.control("GET", f"/deliveries/{hook.seq}/request?sign={sign}")
        return msgspec.structs.replace(hook, headers=request["headers"], body=request["body"])

    def _list_sent(self, sent: Sequence[Webhook]) -> Iterator[str]:
        now = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        yield f"webhooks sent up to {now}:" if sent else f"no webhook was sent up to {now}"
        if len(sent) > MAX_SHOWN:
            yield f"  ... {len(sent) - MAX_SHOWN} earlier ones"
        yield from (f"  {hook}" for hook in sent[-MAX_SHOWN:])

    def _check(self, kind: str) -> None:
        """Refuse an unknown type: with a misspelled one, `assert_no_webhook` would always pass."""
        if "partner" in self.description["urls"]:  # asking the simulator loads every contract
            from giftsim.services.gifting.domain.webhook_kinds import KINDS

            if kind in KINDS:
                return
        if kind not in (known := self.control("GET", "/faults/choices")["events"]):
            raise UnknownEventType(f"unknown webhook type {kind!r}; {suggest_name(kind, known)}")


def _webhook(row: Mapping[str, Any]) -> Webhook:
    request = row["request"]
    members = {name: row[name] for name in ("seq", "at", "type", "url", "event_id", "attempt", "outcome", "status")}
    return Webhook(**members, headers=request["headers"], body=request["body"])


def _differences(hook: Webhook, host: str | None, outcome: str | None, data: Mapping[str, Any]) -> Iterator[str]:
    if host is not None and f"//{host}/" not in f"{hook.url}/":
        yield f"it was sent to {hook.url}"
    if outcome not in (None, hook.outcome):
        yield f"its outcome is {hook.outcome or 'not known yet'}{'' if hook.status is None else f' {hook.status}'}"
    if data:
        from giftsim.engine.client.matching import find_mismatches

        yield from (str(mismatch) for mismatch in find_mismatches(data, hook.data, "data"))


def _nearest(
    candidates: Sequence[Webhook], host: str | None, outcome: str | None, data: Mapping[str, Any]
) -> Iterator[str]:
    if candidates:
        best = min(candidates, key=lambda hook: len(list(_differences(hook, host, outcome, data))))
        yield f"the closest is seq {best.seq}, but:"
        yield from (f"  {difference}" for difference in _differences(best, host, outcome, data))


def _with(data: Mapping[str, Any]) -> str:
    return f" with {msgspec.json.encode(data).decode()}" if data else ""


def _to(host: str | None) -> str:
    return f" to {host}" if host else ""


def _ending(outcome: str | None) -> str:
    return f" with the outcome {outcome!r}" if outcome not in (None, "delivered") else ""
