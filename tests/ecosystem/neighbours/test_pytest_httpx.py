"""pytest-httpx: it answers other hosts, and a route the vendor."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_other_hosts_are_mocked_and_the_vendor_is_routed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import httpx

        def test_it(giftsim, httpx_mock):
            httpx_mock.add_response(url="https://tax.example/rates", json={"rate": 7})
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert httpx.get("https://tax.example/rates").json() == {"rate": 7}
                assert httpx.post(URL, json=ORDER).status_code == 201
            assert len(giftsim.listed("orders")) == 1
        """
    )
    assert outcomes == {"passed": 1}, printed
