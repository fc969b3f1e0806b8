"""The companion of a test suite: a world to hold in a test, in process or on a server that a whole run shares.

    pytest_plugin -> handle (clock, outside, inbox, clients, over control) -> passage -> a simulator here, or a server

Whatever a handle does goes through the simulator's own paths, as any other client's calls do; so a test reads the same
in process and over HTTP.
"""

from giftsim.testing.control_client import ControlRefused
from giftsim.testing.inbox import Webhook
from giftsim.testing.transport import Answer, InProcess, OverHttp
from giftsim.testing.world import Giftsim

__all__ = ["Answer", "ControlRefused", "Giftsim", "InProcess", "OverHttp", "Webhook"]
