"""Files and renderings by magic: URLs at which something known stands, and artwork that no renderer can draw."""

from __future__ import annotations

from typing import Final

import msgspec

from giftsim.domain.team.design.artwork import ARTWORK
from giftsim.domain.team.design.preview import FAILED, PREVIEWS, Preview, finish_preview
from giftsim.domain.team.external_file import file_metadata
from giftsim.kernel.state import State
from giftsim.magic.format import FILES, MAGIC_VALUES
from giftsim.problem import InvalidState

OWNER, FAIL = "magic.preview", "magic.preview"
UNRENDERABLE = "Magic Preview Failed"
MEGABYTE = 1024 * 1024


class File(msgspec.Struct, frozen=True, gc=False):
    """What stands at a URL."""

    url: str
    content_type: str
    size_bytes: int
    means: str
    source: str


REMOTE: Final = (
    File(f"{FILES}no-image.png", "text/html", 2_000, "no image after all: artwork is refused with 422", "A7.20"),
    File(f"{FILES}too-large.pdf", "application/pdf", 11 * MEGABYTE, "11 MB: a tax certificate is refused", "A7.20"),
)
_BY_URL: Final = {row.url: (row.content_type, row.size_bytes) for row in REMOTE}


def facts(state: State, url: str) -> tuple[str, int] | None:
    """What stands at a URL: what the world was told, else what magic knows (handles FILE_FACTS)."""
    told = file_metadata(state, url)
    if told is not None or not url.startswith(FILES) or not state.setting(MAGIC_VALUES):
        return told
    return _BY_URL.get(url)


def preview_started(state: State, preview: Preview) -> None:
    """Fail a preview whose artwork has the magic name when it would be done (handles PREVIEW_STARTED)."""
    names = [state[ARTWORK].get(placed.artwork).name for placed in preview.placements]
    if UNRENDERABLE in names and state.setting(MAGIC_VALUES):
        state.timers.set(
            max(state.now_ms, preview.due_ms - 1), OWNER, preview.n, FAIL, f"its artwork is {UNRENDERABLE}"
        )


def fail(state: State, n: int) -> None:
    """The renderer gives up, if it is still at work."""
    try:
        with state.transaction():
            finish_preview(state, state[PREVIEWS].get(n), FAILED)
    except InvalidState:
        return
