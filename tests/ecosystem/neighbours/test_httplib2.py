"""httplib2, which is built on http.client and connects by itself."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_it_is_routed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import json
        import httplib2

        def test_it(giftsim):
            http = httplib2.Http()
            with giftsim.route(VENDOR, "partner.prepaid"):
                head, _ = http.request(URL, "POST", json.dumps(ORDER), {"Content-Type": "application/json"})
                assert head.status == 201
                assert [http.request(URL)[0].status for _ in range(2)] == [200, 200]
            http.close()
        """
    )
    assert outcomes == {"passed": 1}, printed
