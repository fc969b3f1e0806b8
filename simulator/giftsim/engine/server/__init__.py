"""The HTTP server. It imports only `system` of giftsim. docs/internals/design.md: why it is not a library."""

from giftsim.engine.server.connection import Application
from giftsim.engine.server.listener import ConnectionLimits
from giftsim.engine.server.server import Server
from giftsim.engine.system import System, raise_descriptor_limit

__all__ = ["Application", "ConnectionLimits", "Server", "System", "raise_descriptor_limit"]
