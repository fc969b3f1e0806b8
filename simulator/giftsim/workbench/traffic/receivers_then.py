"""How the app's receivers answered during a recording, and the endpoints that they had before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from giftsim.workbench.traffic.recorded_traffic import ReceivedWebhook, Traffic

UNKNOWN_HOST: Final = "hooks.recorded.example"
TOGETHER_MS: Final = 2_000  # attempts this close to each other are answered in turn
FINE: Final[Mapping[str, Any]] = {}
_CREATES: Final = "createWebhook"


class Answers(msgspec.Struct, frozen=True):
    """From an instant on, a receiver answers like this."""

    at_ms: int
    host: str
    entry: Mapping[str, Any]


class EarlierEndpoint(msgspec.Struct, frozen=True):
    """An endpoint that got webhooks, and that no call of the recording created."""

    path: str
    credential: str
    url: str
    kinds: Sequence[str]


def hosts_of(traffic: Traffic) -> Mapping[str, str]:
    """The host of our endpoint by the host at which a webhook was received."""
    created = list(dict.fromkeys(_created_hosts(traffic)))
    received = dict.fromkeys(each.exchange.host for each in traffic.webhooks)
    only = created[0] if len(created) == 1 else UNKNOWN_HOST
    return {host: host if host in created else only for host in received}


def answers_of(traffic: Traffic) -> list[Answers]:
    """When receivers answered with errors. In between, and before the first, they answer 200.

    While all attempts fail alike it is an outage, which other attempts meet too; else each is answered in its turn.
    """
    hosts, found = hosts_of(traffic), list[Answers]()
    for host in dict.fromkeys(hosts.values()):
        since_ms, last = traffic.start_ms, FINE
        for group in _groups([each for each in traffic.webhooks if hosts[each.exchange.host] == host]):
            entry = _entry(group)
            if entry != last or "script" in entry:
                found.append(Answers(min(since_ms, group[0].at_ms), host, entry))
            since_ms, last = group[-1].at_ms + TOGETHER_MS, entry
        if last != FINE:
            found.append(Answers(since_ms, host, FINE))
    return found


def _entry(group: Sequence[ReceivedWebhook]) -> Mapping[str, Any]:
    """The entry of a receiver that answers these attempts as they were answered."""
    steps = [_step(each) for each in group]
    if all(map(_is_fine, group)):
        return FINE
    return {"then": steps[0]} if all(step == steps[0] for step in steps) else {"script": steps}


def earlier_endpoints(traffic: Traffic) -> list[EarlierEndpoint]:
    """The endpoints that existed before, one for each interface that sent webhooks and got no subscription."""
    hosts, created = hosts_of(traffic), set(_created_hosts(traffic))
    kinds: dict[tuple[str, Any], list[str]] = {}
    for each in traffic.webhooks:
        host = hosts[each.exchange.host]
        if host not in created and each.kind not in ("ping", "webhook.test", ""):
            kinds.setdefault((host, each.content.get("livemode")), []).append(each.kind)
    return [
        EarlierEndpoint(
            "/api/external/webhooks" if live is None else "/api/teams/v1/webhooks",
            "partner.prepaid" if live is None else "team.live_approver" if live else "team.test",
            f"https://{host}/recorded",
            list(dict.fromkeys(each)),
        )
        for (host, live), each in kinds.items()
    ]


def _created_hosts(traffic: Traffic) -> Iterator[str]:
    for call in traffic.calls:
        if call.called.name == _CREATES and call.status < 300:
            try:
                data = msgspec.json.decode(call.exchange.body)
            except msgspec.DecodeError:
                continue
            if isinstance(data, dict) and isinstance(data.get("url"), str):
                yield urlsplit(data["url"]).hostname or ""


def _groups(webhooks: Sequence[ReceivedWebhook]) -> Iterator[list[ReceivedWebhook]]:
    group: list[ReceivedWebhook] = []
    for each in webhooks:
        if group and each.at_ms - group[-1].at_ms > TOGETHER_MS:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _is_fine(webhook: ReceivedWebhook) -> bool:
    return webhook.status is not None and 200 <= webhook.status < 300


def _step(webhook: ReceivedWebhook) -> dict[str, Any]:
    return {"reset": True} if webhook.status is None or webhook.status < 200 else {"status": webhook.status}
