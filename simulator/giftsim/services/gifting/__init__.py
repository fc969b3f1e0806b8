"""Gifting: orders, gifts and campaigns, their money, teams and partners."""
