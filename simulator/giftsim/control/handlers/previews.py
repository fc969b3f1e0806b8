"""Outcomes of previews, and files at external URLs, set by a tester (A1.9, A7.20)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.world_access import change_state
from giftsim.domain.team.design.preview import Preview, find_preview_of_any_team, finish_preview
from giftsim.domain.team.external_file import put_file
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.instants import instant_or_null


def simulate_preview(call: Call) -> Response:
    """Finish the rendering of a preview: it is ready or has failed."""
    with change_state(call) as state:
        preview = find_preview_of_any_team(state, call.body["preview_id"])
        return Response(200, view(finish_preview(state, preview, call.body["outcome"])))


def simulate_file(call: Call) -> Response:
    """Put a file at an external URL."""
    body = call.body
    with change_state(call) as state:
        file = put_file(state, body["url"], body["content_type"], body.get("bytes", 0))
        return Response(200, {"url": file.url, "content_type": file.content_type, "bytes": file.size_bytes})


def view(preview: Preview) -> dict[str, Any]:
    """The status of a preview. The team interface's own responses link to its image."""
    return {
        "preview_id": preview.id,
        "status": preview.status,
        "failure": preview.failure,
        "finished_at": instant_or_null(preview.finished_ms),
    }


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "simulatePreview": simulate_preview,
        "simulateFile": simulate_file,
    }
)
