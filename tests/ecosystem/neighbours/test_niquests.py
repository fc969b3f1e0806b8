"""niquests, with urllib3-future in place of urllib3: its calls, and those of requests, are refused by name."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_calls_are_refused_by_the_name_of_what_prevents_them(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import asyncio
        import niquests
        import requests
        import urllib3
        from giftsim.testing import CallNotRouted

        async def call():
            async with niquests.AsyncSession() as session:
                await session.get(URL)

        CALLS = {
            "niquests": lambda: niquests.get(URL), "niquests async": lambda: asyncio.run(call()),
            "requests": lambda: requests.get(URL, timeout=60), "urllib3": lambda: urllib3.request("GET", URL),
        }

        @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
        def test_it(giftsim, call):
            with (
                giftsim.route(VENDOR, "partner.prepaid"),
                pytest.raises(CallNotRouted, match="cannot send calls of urllib3-future to the world"),
            ):
                call()
        """,
        "-W", "ignore::DeprecationWarning",
    )  # fmt: skip
    assert outcomes == {"passed": 4}, printed
