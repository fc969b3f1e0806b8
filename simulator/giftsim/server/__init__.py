"""The HTTP server. It imports only `system` of giftsim. docs/explanation/http-server.md: why it is not a library."""

from giftsim.server.connection import Application
from giftsim.server.listener import ConnectionLimits
from giftsim.server.server import Server
from giftsim.system import System, raise_descriptor_limit

__all__ = ["Application", "ConnectionLimits", "Server", "System", "raise_descriptor_limit"]
