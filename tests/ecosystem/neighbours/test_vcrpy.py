"""VCR.py: a cassette records what a world answers, and hosts that it ignores are routed."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_cassette_records_and_replays_a_world(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import httpx
        import requests
        import vcr

        def calls():
            return [requests.post(URL, json=ORDER, timeout=60).status_code, httpx.get(URL).status_code]

        def test_it(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"):
                with vcr.use_cassette("ignoring.yaml", ignore_hosts=["gifts.vendor.example"]) as cassette:
                    assert calls() == [201, 200]
                    assert len(cassette) == 0
                with vcr.use_cassette("recorded.yaml") as cassette:
                    assert calls() == [201, 200]
                    assert len(cassette) == 2
            with vcr.use_cassette("recorded.yaml", record_mode="none") as cassette:
                assert calls() == [201, 200]
                assert cassette.play_count == 2
            assert len(giftsim.listed("calls")) == 4
        """
    )
    assert outcomes == {"passed": 1}, printed
