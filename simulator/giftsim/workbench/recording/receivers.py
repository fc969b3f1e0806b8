"""Webhook receivers in a recording: those outside the simulator become scripts of the responses they gave (G4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.log.inputs import AttemptCompleted
from giftsim.engine.webhooks import receiver_script
from giftsim.engine.webhooks.outgoing import DELIVERED, HTTP_STATUS
from giftsim.engine.webhooks.receiver import ANY_HOST, FORWARD, HOLD
from giftsim.workbench.scenario.unused_setup import must_be_met

Config = Mapping[str, Any]
OK = {"status": 200}
FAILURES = {outcome: {name: True} for name, outcome in receiver_script.FAILURES.items()}


class RecordedReceiver:
    """The receiver of a host from one configuration to the next.

    `responses` maps the row numbers of delivery attempts to their results. `restored` says that it was not configured
    by a call but returned with an earlier state. With `holds` it holds its deliveries, so that steps run meanwhile.
    """

    def __init__(self, host: str, config: Config, *, restored: bool = False, holds: bool = False) -> None:
        self.host, self.config, self.restored, self.holds = host, config, restored, holds
        self.responses: dict[int, Config] = {}

    @property
    def is_external(self) -> bool:
        """Whether its responses come from outside the simulator."""
        return self.config.get("mode") in (FORWARD, HOLD)

    @property
    def is_needed(self) -> bool:
        """Whether the recording needs its step: a restored one does only if it has new responses."""
        return self.holds or not self.restored or bool(self.responses)

    @property
    def can_hold(self) -> bool:
        """Whether all its responses come from outside, none from a script of its own."""
        return self.is_external and (self.config["mode"] == HOLD or not self.config.get("script"))

    def step(self) -> dict[str, Any]:
        """The step that configures it."""
        members = self.replay_config()
        unmet = bool(members.get("script")) or (must_be_met(members) and not self.responses)
        return {"receiver": {"host": self.host} | members | ({"optional": True} if unmet else {})}

    def replay_config(self) -> dict[str, Any]:
        """Its configuration for replay, which makes no network calls."""
        if not self.is_external:
            return dict(self.config)
        own = [] if self.config["mode"] == HOLD else list(self.config.get("script") or ())
        script = [*own, *(self.responses[attempt] for attempt in sorted(self.responses))]
        then = script[-1] if script else OK
        while len(script) > len(own) and script[-1] == then:
            script.pop()
        kept = {name: self.config[name] for name in ("addresses", "outage") if self.config.get(name) is not None}
        responses = ({"script": script} if script else {}) | ({"then": then} if then != OK else {})
        return ({"mode": HOLD} if self.holds else {}) | kept | responses


class RecordedReceivers:
    """The receivers of one world at the current point of its log; `initial` maps hosts to their forwarding URLs."""

    def __init__(self, initial: Mapping[str, str]) -> None:
        self._initial = {host: {"mode": FORWARD, "to": to} for host, to in initial.items()}
        self._snapshots: dict[str, dict[str, Config]] = {}
        self._current: dict[str, RecordedReceiver] = {}

    def reset(self, *, restored: bool = False) -> list[RecordedReceiver]:
        """Return to the receivers of a new world; those that need a step."""
        return self._replace(self._initial, restored=restored)

    def configure(self, host: str, config: Config) -> RecordedReceiver:
        """Set the receiver of a host."""
        receiver = self._current[host.lower()] = RecordedReceiver(host, config)
        return receiver

    def remove(self, host: str) -> None:
        """Remove the receiver of a host."""
        self._current.pop(host.lower(), None)

    def save(self, name: str) -> None:
        """Keep the configurations for a snapshot."""
        self._snapshots[name] = {host: receiver.config for host, receiver in self._current.items()}

    def restore(self, name: str) -> list[RecordedReceiver]:
        """Return to the configurations of a snapshot; those that need a step, since other responses follow."""
        return self._replace(self._snapshots.get(name, self._initial), restored=True)

    def add_response(self, result: AttemptCompleted) -> None:
        """Add the response of a forwarded attempt to the script of its receiver."""
        receiver = self.find(result)
        if receiver is not None:
            receiver.responses[result.attempt] = _response(result)

    def find(self, result: AttemptCompleted) -> RecordedReceiver | None:
        """The receiver that a result came from."""
        return self._current.get(result.host) or self._current.get(ANY_HOST)

    def hold(self, receiver: RecordedReceiver) -> RecordedReceiver:
        """Replace a receiver by one that holds its deliveries."""
        holding = self._current[receiver.host.lower()] = RecordedReceiver(receiver.host, receiver.config, holds=True)
        return holding

    def release(self) -> list[RecordedReceiver]:
        """Replace each holding receiver by one that responds at once; the new ones."""
        holding = [receiver for receiver in self._current.values() if receiver.holds]
        for receiver in holding:
            self._current[receiver.host.lower()] = RecordedReceiver(receiver.host, receiver.config, restored=True)
        return [self._current[receiver.host.lower()] for receiver in holding]

    def _replace(self, configs: Mapping[str, Config], *, restored: bool) -> list[RecordedReceiver]:
        self._current = {host: RecordedReceiver(host, config, restored=restored) for host, config in configs.items()}
        return [receiver for receiver in self._current.values() if receiver.is_external]


def _response(result: AttemptCompleted) -> Config:
    if result.outcome in (DELIVERED, HTTP_STATUS) and result.status is not None:
        return {"status": max(result.status, 200)}
    return FAILURES.get(result.outcome, {"timeout": True})
