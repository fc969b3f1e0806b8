"""pytest-socket, which lets a test open no socket: worlds in process and their routes need none."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_routed_session_and_an_app_work_without_sockets(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests

        def app(environ, start_response):
            start_response("204 No Content", [])
            return [b""]

        def test_it(giftsim):
            giftsim.subscribe("team_order.claimed")
            with giftsim.route(VENDOR, "partner.prepaid"), requests.Session() as session:
                made = session.post(URL, json=ORDER, timeout=60)
                assert [session.get(URL, timeout=60).status_code for _ in range(3)] == [200] * 3
            giftsim.claim(made.json())
            giftsim.advance("1h")
            assert [result.status for result in giftsim.deliver_to(app)] == [204]
        """,
        "--disable-socket",
    )
    assert outcomes == {"passed": 1}, printed


def test_an_asgi_app_whose_loop_cannot_be_made_fails_the_test_by_that(beside: Run) -> None:
    """The loop that was half made is collected in the test itself.

    Its finalizer fails, and the report on that parses source text. If Python were parsing another text at that moment,
    as at an import, that would fail (SystemError: AST constructor recursion depth mismatch).
    """
    outcomes, printed = beside(
        """
        import gc

        from starlette.applications import Starlette
        from pytest_socket import SocketBlockedError

        def test_it(giftsim):
            giftsim.subscribe("team_order.claimed")
            giftsim.claim(giftsim.call("POST", URL.removeprefix(VENDOR), ORDER, credential="partner.prepaid"))
            giftsim.advance("1h")
            with pytest.raises(SocketBlockedError):
                giftsim.deliver_to(Starlette())
            gc.collect()
        """,
        "--disable-socket", "-W", "ignore::UserWarning", "-W", "ignore::ResourceWarning",
        "-W", "ignore::pytest.PytestUnraisableExceptionWarning",
    )  # fmt: skip
    assert outcomes == {"passed": 1}, printed
