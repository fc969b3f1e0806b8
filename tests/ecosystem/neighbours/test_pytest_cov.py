"""pytest-cov: it measures the app, also while the world calls it."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_the_lines_of_the_app_are_measured(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests

        def app(environ, start_response):
            start_response("204 No Content", [])
            return [b""]

        def test_it(giftsim):
            giftsim.subscribe("team_order.claimed")
            with giftsim.route(VENDOR, "partner.prepaid"):
                made = requests.post(URL, json=ORDER, timeout=60)
            giftsim.claim(made.json())
            giftsim.advance("1h")
            assert [result.status for result in giftsim.deliver_to(app)] == [204]
        """,
        "--cov=.", "--cov-report=term-missing", "--cov-fail-under=100", "--giftsim-coverage",
    )  # fmt: skip
    assert outcomes == {"passed": 1}, printed
    assert "Required test coverage of 100% reached" in printed
