"""Runs giftsim from a checkout: `python run_sim.py` is the command `giftsim`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent / "simulator"))
    from giftsim.kernel.garbage_collection import keeping_everything

    with keeping_everything():
        from giftsim.cli.main import main

    main()
