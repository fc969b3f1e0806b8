"""Connects the shop of examples/shop.py to the test's world: its calls, its webhooks and its clock."""

from http.server import ThreadingHTTPServer
from math import ceil
from threading import Thread

import pytest
from shop import Handler, Shop

SERVICE = "http://gifts.vendor.example"  # where the shop's settings say that the service is
EVENTS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention"]


@pytest.fixture
def shop(giftsim):
    """The shop on a port of this machine. It calls the test's world, and gets its webhooks."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    shop = server.shop = Shop(sleep=lambda seconds: giftsim.advance(f"{ceil(seconds)}s"))
    Thread(target=server.serve_forever, args=(0.01,)).start()  # looks every 10 ms whether it is to end
    giftsim.receiver("hooks.partner.example", "forward", to=f"http://127.0.0.1:{server.server_port}")
    endpoint = giftsim.subscribe(*EVENTS, url="https://hooks.partner.example/giftsim/webhooks")
    key = giftsim.headers("partner.prepaid")["Authorization"].removeprefix("Bearer ")
    shop.start(SERVICE, key, endpoint["secret"])
    with giftsim.route(SERVICE), giftsim.freeze_app():
        yield shop
    server.shutdown()
    server.server_close()
