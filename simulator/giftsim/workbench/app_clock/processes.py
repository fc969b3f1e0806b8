"""The environment in which the processes of a command see the time of a world, each runtime by its own means."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from giftsim.workbench.app_clock import libfaketime
from giftsim.workbench.app_clock.node_clocks import NodeClocks

NODE_PRELOAD = Path(__file__).parent / "node_start" / "clock.cjs"
PYTHON_START = Path(__file__).with_name("python_start")


def variables(time_file: Path, hub: NodeClocks, before: Mapping[str, str]) -> dict[str, str]:
    """The variables for the processes; `before` is the environment that they are added to."""
    preload = f"--require {json.dumps(NODE_PRELOAD.as_posix(), ensure_ascii=False)}"
    return {
        **libfaketime.settings(time_file, before),
        "NODE_OPTIONS": " ".join(filter(None, [before.get("NODE_OPTIONS"), preload])),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PYTHON_START), before.get("PYTHONPATH")])),
        "GIFTSIM_APP_CLOCK_FILE": os.fspath(time_file),
        "GIFTSIM_APP_CLOCK_HUB": f"{hub.port}:{hub.key}",
    }
