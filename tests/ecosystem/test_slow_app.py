"""An app that lets a webhook wait for its own order is not in time. The test takes the ten seconds of a webhook."""

# mypy: disable-error-code="misc"
# The example has no types, and its class is subclassed here.
from __future__ import annotations

from typing import Any

from tests.exam.sample_shop import Shop
from tests.exam.test_rules_webhooks import results


class OneAtATime(Shop):
    """Does one thing at a time: a webhook waits while an order is being placed."""

    def receive(self, event: Any) -> None:
        """Wait for the orders that are being placed."""
        for order in list(self.orders.values()):
            with order["sending"]:
                pass
        super().receive(event)


def test_a_webhook_that_waits_for_an_order_is_not_answered_in_time() -> None:
    found = results(OneAtATime(), 2, ["answers_in_time"])["answers_in_time"]
    assert found.outcome == "failed"
    assert "did not answer a webhook within 10 s" in str(found.reason)
