"""The assistant endpoint: the Model Context Protocol on POST `/mcp`, stateless, in JSON (A4.9, G50, T-1.8).

A tool call is the very call that a program would make to the team interface, by the same key and through the same
stages, but for one thing: its caller is an assistant, which never pays.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import mcp_types as mcp
import msgspec
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from pydantic import BaseModel, ValidationError

from giftsim.gateway import json_body
from giftsim.gateway.call import ASSISTANT, JSON, Call, Interface
from giftsim.gateway.wsgi_app import STATUS_LINES, WsgiApp, read_body
from giftsim.interfaces.team.authentication import authenticate
from giftsim.interfaces.team.mcp_tools import Misused, Tool, make_tools, request_of
from giftsim.problem import Problem

Environ = dict[str, Any]
After = Callable[[], None]
CREDENTIALS = ("HTTP_AUTHORIZATION", "HTTP_X_API_KEY", "HTTP_X_SIM_FAULT", "HTTP_X_SIM_WORLD", "HTTP_HOST")
INSTRUCTIONS = (
    "Tools to prepare gifts and orders for a team. Nothing is paid, approved or signed here: what costs money is held "
    "until a human of the team decides."
)


class Answered(msgspec.Struct, frozen=True):
    """What goes back, and what goes on once it is written (G21)."""

    status: int
    content: bytes = b""
    headers: dict[str, str] = {}
    after: After | None = None

    def __iter__(self) -> Iterator[bytes]:
        yield self.content

    def close(self) -> None:
        """The answer is written."""
        if self.after is not None:
            self.after()


class Refused(Exception):
    """A message that is answered by an error of the protocol."""

    def __init__(self, code: int, message: str, status: int = 200, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.status, self.data = code, message, status, data


class Assistant:
    """A WSGI application beside the contract routes, which answers with what those answer."""

    def __init__(self, wsgi_app: WsgiApp, interface: Interface, version: str) -> None:
        self.wsgi_app, self.interface, self.version = wsgi_app, interface, version
        self.tools = make_tools(interface.contract)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        answered = self._answer(environ)
        headers = {**answered.headers, "Content-Length": str(len(answered.content))}
        if answered.content:
            headers["Content-Type"] = JSON
        start_response(STATUS_LINES[answered.status], list(headers.items()))
        return answered

    def _answer(self, environ: Environ) -> Answered:
        if environ["REQUEST_METHOD"] != "POST":
            return Answered(405, _encode(_error(None, mcp.INVALID_REQUEST, "only POST is taken")), {"Allow": "POST"})
        number: int | str | None = None
        try:
            _own_origin(environ)
            if (stranger := self._stranger(environ)) is not None:
                return stranger
            environ = {**environ, ASSISTANT: read_body(environ)}
            message = _read(environ[ASSISTANT], environ)
            if not isinstance(message, mcp.JSONRPCRequest):
                return Answered(202)
            number = message.id
            result, after = self._result(message, environ)
            reply = mcp.JSONRPCResponse(jsonrpc="2.0", id=number, result=_dump(result))
            return Answered(200, _encode(reply), {}, after)
        except Refused as no:
            return Answered(no.status, _encode(_error(number, no.code, no.message, no.data)))

    def _stranger(self, environ: Environ) -> Answered | None:
        """The answer to who has no team key, as the team interface words it."""
        call = Call("POST", "/mcp", "", environ, b"", self.interface, self.wsgi_app.registry)
        call.matched_operation = next(iter(self.tools.values())).op
        try:
            call.selected_world = self.wsgi_app.registry.worlds.get(self.interface.credential_world_id(call) or "")
            with call.selected_world.locked() if call.selected_world else nullcontext():
                authenticate(call)
        except Problem as problem:
            call.request_id = self.wsgi_app.registry.next_request_id()
            reply = self.interface.envelope(call, problem)
            return Answered(reply.status, reply.bytes(), {"WWW-Authenticate": "Bearer", **reply.headers})
        return None

    def _result(self, message: mcp.JSONRPCRequest, environ: Environ) -> tuple[BaseModel, After | None]:
        params = message.params or {}
        if message.method == "tools/call":
            return self._called(params, environ)
        if message.method == "initialize":
            return _initialized(params, self.version), None
        if message.method == "tools/list":
            return mcp.ListToolsResult(tools=[_shown(tool) for tool in self.tools.values()]), None
        if message.method == "ping":
            return mcp.EmptyResult(), None
        raise Refused(mcp.METHOD_NOT_FOUND, "this server has tools, and nothing else")

    def _called(self, params: Mapping[str, Any], environ: Environ) -> tuple[BaseModel, After | None]:
        try:
            asked = mcp.CallToolRequestParams.model_validate(params)
        except ValidationError:
            raise Refused(mcp.INVALID_PARAMS, "tools/call takes a name and arguments") from None
        tool = self.tools.get(asked.name)
        if tool is None:
            raise Refused(mcp.INVALID_PARAMS, "there is no such tool")
        try:
            inner = self._environ(tool, asked.arguments or {}, environ)
        except Misused as wrong:
            return _told(str(wrong), None, is_error=True), None
        told: list[Any] = []
        chunks = self.wsgi_app(inner, lambda status, fields, _exc_info=None: told.extend((status, dict(fields))))
        content = b"".join(chunks)
        status, kind = int(told[0][:3]), told[1].get("Content-Type", JSON)
        return _outcome(inner["PATH_INFO"], status, kind, content), getattr(chunks, "close", None)

    def _environ(self, tool: Tool, arguments: Mapping[str, Any], outer: Environ) -> Environ:
        """The request to the team interface."""
        request = request_of(tool, arguments)
        path = f"{self.interface.contract.prefix}{request.path}"
        kept = {name: each for name, each in outer.items() if not name.startswith("HTTP_") or name in CREDENTIALS}
        if request.key is not None:
            kept["HTTP_IDEMPOTENCY_KEY"] = request.key
        return {
            **kept, "REQUEST_METHOD": tool.op.method, "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": request.query, "CONTENT_TYPE": JSON, "CONTENT_LENGTH": str(len(request.body)),
            "wsgi.input": io.BytesIO(request.body),
        }  # fmt: skip


def _own_origin(environ: Environ) -> None:
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and urlsplit(origin).netloc.lower() != environ.get("HTTP_HOST", "").lower():
        raise Refused(mcp.INVALID_REQUEST, "a page of another site called", 403)


def _read(content: bytes, environ: Environ) -> BaseModel:
    """One message of a version that is spoken here."""
    version = environ.get("HTTP_MCP_PROTOCOL_VERSION", LATEST_HANDSHAKE_VERSION)
    if version not in HANDSHAKE_PROTOCOL_VERSIONS:
        spoken = list(HANDSHAKE_PROTOCOL_VERSIONS)
        told = {"supported": spoken, "requested": version}
        raise Refused(mcp.UNSUPPORTED_PROTOCOL_VERSION, f"spoken here: {', '.join(spoken)}", 400, told)
    try:
        data, _ = json_body.parse(content)
    except Problem as problem:
        raise Refused(mcp.PARSE_ERROR, problem.message, 400) from None
    try:
        message: BaseModel = mcp.jsonrpc_message_adapter.validate_python(data)
    except ValidationError:
        raise Refused(mcp.INVALID_REQUEST, "this is no single JSON-RPC 2.0 message", 400) from None
    return message


def _initialized(params: Mapping[str, Any], version: str) -> mcp.InitializeResult:
    wanted = params.get("protocolVersion")
    return mcp.InitializeResult(
        protocol_version=wanted if wanted in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION,
        capabilities=mcp.ServerCapabilities(tools=mcp.ToolsCapability(list_changed=False)),
        server_info=mcp.Implementation(name="giftsim", version=version),
        instructions=INSTRUCTIONS,
    )


def _shown(tool: Tool) -> mcp.Tool:
    hints = mcp.ToolAnnotations(read_only_hint=tool.reads)
    return mcp.Tool(name=tool.op.id, description=tool.description, input_schema=tool.schema, annotations=hints)


def _outcome(path: str, status: int, kind: str, content: bytes) -> mcp.CallToolResult:
    """An answer of the team interface as the result of a tool; a file as an embedded resource."""
    kind = kind.partition(";")[0]
    if kind == JSON:
        return _told(content.decode(), msgspec.json.decode(content), is_error=status >= 400)
    uri = f"giftsim:{path}"
    resource: Any = (
        mcp.TextResourceContents(uri=uri, mime_type=kind, text=content.decode())
        if kind.startswith("text/")
        else mcp.BlobResourceContents(uri=uri, mime_type=kind, blob=b64encode(content).decode())
    )
    return mcp.CallToolResult(content=[mcp.EmbeddedResource(type="resource", resource=resource)])


def _told(text: str, structured: Any, *, is_error: bool) -> mcp.CallToolResult:
    content: list[Any] = [mcp.TextContent(type="text", text=text)]
    return mcp.CallToolResult(content=content, structured_content=structured, is_error=is_error)


def _error(number: int | str | None, code: int, message: str, data: Any = None) -> mcp.JSONRPCError:
    return mcp.JSONRPCError(jsonrpc="2.0", id=number, error=mcp.ErrorData(code=code, message=message, data=data))


def _dump(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def _encode(message: mcp.JSONRPCResponse | mcp.JSONRPCError) -> bytes:
    return msgspec.json.encode({"id": message.id, **_dump(message)})
