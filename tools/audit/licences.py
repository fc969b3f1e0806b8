"""Licences of what an installation of giftsim consists of. Run, this brings the page about them up to date."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

import click
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OWN = "giftsim"
ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "pyproject.toml"

# The extras that users install and locks/test.lock has.
USER_EXTRAS = ("calendar", "cjk", "explore", "https", "mcp", "pytest")

# Licences that put no condition on a test suite that uses giftsim, and none on giftsim that its own licence breaks.
ACCEPTED = re.compile(
    r"(?i)0BSD|Apache|BSD|CC0|ISC|LGPL|Lesser General Public|MIT|MPL|Mozilla|OFL|Open Font|PSF|Python|Public Domain"
    r"|Unlicense|Zope|ZPL"
)
_OR, _AND = re.compile(r"\s+OR\s+"), re.compile(r"\s+AND\s+")

PAGE = ROOT / "docs" / "internals" / "licences.md"
BEGIN, END = "<!-- licences -->\n", "<!-- end of licences -->"
LIST = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
ROW = re.compile(r"^- (.+), for (.+?): (.+)$", re.MULTILINE)


def installation(name: str, extras: Iterable[str] = ()) -> dict[str, Distribution]:
    """The installed distributions that `name` needs with these extras, itself among them, by their canonical names."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(name, extra) for extra in ("", *extras)]
    while waiting:
        wanted = waiting.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        found[wanted[0]] = package = distribution(wanted[0])
        for line in _own_requirements() if wanted[0] == OWN else package.requires or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": wanted[1]}):
                waiting += [(canonicalize_name(needed.name), extra) for extra in ("", *needed.extras)]
    return dict(sorted(found.items()))


def _own_requirements() -> list[str]:
    """What giftsim needs, from its own file: an editable installation can be older than that."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    return [*project["dependencies"], *(f"{each}; extra == '{extra}'" for extra, needed in extras for each in needed)]


def licence_of(package: Distribution) -> str:
    """The licence that a distribution states, or several it may be used under joined by `;`; "" if it states none."""
    fields = package.metadata
    for stated in (*fields.get_all("License-Expression", ()), *fields.get_all("License", ())):
        if "\n" not in stated and "dual" not in stated.lower():  # the classifiers say which two
            return str(stated)
    classifiers = [
        each.rpartition(" :: ")[2] for each in fields.get_all("Classifier", ()) if each.startswith("License")
    ]
    return "; ".join(classifiers)


def is_accepted(licence: str) -> bool:
    """Whether a licence is accepted, of alternatives at least one. Of nested expressions, each part must be."""
    return any(_is_accepted_expression(each) for each in licence.split("; "))


def _is_accepted_expression(expression: str) -> bool:
    alternatives = [_AND.split(each) for each in _OR.split(expression)]
    is_nested = len(alternatives) > 1 and any(len(parts) > 1 for parts in alternatives)
    combined = all if is_nested else any
    return combined(all(ACCEPTED.search(part) for part in parts) for parts in alternatives)


def main() -> None:
    """Bring the page up to date."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = LIST.sub(lambda _: f"{BEGIN}{listing()}{END}", text)
    if fresh != text:
        PAGE.write_text(fresh, encoding="utf-8")
    click.echo(f"{PAGE.relative_to(ROOT)} is {'as it was' if fresh == text else 'updated'}")


def listing() -> str:
    """The packages that are installed here, by their licence and what they are needed for."""
    named: dict[tuple[str, str], list[str]] = {}
    for name, found in licences().items():
        named.setdefault(found, []).append(name)
    lines = (f"- {licence}, for {needed}: {', '.join(names)}\n" for (licence, needed), names in sorted(named.items()))
    return f"\n{''.join(lines)}"


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
    rows = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return {name: (row[1], row[2]) for row in rows for name in row[3].split(", ")}


if __name__ == "__main__":
    main()
