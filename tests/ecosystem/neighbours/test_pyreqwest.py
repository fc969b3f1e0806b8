"""pyreqwest, which connects in Rust."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_it_is_routed_sync_and_async_also_with_streamed_bodies(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import asyncio, json
        from pyreqwest.client import ClientBuilder, SyncClientBuilder
        from pyreqwest.exceptions import ReadError
        from pyreqwest.simple.sync_request import pyreqwest_get

        PARTS = [json.dumps(ORDER).encode()[:10], json.dumps(ORDER).encode()[10:]]
        JSON = {"Content-Type": "application/json"}

        async def statuses():
            async def parts():
                for part in PARTS:
                    yield part

            async with ClientBuilder().build() as client:
                first = await client.get(URL).build().send()
                second = await client.post(URL).headers(JSON).body_stream(parts()).build().send()
                return [first.status, second.status, (await second.json())["team_order"]["id"]]

        def test_it(giftsim):
            with giftsim.route(VENDOR, "partner.prepaid"), SyncClientBuilder().build() as client:
                assert client.post(URL).body_json(ORDER).build().send().status == 201
                assert client.post(URL).headers(JSON).body_stream(iter(PARTS)).build().send().status == 201
                assert pyreqwest_get(URL).send().status == 200
                assert asyncio.run(statuses()) == [200, 201, 1001]
                giftsim.fault(drop="after", when={"first": 1})
                with pytest.raises(ReadError):
                    client.get(URL).build().send()
        """
    )
    assert outcomes == {"passed": 1}, printed
