"""Runs giftsim from a checkout: `python run_sim.py` is the command `giftsim`."""

import sys
from pathlib import Path

LACKS = "{} lacks {}: `make run` installs what giftsim needs and starts it; then `.venv/bin/python run_sim.py` does too"

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036  where somebody has an older one
        raise SystemExit("giftsim needs Python 3.11 or newer")
    sys.path.insert(0, str(Path(__file__).parent / "simulator"))
    try:
        if sys.argv[1:2] == ["handbook"]:  # the former name of `python -m tools docgen`
            from tools.docgen.__main__ import docgen

            docgen(sys.argv[2:])
        from giftsim.engine.kernel.garbage_collection import keeping_everything

        with keeping_everything():
            from giftsim.cli.main import main
    except ModuleNotFoundError as error:
        raise SystemExit(LACKS.format(sys.executable, error.name)) from None

    main()
