"""The command `act`: every verb of the test-control API, with keys and values that are checked before they are sent."""
