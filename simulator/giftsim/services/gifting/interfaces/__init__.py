"""The simulated interfaces: each has a contract, handlers and views, and imports none of the others."""
