"""The Model Context Protocol for assistants on POST `/mcp`: stateless, answered in JSON (A4.9, G50, T-1.8).

A tool call makes the same HTTP request to the team interface that a program would make with the same key, through the
same middleware. The only difference: its caller is an assistant, and an assistant never pays.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

import mcp_types as mcp
import msgspec
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from giftsim.engine.gateway.call import ASSISTANT, JSON, Call, Interface
from giftsim.engine.gateway.cors import is_from_own_page
from giftsim.engine.gateway.wsgi_app import STATUS_LINES, WsgiApp, read_body
from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import as_utf8, decode_path
from giftsim.services.gifting.interfaces.team.assistant_answers import (
    MAX_BYTES,
    Cuts,
    cut_csv,
    cut_lists,
    describe_cuts,
)
from giftsim.services.gifting.interfaces.team.authentication import authenticate
from giftsim.services.gifting.interfaces.team.mcp_messages import (
    ProtocolError,
    agreed_revision,
    check_envelope,
    error_response,
    has_handshake,
    parse_message,
    response_of,
    revision_of,
)
from giftsim.services.gifting.interfaces.team.mcp_tools import InvalidArguments, Tool, build_request, make_tools

Environ = dict[str, Any]
AfterResponse = Callable[[], None]
ALLOW = "POST, OPTIONS"
FORWARDED_HEADERS = ("HTTP_AUTHORIZATION", "HTTP_X_API_KEY", "HTTP_X_SIM_FAULT", "HTTP_X_SIM_WORLD", "HTTP_HOST")
INSTRUCTIONS = (
    "Tools to prepare gifts and orders for a team. They never pay, approve or sign: what costs money is held until a "
    "human of the team decides."
)

REPLAYED = (
    "This is the result of an earlier call with this idempotency_key. Nothing was done now. To act again, send a fresh "
    "one."
)


class McpResponse(msgspec.Struct, frozen=True):
    """A WSGI response. `after` runs once its bytes are written (G21)."""

    status: int
    content: bytes = b""
    headers: dict[str, str] = {}
    after: AfterResponse | None = None

    def __iter__(self) -> Iterator[bytes]:
        yield self.content

    def close(self) -> None:
        """Called by the server after it has written the response."""
        if self.after is not None:
            self.after()


class Result(NamedTuple):
    """The result of a message. A tool's has the id of the request that it made to the team interface."""

    model: BaseModel
    after: AfterResponse | None = None
    request_id: str | None = None


class McpEndpoint:
    """The WSGI application of the endpoint. It forwards tool calls to the WSGI application of the interfaces.

    `knows_host` is whether the `Host` of a call names this simulator (G91).
    """

    def __init__(
        self, wsgi_app: WsgiApp, interface: Interface, version: str, knows_host: Callable[[Environ], bool]
    ) -> None:
        self.wsgi_app, self.interface = wsgi_app, interface
        self._server = mcp.Implementation(name="giftsim", version=version)
        self._capabilities = mcp.ServerCapabilities(tools=mcp.ToolsCapability(list_changed=False))
        self._knows_host = knows_host
        self.tools = make_tools(interface.contract)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = self._respond(environ)
        headers = dict(response.headers)
        if response.status != 204:
            headers["Content-Length"] = str(len(response.content))
        headers.setdefault("X-Request-Id", self.wsgi_app.registry.next_request_id())
        if response.content:
            headers["Content-Type"] = JSON
        start_response(STATUS_LINES[response.status], list(headers.items()))
        return response

    def _respond(self, environ: Environ) -> McpResponse:
        if environ["REQUEST_METHOD"] == "OPTIONS":
            return McpResponse(204, headers={"Allow": ALLOW})
        if environ["REQUEST_METHOD"] != "POST":
            error = ProtocolError(mcp.INVALID_REQUEST, "this endpoint takes only POST")
            return McpResponse(405, error_response(None, error), {"Allow": ALLOW})
        message_id: int | str | None = None
        revision = revision_of(environ)
        try:
            self._check_host(environ)
            _check_origin(environ)
            if (refusal := self._check_key(environ)) is not None:
                return refusal
            environ = {**environ, ASSISTANT: read_body(environ)}
            message = parse_message(environ[ASSISTANT], revision)
            if not isinstance(message, mcp.JSONRPCRequest):
                return McpResponse(202)
            message_id = message.id
            result = self._result(message, environ, revision)
            headers = {"X-Request-Id": result.request_id} if result.request_id else {}
            content = response_of(message_id, result.model, revision, self._server)
            return McpResponse(200, content, headers, result.after)
        except ProtocolError as error:
            return McpResponse(error.status_in(revision), error_response(message_id, error))

    def _check_host(self, environ: Environ) -> None:
        """Refuse host names of others that resolve to this machine (DNS rebinding)."""
        if not self._knows_host(environ):
            host = as_utf8(environ.get("HTTP_HOST", ""))[:100]
            raise ProtocolError(
                mcp.INVALID_REQUEST,
                f"the host name {host!r} is not one of the simulator's; start it with --host-name to add one",
                403,
            )

    def _check_key(self, environ: Environ) -> McpResponse | None:
        """The team interface's error response if the caller has no valid team key, else None."""
        call = Call("POST", "/mcp", "", environ, b"", self.interface, self.wsgi_app.registry)
        call.matched_operation = next(iter(self.tools.values())).operation
        try:
            call.selected_world = self.wsgi_app.registry.worlds.get(self.interface.credential_world_id(call) or "")
            with call.selected_world.locked() if call.selected_world else nullcontext():
                authenticate(call)
        except Problem as problem:
            call.request_id = self.wsgi_app.registry.next_request_id()
            response = self.interface.refuse(call, problem)
            headers = {**response.headers, "X-Request-Id": call.request_id}
            return McpResponse(response.status, response.bytes(), headers)
        return None

    def _result(self, message: mcp.JSONRPCRequest, environ: Environ, revision: str) -> Result:
        params = message.params or {}
        if not has_handshake(revision):
            check_envelope(message, environ)
        if message.method == "tools/call":
            return self._call_tool(params, environ)
        if message.method == "tools/list":
            return Result(mcp.ListToolsResult(tools=[_describe(tool) for tool in self.tools.values()]))
        if has_handshake(revision):
            return self._result_with_handshake(message.method, params)
        if message.method == "server/discover":
            return Result(
                mcp.DiscoverResult(
                    supported_versions=list(KNOWN_PROTOCOL_VERSIONS),
                    capabilities=self._capabilities,
                    instructions=INSTRUCTIONS,
                )
            )
        raise _no_method("server/discover")

    def _result_with_handshake(self, method: str, params: Mapping[str, Any]) -> Result:
        """The result of a message that only the revisions with a handshake have."""
        if method == "initialize":
            return Result(
                mcp.InitializeResult(
                    protocol_version=agreed_revision(params.get("protocolVersion")),
                    capabilities=self._capabilities,
                    server_info=self._server,
                    instructions=INSTRUCTIONS,
                )
            )
        if method == "ping":
            return Result(mcp.EmptyResult())
        raise _no_method("initialize, ping")

    def _call_tool(self, params: Mapping[str, Any], environ: Environ) -> Result:
        try:
            parsed = mcp.CallToolRequestParams.model_validate(params)
        except ValidationError:
            raise ProtocolError(mcp.INVALID_PARAMS, "tools/call takes a name and arguments") from None
        tool = self.tools.get(parsed.name)
        if tool is None:
            raise ProtocolError(mcp.INVALID_PARAMS, "no tool has this name; tools/list names them all")
        try:
            inner = self._tool_environ(tool, parsed.arguments or {}, environ)
        except InvalidArguments as error:
            return Result(_text_result(str(error), None, is_error=True))
        started: list[Any] = []
        chunks = self.wsgi_app(inner, lambda status, fields, _exc_info=None: started.extend((status, dict(fields))))
        content = b"".join(chunks)
        status, content_type = int(started[0][:3]), started[1].get("Content-Type", JSON)
        result = _tool_result(tool, inner["PATH_INFO"], status, content_type, content)
        if "Idempotent-Replayed" in started[1]:
            result.content.append(mcp.TextContent(type="text", text=REPLAYED))
            result.meta = {**(result.meta or {}), "giftsim/idempotent-replayed": True}
        return Result(result, getattr(chunks, "close", None), started[1]["X-Request-Id"])

    def _tool_environ(self, tool: Tool, arguments: Mapping[str, Any], outer: Environ) -> Environ:
        """The WSGI environ of the request that the tool makes to the team interface."""
        request = build_request(tool, arguments)
        path = f"{self.interface.contract.prefix}{request.path}"
        kept = {key: each for key, each in outer.items() if not key.startswith("HTTP_") or key in FORWARDED_HEADERS}
        if request.idempotency_key is not None:
            kept["HTTP_IDEMPOTENCY_KEY"] = request.idempotency_key
        return {
            **kept,
            "REQUEST_METHOD": tool.operation.method,
            "PATH_INFO": decode_path(path),
            "QUERY_STRING": request.query,
            "CONTENT_TYPE": JSON,
            "CONTENT_LENGTH": str(len(request.body)),
            "wsgi.input": io.BytesIO(request.body),
        }


def _check_origin(environ: Environ) -> None:
    """Refuse requests that a browser sends from a page of another site."""
    if not is_from_own_page(environ):
        raise ProtocolError(mcp.INVALID_REQUEST, "the request comes from a page of another site", 403)


def _no_method(others: str) -> ProtocolError:
    return ProtocolError(mcp.METHOD_NOT_FOUND, f"this server has only {others}, tools/list and tools/call")


def _describe(tool: Tool) -> mcp.Tool:
    hints = mcp.ToolAnnotations(read_only_hint=tool.is_read_only)
    return mcp.Tool(name=tool.operation.id, description=tool.description, input_schema=tool.schema, annotations=hints)


def _tool_result(tool: Tool, path: str, status: int, content_type: str, content: bytes) -> mcp.CallToolResult:
    """A response of the team interface as the result of a tool, of at most MAX_BYTES (G379).

    A file becomes an embedded resource.
    """
    media_type, cuts = content_type.partition(";")[0], Cuts()
    if media_type == JSON:
        result, cuts = _json_result(tool, status, content)
    elif media_type.startswith("text/"):
        text, cuts = cut_csv(content.decode())
        result = _file_result(mcp.TextResourceContents(uri=f"giftsim:{path}", mime_type=media_type, text=text))
    elif len(blob := b64encode(content).decode()) <= MAX_BYTES:
        result = _file_result(mcp.BlobResourceContents(uri=f"giftsim:{path}", mime_type=media_type, blob=blob))
    else:
        result = _text_result(_too_large(len(content), path), None, is_error=True)
    if cuts:
        note = describe_cuts(cuts, path if tool.is_read_only else None)
        result.content.append(mcp.TextContent(type="text", text=note))
        result.meta = {"giftsim/cut": {name: {"shown": shown, "total": total} for name, (shown, total) in cuts.items()}}
    return result


def _json_result(tool: Tool, status: int, content: bytes) -> tuple[mcp.CallToolResult, Cuts]:
    """JSON as it came, or with its lists cut. A page is never cut between its rows: its cursor continues after them."""
    value = msgspec.json.decode(content)
    if len(content) <= MAX_BYTES:
        return _text_result(content.decode(), value, is_error=status >= 400), Cuts()
    is_page = any(each.name == "cursor" for each in tool.operation.query_params)
    fitted = cut_lists(value, "data" if is_page else "")
    if fitted is None:
        return _text_result(_too_large(len(content), None), None, is_error=True), Cuts()
    shown, cuts = fitted
    return _text_result(msgspec.json.encode(shown).decode(), shown, is_error=status >= 400), cuts


def _too_large(size: int, path: str | None) -> str:
    whole = f" A program gets it from GET {path} of the REST API." if path else ""
    return f"The answer has {size:,} bytes, and a tool's at most {MAX_BYTES:,}.{whole}"


def _file_result(resource: Any) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.EmbeddedResource(type="resource", resource=resource)])


def _text_result(text: str, structured: Any, *, is_error: bool) -> mcp.CallToolResult:
    content: list[Any] = [mcp.TextContent(type="text", text=text)]
    return mcp.CallToolResult(content=content, structured_content=structured, is_error=is_error)
