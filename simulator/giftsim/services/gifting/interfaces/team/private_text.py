"""Remove addresses, claim links and tokens from the free text of JSON responses (T-1.9, T-1.10, A7.26).

CSV and PDF do the same cell by cell, when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from giftsim.engine.gateway.call import JSON, Call, DeferredResponse, Handler, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.free_text_redaction import may_be_private, remove_private

# Members with URLs of files and endpoints. They are not free text: a path may contain an `@`.
URL_MEMBERS = ("url", "image_url")


def without_private(handlers: Mapping[str, Handler]) -> dict[str, Handler]:
    """The handlers, with what is private removed from each response before it is stored or sent."""
    return {name: _wrap(handler) for name, handler in handlers.items()}


def _wrap(handler: Handler) -> Handler:
    def handle(call: Call) -> Response | DeferredResponse:
        response = handler(call)
        if isinstance(response, Response):
            return _remove_private_texts(response)
        finish = response.finish

        def finish_cleanly(state: State) -> Response:
            return _remove_private_texts(finish(state))

        return DeferredResponse(finish_cleanly)

    return handle


def _remove_private_texts(response: Response) -> Response:
    """The response with the texts of its value cleaned: its bytes may hold placeholders, which are not JSON (G1)."""
    if response.content_type != JSON:
        return response
    value, content = response.body, response.bytes()
    return replace(response, body=_remove_private_from_value(value)) if may_be_private(content) else response


def _remove_private_from_value(value: Any) -> Any:
    if isinstance(value, str):
        return remove_private(value)
    if isinstance(value, list | tuple):
        return [_remove_private_from_value(each) for each in value]
    if isinstance(value, dict):
        return {name: each if name in URL_MEMBERS else _remove_private_from_value(each) for name, each in value.items()}
    return value
