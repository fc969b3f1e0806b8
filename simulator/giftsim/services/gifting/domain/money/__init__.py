"""Accounts, charges, credit and refunds, in whole cents."""
