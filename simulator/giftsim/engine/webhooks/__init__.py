"""Webhooks without I/O: events, endpoints, deliveries, retries, signatures and address rules."""
