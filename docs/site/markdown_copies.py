"""Puts each page's Markdown beside its HTML, and `llms.txt`, which lists all pages, at the site's root.

If the site's address is known, `sitemap.xml` lists them too, for programs that look for what `llms.txt` leaves out.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from page_summary import summary, title
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(?=[)#])")


def copy_page(app: Sphinx, docname: str, text: str) -> None:
    """Write a page's Markdown below a link to the list of all pages.

    Its links lead to pages and files of the site, by whole addresses if the site's own is known.
    """
    folder = PurePosixPath(docname).parent.as_posix()
    base = base_of(app)

    def target(link: re.Match[str]) -> str:
        path = normpath(f"{folder}/{link[1]}")
        place = places.get(path, path)
        return f"{base}{place}" if base else relpath(place, folder)

    listed = f"{base}llms.txt" if base else relpath("llms.txt", folder)
    places = dict(moved_files(app))
    copy = Path(app.outdir, f"{docname}.md")
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(f"> All pages of this documentation: {listed}\n\n{LINK.sub(target, text)}", encoding="utf-8")


def base_of(app: Sphinx) -> str:
    """The address of the site, with a slash at its end; empty if it is not known."""
    return app.config.html_baseurl.rstrip("/") + "/" if app.config.html_baseurl else ""


def moved_files(app: Sphinx) -> Iterator[tuple[str, str]]:
    """Where the site has each file that is not a page, by its path from the folder of the pages."""
    env = app.env
    for folder, files in (("_downloads", env.dlfiles), ("_images", env.images)):
        yield from (
            (normpath(PurePosixPath(path).as_posix()), f"{folder}/{place}") for path, (_, place) in files.items()
        )


def pages_of(env: BuildEnvironment, docname: str) -> Iterator[str]:
    """A page and those below it, in the order of the navigation."""
    yield docname
    for each in env.toctree_includes.get(docname, ()):
        yield from pages_of(env, each)


def list_pages(app: Sphinx) -> str:
    """The text of `llms.txt`: each page with its address and one sentence, below the heading of its kind."""
    env, root = app.env, app.config.root_doc
    base = base_of(app)

    def line(docname: str) -> str:
        page = env.get_doctree(docname)
        said = summary(page)
        return f"- [{title(page)}]({base}{docname}.md)" + (f": {said}" if said else "")

    kinds = {kind: list(pages_of(env, kind)) for kind in env.toctree_includes[root]}
    lines = [f"# {app.config.project}", "", f"> {summary(env.get_doctree(root))}", "", line(root)]
    for kind, pages in kinds.items():
        if len(pages) > 1:
            lines += ["", f"## {title(env.get_doctree(kind))}", "", *map(line, pages)]
    lines += ["", "## More", "", *(line(kind) for kind, pages in kinds.items() if len(pages) == 1)]
    return "\n".join(lines) + "\n"


def map_pages(app: Sphinx) -> str:
    """The text of `sitemap.xml`: the address of each page."""
    base = base_of(app)
    places = (f"  <url><loc>{escape(f'{base}{name}.html')}</loc></url>" for name in sorted(app.env.found_docs))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([head, *places, "</urlset>\n"])


def write_copies(app: Sphinx, failure: Exception | None) -> None:
    """Write the copies of all pages and their list, once the site is built."""
    if failure is None and app.builder.name == "html":
        for docname, text in sorted(app.env.page_texts.items()):
            copy_page(app, docname, text)
        Path(app.outdir, "llms.txt").write_text(list_pages(app), encoding="utf-8")
        if base_of(app):
            Path(app.outdir, "sitemap.xml").write_text(map_pages(app), encoding="utf-8")


def keep_text(app: Sphinx, docname: str, source: list[str]) -> None:
    """Keep a page's text before the site adds its own to it."""
    if not hasattr(app.env, "page_texts"):
        app.env.page_texts = {}
    app.env.page_texts[docname] = source[0]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the above."""
    app.connect("source-read", keep_text, priority=600)
    app.connect("build-finished", write_copies)
    return {"parallel_read_safe": False}
