"""Hypothesis: each example has a world of its own, or goes on with that of the test."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_examples_call_forks_of_the_tests_world(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests
        from hypothesis import HealthCheck, given, settings, strategies as st

        @settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
        @given(name=st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=500), min_size=1, max_size=10))
        def test_it(giftsim, name):
            world = giftsim.fork()
            with world.route(VENDOR, "partner.prepaid"):
                assert requests.post(URL, json={**ORDER, "gift_sender": name}, timeout=60).status_code == 201
            assert len(world.listed("orders")) == 1
        """
    )
    assert outcomes == {"passed": 1}, printed
