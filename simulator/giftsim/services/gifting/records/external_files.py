"""Files at external URLs, put there by a tester, and what becomes of their addresses (A7.20, G448)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import LATEST_MS, format_instant, parse_duration
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.endpoint import check_target
from giftsim.engine.webhooks.url_rules import InvalidUrl
from giftsim.services.gifting.domain.team.external_file import FileChange, add_file_change, put_file

FORMS: Final = ("content_type", "redirects_to", "gone")


def simulate_file(call: Call) -> Response:
    """Put a file at an external URL; or let the URL redirect, be gone or have another file, now or later."""
    body = call.body
    if sum(name in body for name in FORMS) != 1 or ("bytes" in body and "content_type" not in body):
        raise Ambiguous("say what is at the URL: content_type (and bytes), redirects_to or gone")
    with change_state(call) as state:
        if "content_type" in body and "after" not in body:
            file = put_file(state, body["url"], body["content_type"], body.get("bytes", 0))
            return Response(200, {"url": file.url, "content_type": file.content_type, "bytes": file.size_bytes})
        return Response(200, _view(_change(state, body)))


def _change(state: State, body: Mapping[str, Any]) -> FileChange:
    at_ms = min(state.now_ms + _delay_ms(body.get("after", "0s")), LATEST_MS)
    target = body.get("redirects_to")
    content_type = body["content_type"].lower() if "content_type" in body else None
    return add_file_change(
        state,
        body["url"],
        at_ms,
        content_type=content_type,
        size_bytes=body.get("bytes", 0),
        redirects_to=target,
        is_public=target is None or _is_public(state, target),
    )


def _delay_ms(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise Ambiguous(f"after is a duration such as 2d: {error}") from None


def _is_public(state: State, url: str) -> bool:
    try:
        check_target(state, url)
    except InvalidUrl:
        return False
    return True


def _view(change: FileChange) -> dict[str, Any]:
    return {
        "url": change.url,
        "content_type": change.content_type,
        "bytes": change.size_bytes,
        "redirects_to": change.redirects_to,
        "gone": change.content_type is None and change.redirects_to is None,
        "from": format_instant(change.at_ms),
    }
