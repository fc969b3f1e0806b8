"""Time, tables, transactions and state machines, the base of every world. Knows no service and no HTTP."""
