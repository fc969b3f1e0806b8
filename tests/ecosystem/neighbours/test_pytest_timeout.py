"""pytest-timeout: a call that is held ends with its test, and the next test is not affected."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_held_call_is_ended(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests

        @pytest.mark.timeout(1, func_only=True)
        def test_held(giftsim):
            giftsim.fault(hold=True, match={"operation": "listTeamOrders"})
            with giftsim.route(VENDOR, "partner.prepaid"):
                requests.get(URL)

        def test_next(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert requests.get(URL, timeout=60).status_code == 200
        """
    )
    assert outcomes == {"passed": 1, "failed": 1}, printed
    assert "Timeout (>1.0s) from pytest-timeout" in printed
