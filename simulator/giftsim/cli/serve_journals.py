"""The journal files of `serve --processes`: one for each process, and none that the processes would not open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from giftsim.cli.serve_option_values import InvalidOptions


def journal_of(journal: str, prefix: str) -> str:
    """The file of one process: `worlds-p1a.journal` for `worlds.journal`."""
    file = Path(journal)
    return str(file.with_name(f"{file.stem}-{prefix}{file.suffix}"))


def refuse_others(journal: str, prefixes: Sequence[str]) -> None:
    """InvalidOptions if there are files of another number of processes: their worlds would be missing.

    `prefixes` are those of the processes to start, none for a server that is one process.
    """
    file = Path(journal)
    name = re.compile(rf"{re.escape(file.stem)}-p\d+[a-z]*{re.escape(file.suffix)}")
    found = {each.name for each in file.parent.glob("*") if name.fullmatch(each.name)}
    own = {Path(journal_of(journal, prefix)).name for prefix in prefixes}
    if found == own or (not found and not (own and file.exists())):
        return
    many, listed = len(found) or 1, " and ".join(sorted(found)) or file.name
    how = f"with --processes {many}" if found else "without --processes"
    raise InvalidOptions(
        f"{listed} {'has' if many == 1 else 'have'} the worlds of {many} process{'es' if many > 1 else ''}, not of"
        f" {len(prefixes) or 1}: start {how}, or name another --journal"
    )
