"""A case: a small app and a test of it that fails, with what the first verdict must say, in `cases/<kind>_<n>.py`.

Its docstring begins with one line for people, and has these members, each on one line:

    first: the kind of the first verdict
    says: words that its sentence must have; several are parted by `;`
    not: words that the sentence of no verdict may have, likewise

The line `# mend` of the test is where its mend goes; it replaces what stands before it in the line. A case without one
has a verdict that says why no line helps.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).parent / "cases"
MEND = re.compile(r"^( *)(?:[^#\n]*  )?# mend$", re.MULTILINE)
_MEMBER = re.compile(r"^(first|says|not): (.*)$", re.MULTILINE)


class Case(NamedTuple):
    """A case, by the name of its file."""

    name: str
    text: str
    first: str
    says: tuple[str, ...]
    never: tuple[str, ...]

    @property
    def is_mended(self) -> bool:
        """Whether a line mends it."""
        return MEND.search(self.text) is not None

    def mended(self, line: str) -> str:
        """The text with the mending line in its place."""
        return MEND.sub(lambda match: "\n".join(match[1] + each for each in line.splitlines()), self.text)


def read_case(path: Path) -> Case:
    """The case in a file."""
    text = path.read_text(encoding="utf-8")
    members = dict(_MEMBER.findall(ast.get_docstring(ast.parse(text)) or ""))
    parts = {name: tuple(part.strip() for part in members.get(name, "").split(";") if part.strip()) for name in members}
    return Case(path.stem, text, members["first"].strip(), parts.get("says", ()), parts.get("not", ()))


def cases() -> list[Case]:
    """All cases."""
    return [read_case(path) for path in sorted(CASES.glob("*.py"))]
