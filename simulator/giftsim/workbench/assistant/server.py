"""Makes the MCP server: its tools with their marks, and errors as messages that say how to go on."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from giftsim import __version__
from giftsim.engine.client.control import ControlRefused
from giftsim.engine.kernel.texts import one_line
from giftsim.workbench.assistant.acting import Acting
from giftsim.workbench.assistant.explaining import Explaining
from giftsim.workbench.assistant.reading import Reading
from giftsim.workbench.assistant.result_text import Lines
from giftsim.workbench.assistant.running_simulator import RunningSimulator, Unusable

Tool = Callable[..., Lines]
INSTRUCTIONS = """\
giftsim simulates a corporate-gifting service for tests: partner API, team API, museum API, signed webhooks, and a clock
that you move. These tools are the tester's side. The app under test calls the simulator at {url} with a credential of a
world (`credentials`). To find out why something did not happen: `why`. Why something happened: `look`, then `order` or
`calls`, then `explain_call` or `explain_webhook`. To try something without losing a state: `fork_world`, or act and
`undo`; `redo` brings it back.
"""
LOSES = ("call", "end_faults", "reset_world", "delete_world", "undo", "write_trace")


def make_server(running: RunningSimulator) -> MCPServer[None]:
    """The server for a simulator."""
    server: MCPServer[None] = MCPServer(
        "giftsim", instructions=INSTRUCTIONS.format(url=running.url), version=__version__, log_level="WARNING"
    )
    for tool in (*_tools(Reading(running)), *_tools(Explaining(running))):
        server.add_tool(
            _with_messages(tool, running), annotations=_marks(tool, read_only=True), structured_output=False
        )
    for tool in _tools(Acting(running)):
        server.add_tool(
            _with_messages(tool, running), annotations=_marks(tool, read_only=False), structured_output=False
        )
    return server


def _tools(of: object) -> list[Tool]:
    """The public methods of an object, in the order in which its class has them."""
    return [getattr(of, name) for name in vars(type(of)) if not name.startswith("_")]


def _marks(tool: Tool, *, read_only: bool) -> ToolAnnotations:
    """What a tool does to the simulator. None reaches beyond it."""
    name = tool.__name__
    return ToolAnnotations(
        title=name.replace("_", " ").capitalize(),
        read_only_hint=read_only,
        destructive_hint=name in LOSES,
        idempotent_hint=read_only,
        open_world_hint=False,
    )


def _with_messages(tool: Tool, running: RunningSimulator) -> Callable[..., str]:
    """A tool whose refusals are texts for the assistant. What callers wrote never begins a line in any text."""

    @wraps(tool)
    def with_messages(*args: object, **options: object) -> str:
        try:
            return "\n".join(map(one_line, tool(*args, **options)))
        except ControlRefused as error:
            raise ToolError(one_line(f"{error.message} ({error.code or error.status})")) from None
        except Unusable as error:
            raise ToolError(one_line(str(error))) from None
        except OSError as error:
            raise ToolError(one_line(f"{error}; is the simulator at {running.url} running?")) from None

    return with_messages
