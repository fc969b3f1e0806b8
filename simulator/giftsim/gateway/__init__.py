"""The gateway: routes HTTP calls by a contract and runs them through middleware to handlers. It knows no domain noun."""
