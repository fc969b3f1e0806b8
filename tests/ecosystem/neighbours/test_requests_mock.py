"""requests-mock: it answers other hosts, and passes the vendor on to a route."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_other_hosts_are_mocked_and_the_vendor_is_routed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests

        def test_it(giftsim, requests_mock):
            requests_mock.get("https://tax.example/rates", json={"rate": 7})
            requests_mock.register_uri("POST", URL, real_http=True)
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert requests.get("https://tax.example/rates", timeout=60).json() == {"rate": 7}
                assert requests.post(URL, json=ORDER, timeout=60).status_code == 201
            assert len(giftsim.listed("orders")) == 1
        """
    )
    assert outcomes == {"passed": 1}, printed
