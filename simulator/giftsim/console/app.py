"""The Flask application of the console."""

from __future__ import annotations

import re
from gzip import compress
from hashlib import sha256
from importlib import import_module
from mimetypes import guess_type
from pathlib import Path
from pkgutil import iter_modules

from flask import Flask, Response, abort, g, redirect, request, url_for
from jinja2 import FileSystemLoader
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from giftsim.console import pages
from giftsim.console.compiled_templates import compiled_templates
from giftsim.console.control_client import (
    NO_SESSIONS,
    SAFE_METHODS,
    SESSIONS,
    Sessions,
    browser_control,
    current_world,
)
from giftsim.console.filters import add_filters
from giftsim.console.guide import tick_finished_step
from giftsim.console.page import (
    DEFAULT_WORLD,
    NAVIGATION,
    changed_query,
    here,
    is_own_path,
    navigation,
    plain_page,
    render_page,
    url_parts,
)
from giftsim.console.pages import examples
from giftsim.engine.client.control import ControlRefused, TokenNeeded
from giftsim.engine.client.response import Client
from giftsim.frontend.languages import KINDS
from giftsim.frontend.offline_page import SHARED, shared_text

STATIC, TEMPLATES = Path(__file__).parent / "static", Path(__file__).parent / "templates"
SHARED_FILES = (  # with the pages that open offline
    "calendar.js",
    "code.js",
    "copy.js",
    "coverage_map.css",
    "elements.js",
    "folding.js",
    "instants.js",
    "languages.js",
    "literals.js",
    "look.css",
    "marks.js",
    "scale.js",
    "strip.css",
    "strip.js",
)
FILES = ("static", "shared")  # the endpoints that have no world
OF_WORLD = re.compile("/w/([^/]+)(/|$)")
MOST_BYTES = 1024 * 1024  # of a form: scenarios and fixtures are pasted into some
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
FOREIGN = ("foreign_host", "foreign_origin")
FONT = ".woff2"  # which the style sheet names without a hash
METHODS = (*SAFE_METHODS, "POST", "OPTIONS")  # in the order in which `Allow` lists them
COMPRESSED = ("application/json", "application/javascript", "image/svg+xml")
LEAST_COMPRESSED, GZIP_LEVEL = 1024, 4  # bytes; a higher level saves little and takes long
FOREVER = "max-age=31536000, immutable"


def console_app(client: Client, version: str, sessions: Sessions = NO_SESSIONS) -> Flask:
    """The console, as an application of its own; `client` reaches the control API in this process."""
    app = Flask("giftsim.console", static_folder=str(STATIC), static_url_path="/console")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.extensions[SESSIONS] = sessions
    app.jinja_loader = FileSystemLoader([TEMPLATES, SHARED])
    app.jinja_env.globals.update(version=version, static=_static_addresses(), query=changed_query, codes=KINDS)
    app.jinja_env.bytecode_cache = compiled_templates()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    add_filters(app)
    examples.add_examples(app)
    _add_pages(app)

    @app.url_value_preprocessor
    def take_world(_endpoint: str | None, values: dict[str, str] | None) -> None:
        g.world_id = (values or {}).pop("world", DEFAULT_WORLD)
        g.control = browser_control(client)
        g.cursor = _present_end() if request.method in SAFE_METHODS and request.endpoint not in FILES else 0

    @app.url_defaults
    def add_world(endpoint: str, values: dict[str, str]) -> None:
        if "world" not in values and app.url_map.is_endpoint_expecting(endpoint, "world"):
            values["world"] = g.get("world_id", DEFAULT_WORLD)

    @app.get(f"/console/shared/<any({', '.join(map(repr, SHARED_FILES))}):name>")
    def shared(name: str) -> Response:
        response = Response(shared_text(name), mimetype=guess_type(name)[0])
        response.add_etag()
        response.make_conditional(request)
        return response

    app.before_request(_refuse_foreign_pages)
    app.after_request(_compress)
    app.after_request(tick_finished_step)
    app.after_request(_add_headers)
    app.register_error_handler(TokenNeeded, lambda _: redirect(url_for("sign_in.show", then=_then()), 303))
    app.register_error_handler(ControlRefused, _show_error)
    app.register_error_handler(HTTPException, _show_http_error)
    app.register_error_handler(Exception, lambda error: _show_fault(app, error))
    return app


def _add_pages(app: Flask) -> None:
    """Take every page, and make the navigation of the places that they name."""
    modules = [import_module(f"{pages.__name__}.{each.name}") for each in iter_modules(pages.__path__)]
    for module in modules:
        app.register_blueprint(module.BLUEPRINT)
    app.extensions[NAVIGATION] = navigation(place for module in modules for place in getattr(module, "PLACES", ()))


def _present_end() -> int:
    """The number of the world's last change before the page reads anything; the stream sends all later ones."""
    try:
        cursor: int = current_world().get("changes", **{"from": "now"})["next"]
    except ControlRefused as error:
        if error.code in FOREIGN:
            raise  # also from the pages that need no world, such as the documentation
        return 0
    return cursor


def _refuse_foreign_pages() -> None:
    """403 for a form that a page of another origin sends: the cookie would give it the user's rights."""
    sent_by = request.headers.get("Origin")
    if request.method not in SAFE_METHODS and sent_by is not None and url_parts(sent_by).netloc != request.host:
        abort(403, f"pages of {sent_by[:100]} may not use the console")


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if response.allow:
        response.headers["Allow"] = ", ".join(method for method in METHODS if method in response.allow)
    if request.endpoint in FILES:
        response.headers["Cache-Control"] = FOREVER if request.args or request.path.endswith(FONT) else "no-cache"
    else:
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _compress(response: Response) -> Response:
    """Compress text for browsers that accept gzip; a page is then a third of the size."""
    kind = response.mimetype or ""
    is_text = kind.startswith("text/") or kind in COMPRESSED
    if not is_text or response.status_code != 200 or (response.is_streamed and not response.direct_passthrough):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] <= 0 or request.method == "HEAD" or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) >= LEAST_COMPRESSED:
        response.set_data(compress(data, GZIP_LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        etag, _ = response.get_etag()
        if etag:
            response.set_etag(etag, weak=True)
    return response


def _show_error(error: ControlRefused) -> Response:
    """A refusal of the control API as a page that says why."""
    return _error_page(error.status, error.message)


def _show_http_error(error: HTTPException) -> Response:
    status = error.code or 500
    text = f"There is nothing at {request.path[:200]}." if status == 404 else error.description or error.name
    response = _error_page(status, text)
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    return response


def _error_page(status: int, text: str) -> Response:
    """A page that says why, with the navigation of the world that the address names if that can be read."""
    shown = {"title": _title(status), "text": text}
    if named := OF_WORLD.match(request.path):
        g.world_id = named[1]
    world = g.get("world_id", DEFAULT_WORLD)
    if status in (400, 404, 405):
        try:
            return render_page("error.html", status, world=world, **shown)
        except ControlRefused:  # there is no such world, or it may not be read from here
            world = None
    return plain_page("error.html", status, world=world, **shown)


def _show_fault(app: Flask, error: Exception) -> Response:
    app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    return plain_page("error.html", 500, title="The console failed", text="The simulator's log says how.")


def _title(status: int) -> str:
    titles = {403: "Not allowed from here", 404: "There is nothing here", 405: "Not this way", 503: "Not now"}
    return titles.get(status, "That did not work")


def _then() -> str:
    return here() if request.method in SAFE_METHODS and is_own_path(here()) else "/"


def _static_addresses() -> dict[str, str]:
    """The address of each static file, with a hash of its content, so that browsers can keep it."""
    files = [path for path in sorted(STATIC.rglob("*")) if path.is_file()]
    contents = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in files}
    contents |= {f"shared/{name}": shared_text(name).encode() for name in SHARED_FILES}
    return {name: f"/console/{name}?{sha256(content).hexdigest()[:12]}" for name, content in contents.items()}
