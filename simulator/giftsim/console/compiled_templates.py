"""The templates of a checkout, compiled: each process would take a third of a second to compile those of one page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from jinja2 import BytecodeCache, FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER = Path(__file__).parent / "__pycache__"
INSTALLED = Path(__file__).parents[1] / "_data"  # only a wheel has it


class _InCheckout(FileSystemBytecodeCache):
    """Beside the bytecode of Python. A read-only checkout compiles them in each process."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if it can be written."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates() -> BytecodeCache | None:
    """Where templates are kept once they are compiled; None in an installed giftsim, which writes nothing."""
    if INSTALLED.is_dir():
        return None
    with suppress(OSError):
        FOLDER.mkdir(exist_ok=True)
    return _InCheckout(str(FOLDER), "%s.template")
