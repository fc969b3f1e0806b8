"""The partner interface: bulk team orders, webhooks and settlement."""
