"""pytest-xdist: workers have their own worlds in process, and share one server."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_workers_have_worlds_and_routes_of_their_own(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests

        @pytest.mark.parametrize("number", range(4))
        def test_it(giftsim, giftsim_server, number):
            for world in (giftsim, giftsim_server):
                with world.route(VENDOR, "partner.prepaid"):
                    assert requests.post(URL, json=ORDER, timeout=60).status_code == 201
                assert len(world.listed("orders")) == 1
        """,
        "-n", "2",
    )  # fmt: skip
    assert outcomes == {"passed": 4}, printed
