"""The documentation: its pages, its pictures, and what a text finds in it. They need neither a world nor a token."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, request, send_from_directory, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from giftsim.console.documentation import BESIDE, KINDS, PICTURES, folder, moved, pages, place, search, source
from giftsim.console.markdown import html
from giftsim.console.page import plain_page

BLUEPRINT = Blueprint("docs", __name__, url_prefix="/console/docs")
OTHERS = ("index", "glossary", "architecture", *BESIDE)
ADDRESS = "http://127.0.0.1:8080"  # that pages speak of; this server's own takes its place
FOUND, KEPT = 5, 16  # results of a search, and pages whose HTML is kept


@BLUEPRINT.get("/", defaults={"name": "index"})
@BLUEPRINT.get("/<path:name>")
def show(name: str) -> Answer:
    """A page by its name, or a picture of one. The address of its file, and where a page was before, lead to it."""
    if name.endswith(PICTURES):
        return send_from_directory(folder(), name)
    if (page := pages().get(name)) is None:
        written = name.rstrip("/").removesuffix(".md")
        target = next((each for each in (written, f"{written}/index") if each in pages()), moved().get(written))
        return redirect(_path(target), 308) if target and target != name else abort(404)
    text = _text(name).replace(ADDRESS, request.host_url.removesuffix("/"))
    return plain_page("docs.html", page=page, text=text, kinds=_kinds(), others=OTHERS)


@BLUEPRINT.get("/find")
def find() -> Response:
    """What the palette finds on a page without a world."""
    return jsonify({"found": list(found(request.args.get("q", "").strip()[:100]))})


def found(text: str) -> Iterator[dict[str, Any]]:
    """Pages of the documentation, and their parts, as the palette shows them."""
    for each in search(text, FOUND) if text else ():
        path = _path(each.at)
        yield {"group": "Docs", "title": each.title, "about": each.answers, "hint": each.kind, "path": path}


def _kinds() -> dict[str, list[Any]]:
    """The pages of each kind, its index first."""
    return {
        pages()[f"{kind}/index"].title: sorted(
            (page for page in pages().values() if page.name.startswith(f"{kind}/")),
            key=lambda page: (not page.name.endswith("/index"), page.title),
        )
        for kind in KINDS
    }


@lru_cache(maxsize=KEPT)
def _text(name: str) -> Markup:
    return html(source(name), lambda link: None if (at := place(link, name)) is None else _path(at))


def _path(at: str) -> str:
    name, hash_mark, part = at.partition("#")
    return url_for("docs.show", name=name) + hash_mark + part
