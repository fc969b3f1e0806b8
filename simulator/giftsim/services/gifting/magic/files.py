"""Magic files: URLs of files with known metadata, and the name of artwork whose previews fail."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK
from giftsim.services.gifting.domain.team.design.preview import FAILED, PREVIEWS, Preview, finish_preview
from giftsim.services.gifting.domain.team.external_file import file_metadata
from giftsim.services.gifting.magic.value_format import FILES, MAGIC_VALUES

OWNER, FAIL = "magic.preview", "magic.preview"
UNRENDERABLE = "Magic Preview Failed"
MEGABYTE = 1024 * 1024


class File(msgspec.Struct, frozen=True, gc=False):
    """The type and size of the file at a URL."""

    url: str
    content_type: str
    size_bytes: int
    means: str
    source: str


REMOTE: Final = (
    File(f"{FILES}no-image.png", "text/html", 2_000, "not an image: artwork is refused with 422", "A7.20"),
    File(
        f"{FILES}too-large.pdf",
        "application/pdf",
        11 * MEGABYTE,
        "11 MB: a tax certificate is refused with 422",
        "A7.20",
    ),
)
_BY_URL: Final = {row.url: (row.content_type, row.size_bytes) for row in REMOTE}


def find_file_metadata(state: State, url: str) -> tuple[str, int] | None:
    """Type and size of the file at a URL: as simulated in this world, else of a magic file (handles FILE_METADATA)."""
    simulated = file_metadata(state, url)
    if simulated is not None or not url.startswith(FILES) or not state.setting(MAGIC_VALUES):
        return simulated
    return _BY_URL.get(url)


def on_preview_started(state: State, preview: Preview) -> None:
    """Schedule the failure of a preview whose artwork has the magic name (handles PREVIEW_STARTED)."""
    names = [state[ARTWORK].get(placed.artwork).name for placed in preview.placements]
    if UNRENDERABLE in names and state.setting(MAGIC_VALUES):
        state.timers.set(
            max(state.now_ms, preview.due_ms - 1), OWNER, preview.n, FAIL, f"its artwork is {UNRENDERABLE}"
        )


def fail_preview(state: State, n: int) -> None:
    """Fail the preview, unless it has ended in the meantime."""
    with suppress(InvalidState), state.transaction():
        finish_preview(state, state[PREVIEWS].get(n), FAILED)
