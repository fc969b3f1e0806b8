"""Examples: real calls that fill an empty list, each with one button and the commands that do the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from flask import Blueprint, Flask, Response, abort

from giftsim.console.control_client import WorldControl, current_world, new_name, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.page import act_and_return
from giftsim.console.pages.home import SENDER, first_gift

BLUEPRINT = Blueprint("examples", __name__)
TEAM_KEY = "team.live_approver"
PREFIX = "/api/teams/v1"
LOGO = {"url": "https://cdn.example.com/logo.png", "name": "Logo"}
ARTWORK_ID = "ARTWORK_ID"  # stands for the id of the artwork that the call before made


class Example(NamedTuple):
    """Calls of the team API: what the button says, what was done, and the path and body of each call."""

    button: str
    done: str
    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    key: str = TEAM_KEY


EXAMPLES: Final[Mapping[str, Example]] = {
    "approval": Example(
        "Prepare a gift that needs approval",
        "A gift waits for approval in the inbox.",
        (
            (
                "/gifts",
                {"recipients": [{"name": "Bo", "email": "bo@example.com"}], "gift": {"collection_slug": "welcome-kit"}},
            ),
        ),
        "team.live_requester",
    ),
    "proof": Example(
        "Order something with custom artwork",
        "An order was prepared, whose items have proofs.",
        (("/team-orders", {"collection": "branded-kit", "headcount": 2}),),
    ),
    "preview": Example(
        "Render a preview",
        "A preview is being rendered.",
        (
            ("/artwork", LOGO),
            ("/artwork/previews", {"product_id": 101, "placements": {"front": {"artwork_id": ARTWORK_ID}}}),
        ),
    ),
    "invoice": Example(
        "Ask for a deposit invoice",
        "A deposit invoice was issued.",
        (("/deposit-invoices", {"amount_cents": 100_000}),),
    ),
    "certificate": Example(
        "Register a tax certificate",
        "A tax certificate waits for its review.",
        (("/tax-certificates", {"url": "https://files.example.com/resale.pdf"}),),
    ),
}


@BLUEPRINT.post("/w/<world>/examples/<name>")
def make(name: str) -> Response:
    """Make the calls of an example in the world."""
    example = EXAMPLES.get(name) or abort(404, f"there is no example {name[:40]}")

    def make_calls(world: WorldControl) -> None:
        made: Any = {}
        for path, body in example.calls:
            filled = _filled(body, made.get("id"))
            made = real_call(world, example.key, PREFIX + path, filled, name=new_name(world.describe()))

    return act_and_return(example.button, make_calls, said=lambda _: example.done)


def example_commands(name: str) -> str:
    """The calls of an example as commands for a shell."""
    example, described = EXAMPLES[name], current_world().describe()
    commands = [
        curl_command(
            "POST",
            described["urls"]["team"] + path,
            body,
            key=KEY,
            headers={"Idempotency-Key": f"{new_name(described)}-{n}"},
        )
        for n, (path, body) in enumerate(example.calls, 1)
    ]
    return with_key_line("\n".join(commands), described["credentials"].get(example.key))


def gift_command() -> str:
    """A shell command that sends a first gift."""
    described = current_world().describe()
    call = curl_command("POST", f"{described['urls']['partner']}/team-orders", first_gift(described), key=KEY)
    return with_key_line(call, described["credentials"].get(SENDER))


def add_examples(app: Flask) -> None:
    """Let the templates of the application show examples."""
    app.jinja_env.globals.update(examples=EXAMPLES, example_commands=example_commands, gift_command=gift_command)


def _filled(value: Any, made_id: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(inner, made_id) for name, inner in value.items()}
    return made_id if value == ARTWORK_ID else value
