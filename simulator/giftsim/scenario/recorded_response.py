"""The `recorded` member of a step: a response that the call must repeat byte for byte."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from giftsim.client.response import Response
from giftsim.scenario.response_diff import WIDTH, compared_headers, diff_responses


class RecordedResponse(NamedTuple):
    """A recorded response; header names are in lower case, and headers are compared only if some were recorded."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ResponseDifference(NamedTuple):
    """A recorded response and the actual one that differs from it; `actual` is None if the connection was lost."""

    recorded: RecordedResponse
    actual: RecordedResponse | None

    @property
    def summary(self) -> str:
        """The difference in one line."""
        if self.actual is None:
            return f"recorded: expected a response, {self.recorded.status}, actual lost"
        return "recorded: the response differs"

    def side_by_side(self, width: int = WIDTH) -> str:
        """Both responses next to each other, `width` columns each; "" if there is no actual one."""
        return diff_responses(self.recorded, self.actual, width=width) if self.actual else ""

    @property
    def text(self) -> str:
        """The summary and both responses, for a report."""
        return "\n".join((self.summary, *(f"    {line}" for line in self.side_by_side().split("\n") if line)))


def resolve_recorded(data: Mapping[str, Any], resolve: Callable[[Any], Any]) -> RecordedResponse:
    """The recorded response of a step with its variables resolved; a `{base64: ...}` body has none."""
    headers = {str(name).lower(): str(resolve(text)) for name, text in data.get("headers", {}).items()}
    body = data.get("body", "")
    if isinstance(body, Mapping):
        return RecordedResponse(data["status"], headers, decode_base64(body["base64"]))
    return RecordedResponse(data["status"], headers, str(resolve(body)).encode())


def decode_base64(text: str) -> bytes:
    """The bytes of a base64 text; ValueError if it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from None


def compare_recorded(recorded: RecordedResponse, response: Response | None) -> ResponseDifference | None:
    """How a response differs from the recorded one; None if it does not.

    The newline that ends every JSON body is not compared: recordings are made of bodies before it is added (G113).
    """
    if response is None:
        return ResponseDifference(recorded, None)
    headers = compared_headers(response.headers) if recorded.headers else {}
    recorded = recorded._replace(body=recorded.body.removesuffix(b"\n"))
    body = response.body.removesuffix(b"\n")
    difference = ResponseDifference(recorded, RecordedResponse(response.status, headers, body))
    return difference if difference.side_by_side() else None
