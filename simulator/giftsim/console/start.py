"""The start with an app of one's own: where it calls, with which key, and how webhooks reach it.

It is shown while a world is new, and then, in the browser that saw it so, until it is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from flask import Response, g, request, url_for

from giftsim.console.control_client import AGENT, WorldControl
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.page import UPDATE
from giftsim.frontend.states import words

COOKIE, SEEN, HIDDEN = "giftsim-start", "seen", "hidden"
KEPT_S = 24 * 3600
CREDENTIAL, READ = "partner.prepaid", "/team-orders"
RUN = "webhooks.source"  # the kind of the timer that sends what has happened
LOOKED_AT, ENDPOINTS = 20, 20  # calls and endpoints that are looked at for those of the app
DELIVERED: Final = "delivered"


class Light(NamedTuple):
    """A light: `off` while it waits, then `good` or `bad`, with what it says and the page about that."""

    tone: str
    text: str
    path: str | None = None


class Start(NamedTuple):
    """What a newcomer needs: the address and key of the app's calls, as lines to copy; and where its webhooks go.

    `shown` is whether the page has it as a card, with its lights. `endpoint` is the one that webhooks are sent to, if
    any, and `target` where they are passed on. `goes_out` is when webhooks that wait go out, if any do.
    `has_ordered` is whether the app has called, or a gift was sent from here.
    """

    shown: bool
    address: str
    key: str
    lines: list[tuple[str, str]]
    called: Light
    endpoint: Mapping[str, Any] | None
    target: str
    answered: Light
    goes_out: str | None
    has_ordered: bool


def read_start(
    world: WorldControl, described: Mapping[str, Any], due: Iterable[Mapping[str, Any]], *, is_new: bool
) -> Start | None:
    """The start in a world with what is due there; None in one that has no partner interface, or no key for it."""
    credential = described["credentials"].get(CREDENTIAL)
    if credential is None or "partner" not in described["urls"]:
        return None
    mark, address, key = _mark(), described["urls"]["partner"], credential["value"]
    calls = [] if is_new else world.get("calls", order="newest", limit=LOOKED_AT, bodies=False)["calls"]
    called = _called(calls)
    endpoint, target = _forwarded(world) if mark == SEEN else (None, "")
    shown = mark != HIDDEN and (is_new or mark == SEEN)
    answered = _answered(endpoint, target) if endpoint and target else _waits_for_answer()
    goes_out = next((timer["due"] for timer in due if timer["kind"] == RUN), None)
    has_ordered = called.tone != "off" or any(map(_orders, calls))
    lines = _lines(address, credential)
    return Start(shown, address, key, lines, called, endpoint, target, answered, goes_out, has_ordered)


def keep_start(response: Response, start: Start | None) -> Response:
    """Remember in the browser that it saw the world while it was new."""
    if start and start.shown and not _mark() and UPDATE not in request.headers:
        mark_start(response, SEEN)
    return response


def mark_start(response: Response, mark: str) -> None:
    """Set what the browser remembers about the start in this world."""
    response.set_cookie(_cookie(), mark, max_age=KEPT_S, httponly=True, samesite="Strict")


def _mark() -> str:
    return request.cookies.get(_cookie(), "")


def _cookie() -> str:
    return f"{COOKIE}-{g.world_id}"


def _lines(address: str, credential: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Address and key as an app takes them, each with its name; and a first call."""
    values = {"GIFTS_URL": address, "GIFTS_KEY": credential["value"]}
    return [
        ("curl", with_key_line(curl_command("GET", address + READ, key=KEY), credential)),
        (".env", "\n".join(f"{name}={value}" for name, value in values.items())),
        ("Shell", "\n".join(f"export {name}={value}" for name, value in values.items())),
        ("PowerShell", "\n".join(f'$env:{name} = "{value}"' for name, value in values.items())),
        ("Docker", " ".join(f"-e {name}={_from_container(value)}" for name, value in values.items())),
    ]


def _from_container(value: str) -> str:
    return value.replace("//127.0.0.1", "//host.docker.internal").replace("//localhost", "//host.docker.internal")


def _waits_for_call() -> Light:
    return Light("off", "Waiting for the first call of your app")


def _waits_for_answer() -> Light:
    return Light("off", "Waiting for your app to answer a first webhook")


def _orders(call: Mapping[str, Any]) -> bool:
    return bool(call["request"]["method"] == "POST" and call["request"]["path"].endswith(READ))


def _called(calls: Iterable[Mapping[str, Any]]) -> Light:
    """The newest call that the console did not make itself."""
    for call in calls:
        if call["request"]["headers"].get("User-Agent") == AGENT:
            continue
        status = call["response"]["status"] if call["response"] else None
        said = f"Your app has called: {call['request']['method']} {call['request']['path']}, {status or 'no response'}"
        return Light("bad" if status is None or status >= 400 else "good", said, url_for("calls.call", seq=call["seq"]))
    return _waits_for_call()


def _forwarded(world: WorldControl) -> tuple[Mapping[str, Any] | None, str]:
    """The newest endpoint in use, and where webhooks to its host are passed on, "" for nowhere."""
    rows = [row for row in world.get("endpoints", limit=ENDPOINTS)["endpoints"] if row["status"] == "active"]
    if not rows:
        return None, ""
    endpoint = world.get(f"endpoints/{rows[-1]['id']}")
    receivers = {row["host"]: row for row in world.get("receivers", limit=1000)["receivers"]}
    entry = receivers.get(endpoint["host"]) or receivers.get("*")
    return endpoint, entry["to"] if entry and entry["mode"] == "forward" else ""


def _answered(endpoint: Mapping[str, Any], target: str) -> Light:
    """How the app has answered webhooks so far."""
    history, path = endpoint["history"], url_for("endpoint.show", endpoint_id=endpoint["id"])
    if history["delivered"]:
        return Light("good", "Your app has answered a webhook", path)
    if history["failing"]:
        failing = history["failing"][-1]
        refused = f"No answer: {words(failing['outcome'])} at {target.removeprefix('http://')}"
        got = f"Your app answered {failing['status']}" if failing["status"] else refused
        return Light("bad", got, path)
    return _waits_for_answer() if not history["attempts"] else Light("off", "A webhook is on its way", path)
