"""Who hears of what happens to a team: subscriptions; deliveries themselves are the webhooks room's."""
