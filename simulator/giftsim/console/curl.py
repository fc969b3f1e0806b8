"""Calls as commands of curl, to paste into a shell (G341). Keys are shell variables, so one can be shown around."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from giftsim.frontend.languages import printf_format, quote_for_shell

KEY = "GIFTSIM_KEY"  # the shell variable of a command's credential


def curl_command(
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
    lines = [
        f"curl -s{_url_options(url)}"
        + ("" if method == "GET" else f" -X {quote_for_shell(method)}")
        + f" {quote_for_shell(url)}"
    ]
    if key:
        lines.append(f'-H "Authorization: {scheme} ${key}"' if scheme.isalpha() else _foreign_scheme(scheme, key))
    if user:
        lines.append(f'-u "${user}"')
    lines += [
        f"-H {quote_for_shell(f'{name}: {value}' if value else f'{name};')}" for name, value in (headers or {}).items()
    ]
    text = body if isinstance(body, str) else "" if body is None else json.dumps(body, ensure_ascii=False)
    lines += ["-H 'Content-Type: application/json'"] if body is not None and not isinstance(body, str) else []
    if "\0" in text:
        return f"printf -- {printf_format(text)} |\n  " + " \\\n  ".join([*lines, "--data-binary @-"])
    if body is not None:
        lines.append(f"{'--data-raw' if text.startswith('@') else '-d'} {quote_for_shell(text)}")
    return " \\\n  ".join(lines)


def _foreign_scheme(scheme: str, key: str) -> str:
    return f"""-H {quote_for_shell(f"Authorization: {scheme} ")}"${key}\""""


def _url_options(url: str) -> str:
    """Without these, curl resolves `.` and `..`, and reads brackets and braces as patterns."""
    path = url.partition("?")[0]
    dots = any(each in (".", "..") for each in path.split("/"))
    return (" --path-as-is" if dots else "") + (" --globoff" if re.search(r"[\[\]{}]", url) else "")


def with_key_line(command: str, credential: Mapping[str, Any] | None) -> str:
    """A command after the line that sets its `GIFTSIM_KEY`, so that it runs in a fresh shell, or asks for it."""
    if credential is None:
        return f': "${{{KEY}:?set it to the key of your app}}"\n{command}'
    return f"{KEY}={quote_for_shell(_secret(credential))}\n{command}"


def _secret(credential: Mapping[str, Any]) -> str:
    """The value of a credential, its user and password, or what is behind the scheme of its header."""
    if "user" in credential:
        return f"{credential['user']}:{credential['password']}"
    return str(credential.get("value") or credential["headers"]["Authorization"].partition(" ")[2])


def source_of(described: Mapping[str, Any], at: str, credential: str | None = None) -> dict[str, Any]:
    """A world for the writers of code, and the variables that some kinds of code need."""
    world = {"seed": described["seed"], "began": at, "fixture": described["fixture"]}
    known = described["credentials"].get(credential)
    own = (
        f" {variable(credential)}={quote_for_shell(known['value'])}"
        if credential and known and "value" in known
        else ""
    )
    simulator = described["urls"]["control"].partition("/_sim/")[0]
    return {"world": world, "keys": f"GIFTSIM={quote_for_shell(simulator)} WORLD={described['id']}{own}"}


def variable(credential: str) -> str:
    """The variable of a credential, as the writers of code name it."""
    name = re.sub(r"\W", "_", credential.upper(), flags=re.ASCII)
    return name if name[:1].isalpha() or name.startswith("_") else f"KEY_{name}"
