"""The renderer of previews and the files of the internet, played by a tester (A1.9, A7.20)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from giftsim.control.world_access import changing
from giftsim.domain.team.external_file import put_file
from giftsim.domain.team.studio.preview import Preview, any_preview, end
from giftsim.gateway.call import Call, Handler, Response
from giftsim.kernel.instants import instant_or_null


def simulate_preview(call: Call) -> Response:
    """The renderer is done with a preview, or gives up."""
    with changing(call) as state:
        preview = any_preview(state, call.body["preview_id"])
        return Response(200, view(end(state, preview, call.body["outcome"])))


def simulate_file(call: Call) -> Response:
    """Something stands at a URL from now on."""
    body = call.body
    with changing(call) as state:
        file = put_file(state, body["url"], body["content_type"], body.get("bytes", 0))
        return Response(200, {"url": file.url, "content_type": file.content_type, "bytes": file.size_bytes})


def view(preview: Preview) -> dict[str, Any]:
    """Where a preview stands; its image is linked to by the answers of the team interface."""
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
