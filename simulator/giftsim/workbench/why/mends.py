"""Lines that change what happened, as text to paste: for pytest, Vitest, a shell, and as a step of a scenario."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec

from giftsim.engine.kernel.placeholders import ORIGIN, WORLD
from giftsim.engine.url_paths import CONTROL
from giftsim.workbench.why.verdict import Mend

HOOK: Final = "https://hooks.partner.example/gifts"
_BY_DEFAULT: Final = "partner.prepaid"
SUBSCRIBING: Final = {"partner", "team"}  # the interfaces with a call that subscribes


def act(method: str, path: str, body: Mapping[str, Any], *, pytest: str, vitest: str, scenario: str) -> Mend:
    """The mend that is one call of the control API below the world."""
    return Mend(pytest=pytest, vitest=vitest, curl=_control(method, path, body), scenario=scenario)


def simulate(verb: str, *, pytest: str | None = None, **body: Any) -> Mend:
    """The mend by which somebody outside does something, such as `claim`."""
    members = "".join(f", {name}={value!r}" for name, value in body.items())
    return act(
        "POST",
        f"/simulate/{verb}",
        body,
        pytest=pytest or f"giftsim.simulate({_quoted(verb)}{members})",
        vitest=f"await world.control('POST', '/simulate/{verb}', {_json(body)})",
        scenario=f"- simulate: {verb}\n  with: {_json(body)}",
    )


def advance(by: str) -> Mend:
    """The mend by which time passes: a duration."""
    return act(
        "POST",
        "/clock/advance",
        {"by": by},
        pytest=f"giftsim.advance({_quoted(by)})",
        vitest=f"await world.advance('{by}')",
        scenario=f"- advance: {by}",
    )


def receiver(host: str) -> Mend:
    """The mend by which giftsim captures the webhooks to a host and answers 200 itself."""
    return act(
        "PUT",
        f"/receivers/{host}",
        {"mode": "capture"},
        pytest=f"giftsim.receiver({_quoted(host)})",
        vitest=f"await world.receiver('{host}', {{ mode: 'capture' }})",
        scenario=f"- receiver: {{host: {host}, mode: capture}}",
    )


def deliver(host: str) -> Mend:
    """The mend by which the app gets the webhooks to a host; in a test, those that were captured."""
    body = {"mode": "forward", "to": "http://127.0.0.1:9000"}
    return act(
        "PUT",
        f"/receivers/{host}",
        body,
        pytest="giftsim.deliver_to(app)",
        vitest="await world.deliverTo(app)",
        scenario=f'- receiver: {{host: {host}, to: "${{app}}"}}',
    )


def settings(name: str, value: Any) -> Mend:
    """The mend by which a setting has another value."""
    changes = {name: value}
    return act(
        "PATCH",
        "/settings",
        changes,
        pytest=f"giftsim.settings({_json(changes)})",
        vitest=f"await world.settings({_json(changes)})",
        scenario=f"- settings: {_json(changes)}",
    )


def fault(effect: Mapping[str, Any], choices: Mapping[str, Any]) -> Mend:
    """The mend by which a fault acts, where another one does not; `choices` are its `match` and `when`."""
    members = ", ".join(f"{name}={value!r}" for name, value in (*effect.items(), *choices.items()))
    return act(
        "POST",
        "/faults",
        {**choices, "effect": effect},
        pytest=f"giftsim.fault({members})",
        vitest=f"await world.fault({_json(effect)}, {_json(choices)})",
        scenario=f"- fault: {_json({**choices, 'effect': effect})}",
    )


def clear_fault(id_: str) -> Mend:
    """The mend by which a fault ends."""
    return Mend(
        pytest=f"giftsim.clear_faults({_quoted(id_)})",
        vitest=f"await world.clearFaults({_quoted(id_)})",
        curl=_control("DELETE", f"/faults/{quote(id_, safe='')}", None),
        scenario=f"- fault: {_json({'clear': id_})}",
    )


def client_call(method: str, path: str, credential: str) -> Mend:
    """The mend that is one call of a client."""
    return Mend(
        pytest=f"giftsim.call({_quoted(method)}, {_quoted(path)}, credential={_quoted(credential)})",
        vitest=f"await world.call({_quoted(method)}, {_quoted(path)}, {{credential: {_quoted(credential)}}})",
        curl=call(method, path, None, credential),
        scenario=f"- call: {method} {path}\n  as: {credential}",
    )


def together(mends: Sequence[Mend]) -> Mend:
    """Several mends as one."""
    joined = {
        name: between.join(text for each in mends if (text := getattr(each, name)) is not None) or None
        for name, between in (("pytest", "\n"), ("vitest", "\n"), ("curl", "\n"), ("scenario", "\n"))
    }
    return Mend(**joined)


def subscribe(type_: str, credential: str | None = None) -> Mend:
    """The mend by which an endpoint is subscribed to a type of event, before it happens."""
    own = credential or _BY_DEFAULT
    is_team = own.startswith(("team.", "session."))
    path = "/api/teams/v1/webhooks" if is_team else "/api/external/webhooks"
    headers = {"Idempotency-Key": f"subscribe-{type_}"} if is_team else {}
    body = {"url": HOOK, "events": [type_]}
    more = "" if own == _BY_DEFAULT else f", credential={_quoted(own)}"
    vitest = "" if own == _BY_DEFAULT else f", undefined, '{own}'"
    step = [f"- call: POST {path}", f"as: {own}", *([f"headers: {_json(headers)}"] if headers else [])]
    return Mend(
        pytest=f"giftsim.subscribe({_quoted(type_)}{more})",
        vitest=f"await world.subscribe(['{type_}']{vitest})",
        curl=call("POST", path, body, own, headers),
        scenario="\n  ".join([*step, f"body: {_json(body)}", "expect: {status: 201}"]),
    )


def call(
    method: str, path: str, body: Mapping[str, Any] | None, credential: str, headers: Mapping[str, str] = {}
) -> str:
    """A call of a client with a credential of the world, by curl. The credential is asked for, and never shown."""
    ask = f"curl -s {ORIGIN}{CONTROL}/worlds/{WORLD} | jq -r '.credentials[\"{credential}\"].headers.Authorization'"
    more = [part for name, value in headers.items() for part in ("-H", shlex.quote(f"{name}: {value}"))]
    return " ".join(["curl -s -X", method, f"{ORIGIN}{path}", f'-H "Authorization: $({ask})"', *more, *_body(body)])


def _control(method: str, path: str, body: Mapping[str, Any] | None) -> str:
    return " ".join(["curl -s -X", method, f"{ORIGIN}{CONTROL}/worlds/{WORLD}{path}", *_body(body)])


def _body(body: Mapping[str, Any] | None) -> Sequence[str]:
    return () if body is None else ("-H 'Content-Type: application/json' -d", shlex.quote(_json(body)))


def _json(value: Any) -> str:
    """JSON on one line, which is YAML and TypeScript too."""
    return msgspec.json.encode(value).decode()


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
