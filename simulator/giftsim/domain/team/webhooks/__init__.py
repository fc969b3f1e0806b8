"""Webhook subscriptions of teams; the package `giftsim.webhooks` delivers to them."""
