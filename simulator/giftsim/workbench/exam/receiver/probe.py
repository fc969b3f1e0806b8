"""What a probe is: the requests that it sends, how the receiver should answer them, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from giftsim.engine.webhooks.outgoing import TIMEOUT, USER_AGENT
from giftsim.engine.webhooks.signature import EVENT_HEADER, EVENT_ID_HEADER, HEADER, sign, signature_digest
from giftsim.workbench.exam.receiver.stock import Event, Stock


class RightAnswer(StrEnum):
    """What a receiver should answer, as a sentence of the report."""

    ACCEPT = "2xx"
    REFUSE = "4xx"
    EITHER = "2xx or 4xx"
    NO_REDIRECT = "no redirect"
    IN_TIME = "within 10 s"
    REPORT = "not 2xx"
    ANY = "anything"


class Outcome(StrEnum):
    """The verdict of a probe."""

    PASS = "pass"
    FAIL = "fail"
    WARNING = "warning"
    SKIPPED = "skipped"


class Secrets(NamedTuple):
    """The endpoint's secret, the one that replaces it, and one that was replaced before."""

    current: str
    next: str | None = None
    old: str | None = None


class Request(NamedTuple):
    """A request, byte for byte but for `Host` and `Content-Length`."""

    method: str
    headers: Mapping[str, str]
    body: bytes


class Answer(NamedTuple):
    """A receiver's answer. Without a status, `failure` says why there is none, such as `timeout`."""

    status: int | None
    took_s: float = 0.0
    failure: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether the service would have given up."""
        return self.failure == TIMEOUT

    @property
    def is_success(self) -> bool:
        """Whether the event is safe, so that the service does not send it again."""
        return 200 <= (self.status or 0) <= 299

    def __str__(self) -> str:
        failure = f" ({self.failure})" if self.failure else ""
        return f"{'nothing' if self.status is None else self.status}{failure}"


class Signing(NamedTuple):
    """The parts of a signature."""

    secrets: Secrets
    t: int
    body: bytes

    def header(self, secret: str | None = None, t: int | None = None) -> str:
        """The header that the service sends, or one of another secret or instant."""
        return sign(secret or self.secrets.current, self.t if t is None else t, self.body)

    @property
    def v1(self) -> str:
        """The digest."""
        return signature_digest(self.secrets.current, self.t, self.body)


Signature = Callable[[Signing], str | None]


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a probe.

    `body` is what is signed, the event's by default; `sent` replaces it after signing. `age_s` is how long ago it was
    signed. The app should know the event afterwards if it `counts` and the answer accepts it.
    """

    event: Event
    right: RightAnswer = RightAnswer.ACCEPT
    body: bytes | None = None
    sent: bytes | None = None
    age_s: int = 0
    signature: Signature = Signing.header
    method: str = "POST"
    headers: Mapping[str, str] = {}
    counts: bool = True
    broken: bool = False  # sent while the app cannot do its work
    later_s: int = 0  # seconds that pass on the receiver's clock before it is sent

    @property
    def content(self) -> bytes:
        """The bytes of the body as it is sent."""
        signed = self.event.body if self.body is None else self.body
        return signed if self.sent is None else self.sent

    def request(self, secrets: Secrets, now_s: int) -> Request:
        """The request, signed now."""
        signed = self.event.body if self.body is None else self.body
        signature = self.signature(Signing(secrets, now_s - self.age_s, signed))
        headers = {
            "User-Agent": USER_AGENT,
            "Content-Type": "application/json",
            EVENT_HEADER: self.event.kind,
            EVENT_ID_HEADER: self.event.id,
            **({} if signature is None else {HEADER: signature}),
        }
        return Request(self.method, {**headers, **self.headers}, self.content)


Sources = tuple[tuple[str, ...], tuple[str, ...]]  # the ids for the partner interface, and for the team interface


class Probe(msgspec.Struct, frozen=True):
    """A probe. `breach` is the outcome of a wrong answer: a warning where the documents leave the question open.

    `effect` says that the answers alone show nothing. `needs` names an option without which it is skipped, `at_once`
    how many requests are in flight together. `is_gate`: after its failure nothing else can be judged.
    """

    name: str
    sends: str
    why: str
    sources: Sources
    shots: Callable[[Stock], Sequence[Shot]]
    right: RightAnswer = RightAnswer.ACCEPT
    breach: Outcome = Outcome.FAIL
    effect: bool = False
    needs: str = ""
    at_once: int = 1
    is_gate: bool = False

    def source(self, interface: str) -> str:
        """The statements and decisions for an interface."""
        return ", ".join(self.sources[interface == "team"])


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a probe, with the requests that it sent."""

    name: str
    outcome: Outcome
    reason: str
    source: str
    requests: tuple[Request, ...] = ()
