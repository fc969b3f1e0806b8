"""The money of teams: wallets, payments within spending limits, invoices, receipts, statements and funding."""
