"""pytest-rerunfailures: each run of a test has a fresh world."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_test_that_runs_again_has_a_fresh_world(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests
        RUNS = []

        def test_it(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert requests.post(URL, json=ORDER, timeout=60).status_code == 201
            RUNS.append(giftsim.world)
            assert len(giftsim.listed("orders")) == 1
            assert len(set(RUNS)) == 3
        """,
        "--reruns", "3",
    )  # fmt: skip
    assert outcomes == {"passed": 1, "rerun": 2}, printed
