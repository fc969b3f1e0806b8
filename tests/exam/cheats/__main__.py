"""Starts a cheat: `python -m tests.exam.cheats NAME PORT`."""

from __future__ import annotations

import sys

from tests.exam import sample_shop
from tests.exam.cheats import bare_app
from tests.exam.cheats.bare_app import BareApp
from tests.exam.cheats.table import CHEATS


def main(name: str, port: int) -> None:
    """Serve until stopped."""
    app = CHEATS[name]()
    if isinstance(app, BareApp):
        bare_app.serve(app, port)
    else:
        sample_shop.serve(app, port)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
