"""The companion of a test suite: a world to hold in a test, in process or on a server that a whole run shares.

    pytest_plugin -> handle (clock, outside, inbox, clients, over control) -> passage -> a simulator here, or a server

Whatever a handle does goes through the simulator's own paths, as any other client's calls do; so a test reads the same
in process and over HTTP.
"""

from simulator.companion.control import ControlRefused
from simulator.companion.handle import Giftsim
from simulator.companion.inbox import Webhook
from simulator.companion.passage import Answer, InProcess, OverHttp

__all__ = ["Answer", "ControlRefused", "Giftsim", "InProcess", "OverHttp", "Webhook"]
