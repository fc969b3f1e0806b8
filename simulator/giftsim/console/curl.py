"""Calls as commands of curl, to paste into a shell. Keys are shell variables, so that a command can be shown around."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

VARIABLE = re.compile(r"\W")
KEY = "GIFTSIM_KEY"  # the shell variable of a command's credential


def curl(
    method: str,
    url: str,
    body: Any = None,
    *,
    key: str | None = None,
    user: str | None = None,
    headers: Mapping[str, str] | None = None,
    scheme: str = "Bearer",
) -> str:
    """A command for a call. `key` or `user` is the name of the variable with the credential, `body` is sent as JSON."""
    lines = ["curl -s" + ("" if method == "GET" else f" -X {method}") + f" {shlex.quote(url)}"]
    if key:
        lines.append(f'-H "Authorization: {scheme} ${key}"')
    if user:
        lines.append(f'-u "${user}"')
    lines += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in (headers or {}).items()]
    if body is not None:
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        lines += ["-H 'Content-Type: application/json'"] if not isinstance(body, str) else []
        lines.append(f"-d {shlex.quote(text)}")
    return " \\\n  ".join(lines)


def ready(command: str, credential: Mapping[str, Any] | None) -> str:
    """A command after the line that sets its `GIFTSIM_KEY`, so that it runs in a fresh shell, or asks for it."""
    if credential is None:
        return f': "${{{KEY}:?set it to the key of your app}}"\n{command}'
    value = credential["value"] if "value" in credential else f"{credential['user']}:{credential['password']}"
    return f"{KEY}={shlex.quote(value)}\n{command}"


def source_of(described: Mapping[str, Any], at: str, credential: str | None = None) -> dict[str, Any]:
    """A world for the writers of code, and the variables that some kinds of code need."""
    world = {"seed": described["seed"], "began": at, "fixture": described["fixture"]}
    known = described["credentials"].get(credential)
    own = (
        f" {VARIABLE.sub('_', credential).upper()}={known['value']}"
        if credential and known and "value" in known
        else ""
    )
    simulator = described["urls"]["control"].partition("/_sim/")[0]
    return {"world": world, "keys": f"GIFTSIM={simulator} WORLD={described['id']}{own}"}
