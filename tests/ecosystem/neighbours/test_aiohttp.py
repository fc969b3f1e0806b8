"""pytest-aiohttp: its test client calls the app, which calls the vendor in the same event loop."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_an_app_is_called_and_its_calls_are_routed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import aiohttp
        from aiohttp import web

        async def order(request):
            async with aiohttp.ClientSession() as session, session.post(URL, json=ORDER) as made:
                return web.Response(status=made.status)

        async def test_it(giftsim, aiohttp_client):
            app = web.Application()
            app.router.add_get("/order", order)
            client = await aiohttp_client(app)
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert (await client.get("/order")).status == 201
            assert len(giftsim.listed("orders")) == 1
        """,
        "--asyncio-mode=auto", "-o", "asyncio_default_fixture_loop_scope=function",
    )  # fmt: skip
    assert outcomes == {"passed": 1}, printed
