"""The check of a webhook receiver: what a user's own endpoint does with the webhooks that the service may send.

    stock (real events of a world) -> probes (a table: what is sent, what is right, why) -> runner -> report

A probe judges the answers and, with a `check`, what the app believes afterwards.
"""
