"""A large campaign of 5,000 recipients, from its creation to the delivery of all parcels."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import count
from typing import Any

from benchmarks.figure import Figure, seconds
from benchmarks.workload import RENO, advance
from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient

RECIPIENTS = 5_000
RUNS = 3
WORLD = "/_sim/v1/worlds/default"
CAMPAIGNS = "/api/teams/v1/large-campaigns"
KEY = {"Authorization": "Bearer ptk_live_default_approver"}

# Each stage with its target in ms; stages without a target are only shown.
STAGES = {
    "create": 60,
    "prepare all batches of": 200,
    "approve": None,
    "pay all batches of": None,
    "claim": None,
    "produce and label": None,
    "ship and deliver": 300,
}


def figures() -> Iterator[Figure]:
    """The stages of a campaign, each as the median of several runs."""
    runs = [_run() for _ in range(RUNS)]
    for stage, target_ms in STAGES.items():
        took_ms = statistics.median(run[stage] for run in runs) * 1000
        target = f"{target_ms} ms or less" if target_ms else ""
        met = took_ms <= target_ms if target_ms else None
        yield Figure(f"{stage} a campaign of {RECIPIENTS:,}", f"{took_ms:.1f} ms", target, met)


def _run() -> dict[str, float]:
    """The seconds of each stage of one campaign, in a new simulator."""
    campaign = _Campaign(_funded_team())
    spans = {
        "create": seconds(campaign.create),
        "prepare all batches of": seconds(campaign.process),
        "approve": seconds(campaign.approve),
        "pay all batches of": seconds(campaign.process),
    }
    assert campaign.state["status"] == "completed", campaign.state
    links = _links(campaign.client)
    spans["claim"] = seconds(lambda: _claim(campaign.client, links))
    spans["produce and label"] = seconds(lambda: advance(campaign.client, "60h"))
    spans["ship and deliver"] = seconds(lambda: advance(campaign.client, "60h"))
    _check_delivered(campaign.client)
    return spans


class _Campaign:
    """One campaign with the calls that move it on; `state` is the latest response."""

    def __init__(self, client: InProcessClient) -> None:
        self.client = client
        self.serial = count()
        self.state: dict[str, Any] = {}

    def create(self) -> None:
        people = [{"name": f"Guest {i}", "email": f"guest{i}@example.com"} for i in range(RECIPIENTS)]
        self._post(CAMPAIGNS, {"name": "Year's end", "collection": "welcome-kit", "recipients": people})

    def process(self) -> None:
        """Prepare every batch, or pay every batch, whichever is next."""
        for _ in self.state["batches"]:
            self._post(f"{CAMPAIGNS}/{self.state['id']}/process", {})

    def approve(self) -> None:
        _control(self.client, "POST", "/simulate/approval", {"campaign_id": self.state["id"], "decision": "approve"})

    def _post(self, path: str, body: dict[str, Any]) -> None:
        headers = {**KEY, "Idempotency-Key": f"bench-{next(self.serial)}"}
        answer = self.client.call("POST", path, body=body, headers=headers)
        assert answer.status == 202, answer.text
        self.state = answer.json()


def _funded_team() -> InProcessClient:
    """A client of a simulator whose team can pay for anything."""
    client = Simulator(fixture="empty").client
    limits = {"per_request_cents": 10**10, "monthly_cents": 10**10}
    _control(client, "PATCH", "/keys/team.live_approver", {"pay_limits": limits})
    _control(client, "POST", "/simulate/team", {"balance_cents": 10**10})
    return client


def _links(client: InProcessClient) -> list[str]:
    """All claim links from the mail."""
    links: list[str] = []
    after: int | None = 0
    while after is not None:
        page = _control(client, "GET", f"/mail?limit=1000&after={after}")
        links += [message["links"][0] for message in page["mail"]]
        after = page["next"]
    assert len(links) == RECIPIENTS, len(links)
    return links


def _claim(client: InProcessClient, links: list[str]) -> None:
    for link in links:
        _control(client, "POST", "/simulate/claim", {"token": link, "address": RENO})


def _check_delivered(client: InProcessClient) -> None:
    page = _control(client, "GET", f"/parcels?limit=1000&after={RECIPIENTS - 1000}")
    assert {parcel["status"] for parcel in page["parcels"]} == {"delivered"}, page


def _control(client: InProcessClient, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    answer = client.call(method, WORLD + path, body=body)
    assert answer.status == 200, answer.text
    return answer.json()
