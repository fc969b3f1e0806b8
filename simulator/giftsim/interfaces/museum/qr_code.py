"""QR codes as PNG, drawn by segno, which has no dependencies (`qrcode` needs an image library)."""

from __future__ import annotations

import io

import segno

PIXELS_PER_MODULE = 6
QUIET_MODULES = 4


def png(text: str) -> bytes:
    """The image of a text; a ticket's is 270 pixels wide with its quiet zone (C6).

    Stored without compression: compressed bytes would depend on the machine's zlib.
    """
    image = io.BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(image, kind="png", scale=PIXELS_PER_MODULE, border=QUIET_MODULES, compresslevel=0)
    return image.getvalue()
