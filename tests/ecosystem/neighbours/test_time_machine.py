"""time-machine: the time that it gives the app is not the world's."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_world_keeps_its_time_while_the_app_travels(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import time
        from datetime import UTC, datetime
        import requests
        import time_machine

        @time_machine.travel(datetime(1999, 12, 31, tzinfo=UTC), tick=False)
        def test_it(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"):
                made = requests.post(URL, json=ORDER, timeout=60)
            assert (made.status_code, giftsim.now) == (201, datetime(2027, 1, 4, 9, tzinfo=UTC))
            giftsim.advance("1d")
            assert giftsim.now == datetime(2027, 1, 5, 9, tzinfo=UTC)
            assert time.gmtime().tm_year == 1999
            with giftsim.freeze_app():
                assert datetime.now(UTC) == giftsim.now
        """
    )
    assert outcomes == {"passed": 1}, printed
