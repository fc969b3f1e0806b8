"""The sample shop with a mistake, which at its third start ends the process that runs its plans: once, by a signal.

python tests/explore/deadly_shop.py PORT FILE; FILE is made when that happens. A shell that starts it must `exec` it.
"""

import os
import runpy
import signal
import sys
from pathlib import Path

KILLS_AT = 3
SHOP = Path(__file__).parents[2] / "examples" / "shop.py"


def main() -> None:
    """Serve until stopped."""
    port, file = sys.argv[1:]
    shop = runpy.run_path(str(SHOP), run_name="shop")
    handler = shop["Handler"]
    do_post, starts = handler.do_POST, []

    def post(self: object) -> None:
        if getattr(self, "path", "") == "/giftsim/start":
            starts.append(port)
            if len(starts) == KILLS_AT and not Path(file).exists():
                Path(file).touch()
                os.kill(os.getppid(), signal.SIGKILL)
        do_post(self)

    handler.do_POST = post
    sys.argv = [str(SHOP), port, "--bug", "duplicates"]
    shop["main"]()


if __name__ == "__main__":
    main()
