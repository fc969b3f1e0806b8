"""What a page reads of its world: nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from giftsim.console.app import console_app
from giftsim.engine.client.response import Client, Response
from tests.support.api_clients import PartnerClient
from tests.support.console import claim_order
from tests.support.worlds import World

PAGES = ("", "orders", "orders/order/1001", "webhooks", "webhooks/endpoints/1", "calls", "calls/1", "inbox", "money")


class Counted:
    """The simulator, with a count of the calls of each page."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.calls: Counter[str] = Counter()

    def call(self, method: str, path: str, *, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
        """Make one call."""
        self.calls[f"{method} {path}"] += 1
        return self.client.call(method, path, body=body, headers=headers)


def test_a_page_reads_nothing_twice(world: World, partner: PartnerClient) -> None:
    claim_order(world, partner)
    world.advance(until="next")
    client = Counted(world.client)
    browser = console_app(client, "0").test_client()
    for page in PAGES:
        client.calls.clear()
        assert browser.get(f"/w/{world.id}/{page}").status_code == 200
        assert {call: n for call, n in client.calls.items() if n > 1} == {}, page
        assert not [call for call in client.calls if "/timers?" in call][1:], page
