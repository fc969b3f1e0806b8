"""The partner interface: bulk team orders, webhooks and settlement, as its contract states them."""
