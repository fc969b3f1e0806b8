"""Tools for test suites: one world per test, in this process or on one server that the whole run shares.

    pytest_plugin -> Giftsim (Clock, Messages, Actions, Clients, all on ControlClient) -> Transport -> simulator

Every method calls the simulator's HTTP interface, so a test reads the same in process and over HTTP.
"""

from typing import TYPE_CHECKING

from giftsim.engine.client.control import ControlRefused
from giftsim.testing.app_endpoint import DeliveryResult
from giftsim.testing.transport import CallNotRouted, InProcess, Response
from giftsim.testing.webhook import Webhook
from giftsim.testing.world_for_test import Giftsim

if TYPE_CHECKING:
    from giftsim.testing.over_http import OverHttp

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


def __getattr__(name: str) -> object:
    """Import `OverHttp` when it is first used, because it loads TLS."""
    if name != "OverHttp":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from giftsim.testing.over_http import OverHttp

    return OverHttp
