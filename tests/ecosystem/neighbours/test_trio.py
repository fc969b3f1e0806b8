"""trio, by the pytest plugin of anyio: async httpx is routed whatever the event loop."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_call_is_routed_and_traced_in_a_loop_of_trio(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import httpx
        import sniffio

        @pytest.fixture
        def anyio_backend():
            return "trio"

        @pytest.mark.anyio
        async def test_it(giftsim):
            events = []

            async def trace(event, info):
                events.append(event)

            assert sniffio.current_async_library() == "trio"
            with giftsim.route(VENDOR, "partner.prepaid"):
                async with httpx.AsyncClient() as client:
                    assert (await client.post(URL, json=ORDER)).status_code == 201
                    assert (await client.get(URL, extensions={"trace": trace})).status_code == 200
            assert "http11.receive_response_headers.complete" in events
        """
    )
    assert outcomes == {"passed": 1}, printed
