"""URL paths that several packages need, and the folders of the data that comes with the simulator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes

# The base path of the control API, as in its contract (control/contract.yaml).
CONTROL = "/_sim/v1"

# Those of the simulated interfaces, as in their contracts, in the order in which they are listed.
SIMULATED: Final[Mapping[str, str]] = {"team": "/api/teams/v1", "partner": "/api/external", "museum": "/v1.1"}

_PACKAGE = Path(__file__).parent


def data_folders(name: str) -> tuple[Path, ...]:
    """Where fixtures or scenarios are: in the installed package, or in a checkout beside it."""
    folders = (_PACKAGE / "_data" / name, _PACKAGE.parents[1] / name)
    return tuple(folder for folder in folders if folder.is_dir())


_SLASH = re.compile("%2f", re.IGNORECASE)


def decode_path(raw: str) -> str:
    """A path as the server puts it into WSGI's `PATH_INFO`: decoded, except `%2F`, which does not separate (G101)."""
    return "%2F".join([unquote_to_bytes(part).decode("latin-1") for part in _SLASH.split(raw)])
