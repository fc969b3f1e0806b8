"""`make licences`: the page with the licences of all that users install."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import click

from tests.audit.licences import USER_EXTRAS, installation, licence_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "licences.md"
BEGIN, END = "<!-- licences -->\n", "<!-- end of licences -->"
TABLE = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
ROW = re.compile(r"^\| ([a-z0-9][a-z0-9-]*) \| (.+?) \| (.+?) \|$", re.MULTILINE)


def main() -> None:
    """Bring the page up to date."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = TABLE.sub(lambda _: f"{BEGIN}{table()}{END}", text)
    if fresh != text:
        PAGE.write_text(fresh, encoding="utf-8")
    click.echo(f"{PAGE.relative_to(PAGE.parents[2])} is {'as it was' if fresh == text else 'updated'}")


def table() -> str:
    """The table of the packages that are installed here."""
    rows = "".join(f"| {name} | {licence} | {needed} |\n" for name, (licence, needed) in licences().items())
    return f"\n| package | licence | needed for |\n| --- | --- | --- |\n{rows}"


def licences() -> dict[str, tuple[str, str]]:
    """The licence of each package that users install, and what it is needed for: giftsim itself or its extras."""
    packages = installation("giftsim", USER_EXTRAS)
    by_extra = {extra: set(installation("giftsim", (extra,))) for extra in USER_EXTRAS}
    always = set(installation("giftsim"))
    return {name: (licence_of(package), _needed(name, always, by_extra)) for name, package in packages.items()}


def _needed(name: str, always: set[str], by_extra: Mapping[str, set[str]]) -> str:
    if name in always:
        return "giftsim"
    return ", ".join(f"`[{extra}]`" for extra, names in by_extra.items() if name in names)


def listed() -> dict[str, tuple[str, str]]:
    """What the page says of each package."""
    return {
        match[1]: (match[2], match[3])
        for match in ROW.finditer(PAGE.read_text(encoding="utf-8"))
        if match[1] != "package"
    }


if __name__ == "__main__":
    main()
