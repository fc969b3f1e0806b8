"""The gateway: it routes HTTP calls by a contract and runs them through middleware to handlers."""
