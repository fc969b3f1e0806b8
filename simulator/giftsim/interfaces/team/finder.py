"""The type of the functions that look up the record named in a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.gateway.call import Call

# Called with the call and the id in its path. Returns the caller's record, or raises NotFound.
Finder = Callable[[Call, str], Any]
