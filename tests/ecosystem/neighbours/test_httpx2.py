"""httpx2, the fork of httpx, without httpx: sync and async."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_it_is_routed_where_httpx_is_not_installed(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import asyncio
        import importlib.util
        import httpx2

        async def status():
            async with httpx2.AsyncClient() as client:
                return (await client.get(URL)).status_code

        def test_it(giftsim):
            assert importlib.util.find_spec("httpx") is None
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert httpx2.post(URL, json=ORDER).status_code == 201
                assert asyncio.run(status()) == 200
        """
    )
    assert outcomes == {"passed": 1}, printed
