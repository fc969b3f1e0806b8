"""Pages that open offline: each is one HTML file in the look of the console, which needs no other file and no host.

A page is a template that extends `frame.html`. Its policy lets a browser apply its one style and run its one script,
known by their hashes, and load nothing.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from giftsim.frontend import languages, states

SHARED: Final = Path(__file__).parent
LOOK: Final = ("shared/look.css", "shared/frame.css")
TABLES: Final = {"languages.js": languages.javascript_module, "states.js": states.javascript_module}
_LEFT_OUT: Final = re.compile(r'^import [^;]*? from "\./[\w/-]+\.js";\n|^ */\*(?:[^*]|\*(?!/))*\*/\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=async |class |const |function |let )", re.MULTILINE)


def offline_page(
    folder: Path, template: str, styles: Sequence[str] = (), scripts: Sequence[str] = (), **values: Any
) -> str:
    """The page of a template in `folder`, with style sheets and scripts of that folder, or `shared/` ones of this one.

    The scripts are modules, and become one: each stands after those that it imports. Comments above lines are left out.
    """
    style = Markup("".join(_texts(folder, (*LOOK, *styles))))
    script = Markup("".join(_EXPORT.sub("", _LEFT_OUT.sub("", text)) for text in _texts(folder, scripts)))
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    mark = Markup(shared_text("mark.svg").strip())
    return _environment(folder).get_template(template).render(values, style=style, script=script, mark=mark, **hashes)


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader([folder, SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _texts(folder: Path, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        shared = name.removeprefix("shared/")
        yield (folder / name).read_text(encoding="utf-8") if shared == name else shared_text(shared)


def shared_text(name: str) -> str:
    """A style sheet or a script of this folder; those of TABLES are made from a table in Python."""
    return TABLES[name]() if name in TABLES else (SHARED / name).read_text(encoding="utf-8")


def _hash(text: str) -> Markup:
    return Markup(f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")
