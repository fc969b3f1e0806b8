"""An app that asks the machine for the time, while its test moves the world's.

first: clock_frozen
says: 2040-01-14; did not follow
"""

from datetime import UTC, datetime

import pytest


class Reminders:
    """Counts the day of each reminder."""

    def due(self):
        """The day on which the reminder is sent."""
        return datetime.now(UTC).date().isoformat()


@pytest.mark.giftsim(now="2040-01-04T09:00:00Z")
def test_it(giftsim):
    giftsim.advance("10d")
    if True:  # mend
        assert Reminders().due() == "2040-01-14"
