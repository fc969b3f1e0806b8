"""Time, tables, transactions and machines: the ground every world stands on; it knows no gifts and no HTTP."""
