"""Leads from the addresses of pages that moved to where they are now, as `moved.txt` beside the pages lists them."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from posixpath import relpath

from sphinx.application import Sphinx

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url={target}">
<p>This page <a href="{target}">moved</a>. <a href="{llms}">llms.txt</a> lists all pages as Markdown.</p>
</html>
"""


def moved(folder: Path) -> Iterator[tuple[str, str]]:
    """The old address of each page that moved, without a heading, and the new one."""
    for line in (folder / "moved.txt").read_text(encoding="utf-8").splitlines():
        old, _, new = line.partition(" ")
        if new and "#" not in old:
            yield old, new


def write_pages(app: Sphinx, failure: Exception | None) -> None:
    """Write a page at each old address, once the site is built."""
    if failure is None and app.builder.name == "html":
        for old, new in moved(Path(app.srcdir)):
            name, hash_mark, heading = new.partition("#")
            target = relpath(f"{name}.html", Path(old).parent.as_posix()) + hash_mark + heading
            path = Path(app.outdir, f"{old}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                PAGE.format(target=escape(target), llms=relpath("llms.txt", Path(old).parent.as_posix())),
                encoding="utf-8",
            )


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the above."""
    app.connect("build-finished", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
