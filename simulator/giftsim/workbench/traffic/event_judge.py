"""Judges the webhooks of a recording by those of a world: kind, data, order, signature, and the gaps of retries."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.node import Node, Part
from giftsim.engine.kernel.instants import SECOND, format_duration, parse_instant
from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER, TOLERANCE_S, signature_digest
from giftsim.workbench.compare.answer_diff import BodyDiff
from giftsim.workbench.compare.called_operation import CalledOperation, Contracts
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.compare.shape import Shape, sources_of
from giftsim.workbench.traffic.bindings import leaves
from giftsim.workbench.traffic.call_judge import DRAWN, SLACK_MS, Judge
from giftsim.workbench.traffic.callers import is_hidden
from giftsim.workbench.traffic.receivers_then import earlier_endpoints, hosts_of
from giftsim.workbench.traffic.recorded_traffic import ReceivedWebhook, Traffic

TEAM, PARTNER = "team", "partner"
GAP_SLACK: Final = 0.02  # of a gap
LEAST_GAP_SLACK_MS: Final = 5_000
TESTS: Final = ("ping", "webhook.test")
TAKEN_OUT: Final = "***"
_FORM: Final = re.compile(r"t=(-?\d+),v1=([0-9a-f]{64})")
_JSON: Final = "application/json"
_ID: Final = re.compile(r"(?:.*_)?id")
_OWN: Final = ("id", "created_at", "occurred_at")  # of an event itself


class JudgedEvent(msgspec.Struct):
    """An event of the recording after a replay, or (without `first`) one that only our world sent."""

    kind: str
    interface: str
    findings: list[Finding]
    first: ReceivedWebhook | None = None
    sources: tuple[str, ...] = ()


class _Sent(msgspec.Struct):
    """What our world sent of one event to one endpoint: the attempts, the earliest first."""

    host: str
    kind: str
    attempts: list[Mapping[str, Any]]

    @property
    def at_ms(self) -> int:
        return parse_instant(self.attempts[0]["at"])

    @property
    def content(self) -> Any:
        return msgspec.json.decode(self.attempts[0]["request"]["body"])


def judge_events(
    traffic: Traffic, deliveries: Sequence[Mapping[str, Any]], judge: Judge, contracts: Contracts
) -> list[JudgedEvent]:
    """Judge every event that an app received, and name those that only our world sent. Without any, nothing is said."""
    return _Events(traffic, deliveries, judge, contracts).judged() if traffic.webhooks else []


class _Events:
    def __init__(
        self, traffic: Traffic, deliveries: Sequence[Mapping[str, Any]], judge: Judge, contracts: Contracts
    ) -> None:
        self._traffic, self._judge, self._contracts = traffic, judge, contracts
        self._hosts = hosts_of(traffic)
        self._sent = _by_event(deliveries)
        self._masks = (judge.ours, judge.masks.masker)
        self._secrets = () if earlier_endpoints(traffic) else judge.bindings.secrets

    def judged(self) -> list[JudgedEvent]:
        received: dict[tuple[str, str], list[ReceivedWebhook]] = {}
        for each in self._traffic.webhooks:
            received.setdefault((each.event_id, each.exchange.host), []).append(each)
        left = list(self._sent)
        pairs = [(attempts, self._match(attempts[0], left, exactly=True)) for attempts in received.values()]
        pairs = [(attempts, sent or self._match(attempts[0], left, exactly=False)) for attempts, sent in pairs]
        judged = [self._event(attempts, sent) for attempts, sent in pairs]
        self._orders([(event, sent) for event, (_, sent) in zip(judged, pairs, strict=True) if sent is not None])
        return [*judged, *self._extra(left)]

    def _match(self, first: ReceivedWebhook, left: list[_Sent], *, exactly: bool) -> _Sent | None:
        """What our world sent of the same event: the same kind and records; or else a test at the same time."""
        host = self._hosts[first.exchange.host]
        for sent in left:
            if sent.host != host:
                continue
            is_near = abs(sent.at_ms - first.at_ms) <= SLACK_MS
            if exactly and (
                sent.kind != first.kind or not self._is_about(first, sent) or (first.kind in TESTS and not is_near)
            ):
                continue
            if not exactly and not (sent.kind in TESTS and is_near):
                continue
            left.remove(sent)
            return sent
        return None

    def _is_about(self, first: ReceivedWebhook, sent: _Sent) -> bool:
        """Whether no id of the two stands for another record, and a reason is the same."""
        ours = sent.content.get("data") or {}
        if first.data.get("reason") != ours.get("reason"):
            return False
        pairs = leaves(
            first.data, ours, self._shape(first.kind, first).member("data"), _called(self, first), self._judge.bindings
        )
        return all(
            self._judge.bindings.knows(leaf) is not False
            for leaf in pairs
            if _ID.fullmatch(leaf.name) and leaf.recorded is not None
        )

    def _event(self, attempts: list[ReceivedWebhook], sent: _Sent | None) -> JudgedEvent:
        first = attempts[0]
        interface, sources = _interface(first.content), self._sources(first.kind, first)
        event = JudgedEvent(first.kind, interface, [], first, sources)
        if sent is None:
            shown = "nothing" if self._traffic.end_ms - first.at_ms >= 0 else ""
            event.findings.append(Finding("missing_event", first.kind, shown, "an event", sources))
        else:
            event.findings += self._content(first, sent)
            event.findings += self._times(attempts, sent, sources)
        event.findings += self._signatures(attempts, sources)
        return event

    def _content(self, first: ReceivedWebhook, sent: _Sent) -> Iterator[Finding]:
        """The differences of the bodies, and of when they came."""
        shape, called = self._shape(sent.kind, first), _called(self, first)
        ours, recorded = dict(sent.content), dict(first.content)
        for leaf in leaves(recorded, ours, shape, called, self._judge.bindings):
            self._judge.bindings.learn(leaf, called.collection)
            if leaf.name not in _OWN and leaf.path.startswith("$.data"):
                yield from self._judge.value(leaf, first.at_ms, "")
        masks = [masker.mask_value(body, shape) for masker, body in zip(self._masks, (ours, recorded), strict=True)]
        diff = BodyDiff(called, self._judge.identities, is_error=False)
        for finding in diff.compare(masks[0], masks[1], shape):
            if finding.kind != "identity" and not (finding.path.rpartition(".")[2] in DRAWN and finding.kind != "null"):
                yield finding

    def _times(self, attempts: list[ReceivedWebhook], sent: _Sent, sources: tuple[str, ...]) -> Iterator[Finding]:
        first_ms, ours_ms = attempts[0].at_ms, sent.at_ms
        if abs(first_ms - ours_ms) > SLACK_MS:
            sign, span = ("-", first_ms - ours_ms) if ours_ms < first_ms else ("+", ours_ms - first_ms)
            yield Finding("instant", "time", f"{sign}{format_duration(_whole(span))}", "+0s", sources)
        times = [each.at_ms for each in attempts]
        ours = [parse_instant(each["at"]) for each in sent.attempts]
        for number, (theirs_ms, mine_ms) in enumerate(zip(_gaps(times), _gaps(ours), strict=False), 1):
            if abs(theirs_ms - mine_ms) > max(LEAST_GAP_SLACK_MS, GAP_SLACK * mine_ms):
                gaps = [format_duration(_whole(each)) for each in (mine_ms, theirs_ms)]
                yield Finding("gap", f"attempts[{number}]", gaps[0], gaps[1], sources)
                return
        due = [each for each in ours if each - ours_ms + first_ms <= self._traffic.end_ms - SLACK_MS]
        if len(due) > len(times) or len(times) > len(ours):
            yield Finding("attempts", "attempts", str(len(due)), str(len(times)), sources)

    def _signatures(self, attempts: Sequence[ReceivedWebhook], sources: tuple[str, ...]) -> Iterator[Finding]:
        for attempt in attempts:
            headers = attempt.exchange.headers
            for name in (EVENT_HEADER, EVENT_ID_HEADER, HEADER):
                if name.lower() not in headers:
                    yield Finding("missing_header", f"headers.{name.lower()}", "a text", "absent", sources)
            text = headers.get(HEADER.lower())
            if text is not None and (problem := _signature_problem(text, attempt, self._secrets)):
                yield Finding("signature", f"headers.{HEADER.lower()}", "t=SECONDS,v1=HEX", problem, sources)

    def _orders(self, pairs: Sequence[tuple[JudgedEvent, _Sent]]) -> None:
        """Name an event that came before another of about the same time, and after it in our world."""
        for (event, sent), (later, sent_later) in pairwise(pairs):
            if event.first is None or later.first is None or self._host(event) != self._host(later):
                continue
            together = (
                later.first.at_ms - event.first.at_ms <= SLACK_MS and abs(sent.at_ms - sent_later.at_ms) <= SLACK_MS
            )
            if together and sent.attempts[0]["seq"] > sent_later.attempts[0]["seq"]:
                later.findings.append(Finding("order", "order", "one order", "another order", later.sources))

    def _extra(self, left: Sequence[_Sent]) -> Iterator[JudgedEvent]:
        """The events that only our world sent, to a host that received any, before the recording ended."""
        hosts = set(self._hosts.values())
        for sent in left:
            if sent.host in hosts and sent.at_ms <= self._traffic.end_ms - SLACK_MS:
                interface = _interface(sent.content)
                sources = self._node_sources(sent.kind, interface)
                finding = Finding("extra_event", sent.kind, "an event", "nothing", sources)
                yield JudgedEvent(sent.kind, interface, [finding], None, sources)

    def _host(self, event: JudgedEvent) -> str:
        assert event.first is not None
        return self._hosts[event.first.exchange.host]

    def _sources(self, kind: str, webhook: ReceivedWebhook) -> tuple[str, ...]:
        return self._node_sources(kind, _interface(webhook.content))

    def _node_sources(self, kind: str, interface: str) -> tuple[str, ...]:
        webhooks: Mapping[str, Any] = self._contracts[interface].published.get("webhooks", {})
        return sources_of(webhooks[kind]["post"]) if kind in webhooks else ()

    def _shape(self, kind: str, webhook: ReceivedWebhook) -> Shape:
        """What the contract says about the body of an event."""
        document = self._contracts[_interface(webhook.content)].published
        operation: Mapping[str, Any] = document.get("webhooks", {}).get(kind, {}).get("post", {})
        if not operation:
            return Shape(Node(document, []), "", ())
        place = f"/webhooks/{kind.replace('/', '~1')}/post"
        part = Part(place, operation).child("requestBody", "content", _JSON, "schema")
        return Shape(Node(document, [part]), f"#{place}", sources_of(operation))


def _called(events: _Events, webhook: ReceivedWebhook) -> CalledOperation:
    interface = _interface(webhook.content)
    return CalledOperation(interface, events._contracts[interface], "POST", f"/{webhook.kind}", None)


def _interface(content: Mapping[str, Any]) -> str:
    """The interface of an event: those of a team say in which mode they are."""
    return TEAM if "livemode" in content else PARTNER


def _by_event(deliveries: Sequence[Mapping[str, Any]]) -> list[_Sent]:
    found: dict[tuple[str, str], _Sent] = {}
    for each in deliveries:
        host = each["url"].partition("//")[2].partition("/")[0].partition(":")[0]
        found.setdefault((each["event_id"], each["url"]), _Sent(host, each["type"], [])).attempts.append(each)
    return list(found.values())


def _signature_problem(text: str, attempt: ReceivedWebhook, secrets: Sequence[str]) -> str:
    """What is wrong with a signature; "" if nothing is. Without its secret only its form is judged."""
    match = _FORM.fullmatch(text)
    if TAKEN_OUT in text or (text and is_hidden(text)):
        return ""
    if match is None:
        return "another form"
    t, digest = int(match[1]), match[2]
    if abs(t - attempt.at_ms // SECOND) > TOLERANCE_S:
        return "t is not the time of the attempt"
    own = (signature_digest(secret, t, attempt.exchange.body) for secret in secrets)
    if (
        secrets
        and TAKEN_OUT.encode() not in attempt.exchange.body
        and not any(hmac.compare_digest(digest, each) for each in own)
    ):
        return "v1 fits no secret that the recording shows"
    return ""


def _gaps(times: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in pairwise(times)]


def _whole(span_ms: int) -> int:
    """A span in whole seconds; in whole minutes if it is long."""
    unit = SECOND if span_ms < 120 * SECOND else 60 * SECOND
    return round(span_ms / unit) * unit
