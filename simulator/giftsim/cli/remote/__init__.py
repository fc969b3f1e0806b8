"""Commands that act on a world of a running simulator, through its test-control API."""
