"""The Flask application beside the contract routes: the pages of the blueprints, and errors for other paths."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Flask, Response, g

from giftsim.engine.pages.errors import MAX_BODY_BYTES, Errors
from giftsim.engine.pages.responses import add_headers
from giftsim.engine.worlds.registry import Registry

ICON = (  # a box with a bow
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#0b6e4f" stroke-width="1.2">'
    '<rect x="1" y="4" width="14" height="11" rx="2" fill="#0b6e4f"/><path d="M8 4v11M1 8h14" stroke="#fff"/>'
    '<path d="M8 4C5-1 1 3 8 4c7-1 3-5 0 0"/></svg>'
)


def flask_app(registry: Registry, blueprints: Iterable[Blueprint], errors: Errors) -> Flask:
    """The application with the pages of all `blueprints`."""
    app = Flask("giftsim.engine.pages", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = True  # a dropped connection is raised on to the server
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False  # `Errors` answers them

    for blueprint in blueprints:
        app.register_blueprint(blueprint)

    @app.get("/favicon.ico")
    def icon() -> Response:
        return Response(ICON, mimetype="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.before_request
    def choose_request_id() -> None:
        g.request_id = registry.next_request_id()

    @app.after_request
    def add_request_id(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        return response

    app.after_request(add_headers)
    errors.register(app)
    return app
