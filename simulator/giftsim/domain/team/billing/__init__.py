"""Money of teams: balance and terms, payments within ceilings, invoices, receipts, statements and funding."""
