"""Files at external URLs, put there by a tester (A7.20)."""

from __future__ import annotations

from giftsim.engine.control.world_access import change_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.services.gifting.domain.team.external_file import put_file


def simulate_file(call: Call) -> Response:
    """Put a file at an external URL."""
    body = call.body
    with change_state(call) as state:
        file = put_file(state, body["url"], body["content_type"], body.get("bytes", 0))
        return Response(200, {"url": file.url, "content_type": file.content_type, "bytes": file.size_bytes})
