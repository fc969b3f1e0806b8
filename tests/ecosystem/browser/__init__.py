"""Every page of the console in Chromium, which takes longer than the journeys of `tests/browser`."""
