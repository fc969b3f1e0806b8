"""Wallets, charges, credit and refunds, in whole cents."""
