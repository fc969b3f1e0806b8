"""Webhooks about orders that an examined app placed itself, which the probes send instead of the service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

from giftsim.engine.kernel.instants import SECOND, parse_instant
from giftsim.engine.worlds import system_clock
from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS
from giftsim.workbench.app.messages import RecipientAnswer
from giftsim.workbench.exam.receiver.http_receiver import HttpReceiver
from giftsim.workbench.exam.receiver.probe import Answer, Outcome, Probe, Secrets, Shot
from giftsim.workbench.exam.receiver.probe_runner import Runner, expected_of, judge
from giftsim.workbench.exam.receiver.probes import probes_of
from giftsim.workbench.exam.receiver.stock import Event, Stock, Story
from giftsim.workbench.exam.service_books import ORDERED, Row, Told, counts, stage_of, stage_told
from giftsim.workbench.exam.sitting import Sitting

TIMEOUT_S: Final = 10.0  # in which the service expects an answer (P-6.17)
BURST, SPARE = 24, 8  # events at once, and stories beside one for each probe
PING: Final = "ping"
OF_STRANGERS: Final = ("unicode", "emoji", "null_member")  # about recipients whom the exam did not draw
NOBODY: Final = RecipientAnswer(ORDERED)


class OwnWebhooks:
    """What happened to an app's orders, for the probes to tell: the service's own webhooks do not reach the app.

    A story is what happened to one recipient, in order; each is taken once, and which one is drawn. The orders go to so
    many addresses, and to so many recipients with a claim link.
    """

    def __init__(self, sitting: Sitting, *, addressed: int, linked: int = 0, burst: int = 0) -> None:
        self._sitting, self._sent = sitting, dict[str, str]()
        self._told = defaultdict[str, list[Told]](list)
        sitting.world.send("PUT", f"/receivers/{sitting.host}", {"mode": "capture"})
        self.orders = [sitting.order(addressed + burst + SPARE, address=True)]
        if linked:
            self.orders.append(sitting.order(linked, address=False))
            sitting.claim_all(self.orders[-1])
        sitting.call("POST", f"/api/external/webhooks/{sitting.endpoint}/test", {})
        sitting.advance("10d")
        events = [
            Event(n, row["type"], row["event_id"], row["request"]["body"].encode())
            for n, row in enumerate(sitting.attempts())
        ]
        ping = next(each for each in events if each.kind == PING)
        stories = self._drawn([each for each in events if each.kind in PARTNER_KINDS])
        self._stock = Stock("partner", stories[burst + 1 :], stories[:burst], stories[burst], ping)

    def _drawn(self, events: Sequence[Event]) -> list[list[Event]]:
        stories: dict[str, list[Event]] = {}
        for event in events:
            stories.setdefault(_email(event), []).append(event)
        for story in stories.values():
            story.sort(key=lambda event: str(event.content["data"]["occurred_at"]))
        drawn = list(stories.values())
        self._sitting.random.shuffle(drawn)
        return drawn

    def story(self) -> Story:
        """What happened to a recipient of whom the app was told nothing yet."""
        return self._stock.story()

    def send(self, probe: Probe, secrets: Secrets | None = None) -> None:
        """Send a probe's requests to the app. RuleBroken for a wrong answer."""
        shots = probe.shots(self._stock)
        answers = self._answers(shots, probe.at_once, secrets)
        outcome, reason = judge(probe, shots, answers)
        self._sitting.expect(outcome is not Outcome.FAIL, f"the app {reason} (sent: {probe.sends}). {probe.why}")
        self._note(probe, shots, answers)

    def tell(self, event: Event) -> Answer:
        """Send the app a genuine webhook; its answer, whatever it is."""
        [answer] = self._answers([Shot(event=event)], 1, None)
        if answer.is_success:
            self._learn(event.content)
        return answer

    def _answers(self, shots: Sequence[Shot], at_once: int, secrets: Secrets | None) -> Sequence[Answer]:
        protocol = self._sitting.app.protocol
        url = f"{protocol.app.rstrip('/')}{protocol.webhooks}"
        broken = self._broken if self._sitting.offers("break", "mend") else None
        with closing(HttpReceiver(url, timeout_s=TIMEOUT_S, now_s=self._now_s)) as receiver:
            runner = Runner(receiver, self._stock, secrets or Secrets(self._sitting.secret), broken=broken)
            return runner.send(shots, at_once)[1]

    def _now_s(self) -> float:
        """The time that the app sees."""
        if self._sitting.app.protocol.is_shown_time:
            return parse_instant(self._sitting.now) / SECOND
        return system_clock.seconds()

    def _note(self, probe: Probe, shots: Sequence[Shot], answers: Sequence[Answer]) -> None:
        """Remember what the app should have booked of what it accepted, and of whom a probe told."""
        for content in expected_of(probe, shots, answers).events:
            self._learn(content)
        self._sent |= {_email(shot.event): probe.sends for shot in shots if shot.event.kind in PARTNER_KINDS}

    def _learn(self, content: Mapping[str, Any]) -> None:
        data = content["data"]
        told = Told(content["id"], content["type"], data.get("reason"), data["occurred_at"], accepted=True)
        known = self._told[data["recipient"]["email"]]
        known.extend([told] if told not in known else [])

    @contextmanager
    def _broken(self) -> Iterator[None]:
        self._sitting.app.do("break")
        try:
            yield
        finally:
            self._sitting.app.do("mend")

    def expect_booked(self) -> None:
        """What the app booked must be what it was told and accepted, each event once. RuleBroken."""
        for order in self.orders:
            known, made = self._sitting.known(order), self._sitting.only_order(order)
            for recipient in made["recipients"]:
                self._expect_recipient(recipient, known.recipients.get(recipient["email"], NOBODY))

    def _expect_recipient(self, recipient: Row, said: RecipientAnswer) -> None:
        told, sent = self._told[recipient["email"]], self._sent.get(recipient["email"], "nothing")
        counted = counts(told, accepted=True)
        for kind in PARTNER_KINDS:
            booked = said.booked.get(kind, 0)
            wrong = f"the app accepted {kind} {counted[kind]} times, and booked it {booked} times (sent: {sent})"
            self._sitting.expect(counted[kind] == booked, wrong)
        stages = (stage_of(recipient), stage_told(told))
        wrong = f"the parcel is {stages[1]} by what was told, and the app says {said.stage} (sent: {sent})"
        self._sitting.expect(said.stage in stages, wrong)


def send_probes(sitting: Sitting, probes: Sequence[Probe], secrets: Secrets | None = None) -> None:
    """Send these probes in an order that is drawn, with webhooks about the app's own orders; then judge its books.

    RuleBroken. Probes that need what the app does not offer, or about which the documents are silent, are left out.
    """
    judged = [probe for probe in probes if probe.breach is Outcome.FAIL and _can(sitting, probe)]
    sitting.random.shuffle(judged)
    burst = BURST if any(probe.name == "burst" for probe in judged) else 0
    own = OwnWebhooks(sitting, addressed=len(judged), linked=sitting.draw.between(3, 5), burst=burst)
    for probe in judged:
        own.send(probe, secrets)
    own.expect_booked()


def of_receiver(rule: str) -> Callable[[Sitting], None]:
    """A probe of the exam that sends the app all that shows a receiver's rule, about orders of its own."""

    def send(sitting: Sitting) -> None:
        sitting.begin()
        send_probes(sitting, probes_of(rule))

    return send


def _can(sitting: Sitting, probe: Probe) -> bool:
    if probe.needs == "clock" or probe.name in OF_STRANGERS:
        return False
    return probe.needs != "broken" or sitting.offers("break", "mend")


def _email(event: Event) -> str:
    email: str = event.content["data"]["recipient"]["email"]
    return email
