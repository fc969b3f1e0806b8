"""botocore, which carries connections of its own, built on those of urllib3."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_its_connections_are_routed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import json
        from botocore.awsrequest import AWSRequest
        from botocore.httpsession import URLLib3Session

        def test_it(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"):
                session, headers = URLLib3Session(), {"Content-Type": "application/json"}
                made = session.send(AWSRequest("POST", URL, headers, json.dumps(ORDER)).prepare())
                assert made.status_code == 201
                assert session.send(AWSRequest("GET", URL).prepare()).status_code == 200
                session.close()
        """
    )
    assert outcomes == {"passed": 1}, printed
