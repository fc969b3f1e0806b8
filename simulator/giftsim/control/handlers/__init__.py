"""The handlers of the control API, one module per group of operations."""
