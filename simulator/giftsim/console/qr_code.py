"""QR codes as SVG elements of a page, drawn by segno."""

from __future__ import annotations

import segno
from markupsafe import Markup

QUIET_MODULES = 4


def qr_svg(text: str, title: str) -> Markup:
    """The QR code of a text as an `<svg>` of dark modules on a light ground, also where the page is dark."""
    code = segno.make_qr(text, error="m")
    size = code.symbol_size(border=QUIET_MODULES)[0]
    rows = enumerate(code.matrix_iter(border=QUIET_MODULES))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in rows for x, dark in enumerate(row) if dark)
    return Markup(
        '<svg class="qr" role="img" aria-label="{title}" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        '<rect class="qr-light" width="{size}" height="{size}"/><path class="qr-dark" d="{path}"/></svg>'
    ).format(title=title, size=size, path=path)
