"""Tools for test suites: one world per test, in this process or on one server that the whole run shares.

    pytest_plugin -> Giftsim (Clock, Messages, Actions, Clients, all on ControlClient) -> Transport -> simulator

Every method calls the simulator's HTTP interface, so a test reads the same in process and over HTTP.
"""

from giftsim.client.control import ControlRefused
from giftsim.testing.app_endpoint import DeliveryResult
from giftsim.testing.routing import CallNotRouted
from giftsim.testing.transport import InProcess, OverHttp, Response
from giftsim.testing.webhook import Webhook
from giftsim.testing.world import Giftsim

__all__ = [
    "CallNotRouted",
    "ControlRefused",
    "DeliveryResult",
    "Giftsim",
    "InProcess",
    "OverHttp",
    "Response",
    "Webhook",
]
