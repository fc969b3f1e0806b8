"""Messages of the Model Context Protocol over HTTP, of its revisions with a handshake and of those without (G390).

The header `MCP-Protocol-Version` names the revision. A caller of a revision with a handshake sends `initialize` first.
In one without, each request describes its caller in `_meta`, and headers repeat what the body says.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import mcp_types as mcp
import msgspec
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    KNOWN_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)
from pydantic import BaseModel, ValidationError

from giftsim.engine.gateway import json_body
from giftsim.engine.problem import Problem

Environ = dict[str, Any]
_BASE64_HEADER = re.compile(r"=\?base64\?(.*)\?=")


class ProtocolError(Exception):
    """A JSON-RPC error that answers a message. Without an HTTP status the revision decides on it."""

    def __init__(self, code: int, message: str, status: int | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.status, self.data = code, message, status, data

    def status_in(self, revision: str) -> int:
        """The HTTP status of the response. With a handshake, errors of a well-formed message have 200."""
        if self.status is not None or has_handshake(revision):
            return self.status or 200
        return 404 if self.code == mcp.METHOD_NOT_FOUND else 400


def has_handshake(revision: str) -> bool:
    """Whether callers of this revision send `initialize` before anything else."""
    return revision not in MODERN_PROTOCOL_VERSIONS


def revision_of(environ: Environ) -> str:
    """The revision that the header names; without the header, the newest one with a handshake."""
    return str(environ.get("HTTP_MCP_PROTOCOL_VERSION", LATEST_HANDSHAKE_VERSION))


def agreed_revision(requested: object) -> str:
    """The revision for a caller that sends `initialize`."""
    is_supported = isinstance(requested, str) and requested in HANDSHAKE_PROTOCOL_VERSIONS
    return str(requested) if is_supported else LATEST_HANDSHAKE_VERSION


def parse_message(content: bytes, revision: str) -> BaseModel:
    """The single JSON-RPC message in a body. Raises ProtocolError for another body and for an unknown revision."""
    if revision not in KNOWN_PROTOCOL_VERSIONS:
        supported = list(KNOWN_PROTOCOL_VERSIONS)
        message = f"this protocol version is not supported; supported are {', '.join(supported)}"
        data = {"supported": supported, "requested": revision}
        raise ProtocolError(mcp.UNSUPPORTED_PROTOCOL_VERSION, message, 400, data)
    try:
        parsed = json_body.parse(content)
    except Problem as problem:
        raise ProtocolError(mcp.PARSE_ERROR, problem.message, 400) from None
    try:
        return mcp.jsonrpc_message_adapter.validate_python(parsed)
    except ValidationError:
        raise ProtocolError(mcp.INVALID_REQUEST, "the body must be a single JSON-RPC 2.0 message", 400) from None


def check_envelope(request: mcp.JSONRPCRequest, environ: Environ) -> None:
    """Raise ProtocolError unless `_meta` describes the caller and the headers say what the body says."""
    params = request.params or {}
    meta = params.get("_meta")
    meta = meta if isinstance(meta, Mapping) else {}
    required = (mcp.PROTOCOL_VERSION_META_KEY, mcp.CLIENT_CAPABILITIES_META_KEY)
    if missing := [key for key in required if key not in meta]:
        raise ProtocolError(mcp.INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}")
    if not isinstance(meta[mcp.CLIENT_CAPABILITIES_META_KEY], Mapping):
        raise ProtocolError(mcp.INVALID_PARAMS, f"{mcp.CLIENT_CAPABILITIES_META_KEY} must be an object")
    said = {"MCP-Protocol-Version": meta[mcp.PROTOCOL_VERSION_META_KEY], "Mcp-Method": request.method}
    if request.method == "tools/call" and params.get("name") is not None:
        said["Mcp-Name"] = params["name"]
    for header, value in said.items():
        if _header_text(environ.get(f"HTTP_{header.upper().replace('-', '_')}")) != value:
            raise ProtocolError(mcp.HEADER_MISMATCH, f"the header {header} must repeat what the body says")


def response_of(message_id: int | str, result: BaseModel, revision: str, server: mcp.Implementation) -> bytes:
    """The response with a result. Without a handshake, each result names the server."""
    content = _dump(result)
    if not has_handshake(revision):
        content["_meta"] = {**content.get("_meta", {}), mcp.SERVER_INFO_META_KEY: _dump(server)}
    return _encode(mcp.JSONRPCResponse(jsonrpc="2.0", id=message_id, result=content))


def error_response(message_id: int | str | None, error: ProtocolError) -> bytes:
    """The response with an error; its id is null if the message has none that can be read."""
    content = mcp.ErrorData(code=error.code, message=error.message, data=error.data)
    return _encode(mcp.JSONRPCError(jsonrpc="2.0", id=message_id, error=content))


def _header_text(value: str | None) -> str | None:
    """The text of a header, which may be in Base64; None if it is absent or broken."""
    encoded = _BASE64_HEADER.fullmatch(value or "")
    if encoded is None:
        return value
    try:
        return b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _dump(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def _encode(message: mcp.JSONRPCResponse | mcp.JSONRPCError) -> bytes:
    return msgspec.json.encode({"id": message.id, **_dump(message)})
