"""The corporate-gifting service: gifts, teams, partners, money."""
