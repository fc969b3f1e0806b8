"""pytest-asyncio: async tests have the same fixtures, and share their event loop with the app."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_async_tests_call_a_world_and_deliver_to_an_app_in_their_loop(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import asyncio
        import httpx

        async def test_it(giftsim):
            loops = []

            async def app(scope, receive, send):
                loops.append(asyncio.get_running_loop())
                await send({"type": "http.response.start", "status": 204, "headers": []})
                await send({"type": "http.response.body", "body": b""})

            giftsim.subscribe("team_order.claimed")
            with giftsim.route(VENDOR, "partner.prepaid"):
                async with httpx.AsyncClient() as client:
                    made = await client.post(URL, json=ORDER)
            giftsim.claim(made.json())
            giftsim.advance("1h")
            assert [result.status for result in await giftsim.deliver_to_async(app)] == [204]
            assert loops == [asyncio.get_running_loop()]
        """,
        "--asyncio-mode=auto", "-o", "asyncio_default_fixture_loop_scope=function",
    )  # fmt: skip
    assert outcomes == {"passed": 1}, printed
