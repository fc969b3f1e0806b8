"""The documentation: pages, their Markdown, pictures, and what a text finds in it. It needs no world or token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, request, send_from_directory, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from giftsim.console.documentation import (
    BESIDE,
    KINDS,
    PICTURES,
    Page,
    folder,
    moved,
    pages,
    place,
    readable,
    source,
)
from giftsim.console.markdown import html
from giftsim.console.page import plain_page
from giftsim.console.page_search import search

BLUEPRINT = Blueprint("docs", __name__, url_prefix="/console/docs")
OTHERS = ("index", "glossary", *BESIDE)
GROUP = "Docs"  # of what the palette finds
ADDRESS = "http://127.0.0.1:8080"  # that pages speak of; this server's own takes its place
MARKDOWN = ".md"
LINK = re.compile(r"(!?\[[^\]]*\])\((?![a-z]+:)([^)\s]+)\)")
FOUND, KEPT = 5, 16  # results of a search, and pages whose HTML is kept


@BLUEPRINT.get("/", defaults={"name": "index"})
@BLUEPRINT.get("/<path:name>")
def show(name: str) -> Answer:
    """A page by its name, its Markdown by its file's, or a picture of one. Where a page was before leads to it."""
    if name.endswith(PICTURES):
        return send_from_directory(folder(), name)
    written = name.rstrip("/").removesuffix(MARKDOWN)
    if (page := pages().get(written)) is None or name.endswith("/"):
        target = next((each for each in (written, f"{written}/index") if each in pages()), moved().get(written))
        return redirect(_path(target, name.endswith(MARKDOWN)), 308) if target else abort(404)
    if name != written or _is_agent():
        return _plain(_markdown(written), "text/markdown")
    text = _text(name).replace(ADDRESS, _origin())
    shown = plain_page("docs.html", page=page, text=text, kinds=_kinds(), others=OTHERS)
    shown.vary.add("Accept")
    return shown


@BLUEPRINT.get("/llms.txt", endpoint="llms")
def list_pages() -> Response:
    """All pages with the addresses of their Markdown, for agents: `/llms.txt` leads here too."""
    lines = [
        f"# giftsim {current_app.jinja_env.globals['version']}",
        "",
        f"> {pages()['index'].answers}.",
        "",
        _listed(pages()["index"]),
    ]
    for kind, listed in _kinds().items():
        lines += ["", f"## {kind}", "", *map(_listed, listed)]
    lines += ["", "## More", "", *(_listed(pages()[name]) for name in OTHERS if name != "index")]
    return _plain("\n".join(lines) + "\n", "text/plain")


@BLUEPRINT.get("/find")
def find() -> Response:
    """What the palette finds on a page without a world."""
    return jsonify({"found": list(found(request.args.get("q", "").strip()[:100]))})


def found(text: str) -> Iterator[dict[str, Any]]:
    """Pages of the documentation, and their parts, as the palette shows them."""
    for each in search(text, FOUND) if text else ():
        path = _path(each.at)
        yield {"group": GROUP, "title": each.title, "about": each.answers, "hint": each.kind, "path": path}


def _kinds() -> dict[str, list[Any]]:
    """The pages of each kind, its index first."""
    return {
        pages()[f"{kind}/index"].title: sorted(
            (page for page in pages().values() if page.name.startswith(f"{kind}/")),
            key=lambda page: (not page.name.endswith("/index"), page.title),
        )
        for kind in KINDS
        if f"{kind}/index" in pages()
    }


@lru_cache(maxsize=KEPT)
def _text(name: str) -> Markup:
    return html(source(name), lambda link: None if (at := place(link, name)) is None else _path(at))


def _path(at: str, markdown: bool = False) -> str:
    name, hash_mark, part = at.partition("#")
    return url_for("docs.show", name=name + (MARKDOWN if markdown else "")) + hash_mark + part


def _is_agent() -> bool:
    """Whether the client asks for Markdown rather than for a page."""
    return request.accept_mimetypes.best_match(["text/html", "text/markdown"], "text/html") == "text/markdown"


def _markdown(name: str) -> str:
    """The Markdown of a page, whose links are whole addresses of the Markdown of others, or of pictures."""

    def target(link: re.Match[str]) -> str:
        if (at := place(link[2], name)) is None:
            return link[1].strip("![]")  # a file of the sources, which is not served
        return f"{link[1]}({_origin()}{_path(at, not at.endswith(PICTURES))})"

    text = LINK.sub(target, readable(name))
    return f"> All pages of this documentation: {request.host_url}llms.txt\n\n" + text.replace(ADDRESS, _origin())


def _origin() -> str:
    return request.host_url.removesuffix("/")


def _listed(page: Page) -> str:
    address = f"{_origin()}{_path(page.name, markdown=True)}"
    return f"- [{page.title}]({address})" + (f": {page.answers}." if page.answers else "")


def _plain(text: str, kind: str) -> Response:
    response = Response(text, mimetype=kind)
    response.vary.add("Accept")
    return response
