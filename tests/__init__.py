"""The test suite.

Collecting takes half as long with compiled modules. Where PYTHONDONTWRITEBYTECODE keeps them out of the source tree,
they are kept in `.pytest_cache/` instead.
"""

import sys
from pathlib import Path

if sys.dont_write_bytecode:
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
