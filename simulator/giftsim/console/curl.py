"""Calls as commands of curl, to paste into a shell. Keys are shell variables, so that a command can be shown around."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any


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
