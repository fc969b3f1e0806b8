"""Keys and sessions that a tester creates: their secret is known in advance, since it comes from a seeded stream."""

from __future__ import annotations

from typing import Any, Final

from giftsim.kernel.random_streams import token

Step = dict[str, Any]

# By the control call that draws a secret: its stream, its length, and the JSONPath of the response that shows it.
_DRAWS: Final = {
    "POST /keys": ("key", 16, "$.key.`split(_, -1, -1)`"),
    "POST /sessions": ("session", 20, "$.token.`split(_, -1, -1)`"),
}
_LENGTHS: Final = {stream: length for stream, length, _ in _DRAWS.values()}
_MOST_SKIPPED: Final = 50


class KeyDraws:
    """The draws of each stream so far, as steps make, save and restore them."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn: dict[str, int] = {}
        self._snapshots: dict[str, dict[str, int]] = {}

    def drawn_by(self, step: Step) -> tuple[str, str] | None:
        """The secret that a step draws and the JSONPath of its response that shows it; None if it draws none."""
        self._follow(step)
        draw = _DRAWS.get(step.get("control", ""))
        if draw is None or "name" in (step.get("body") or {}):
            return None
        stream, length, path = draw
        self._drawn[stream] = self._drawn.get(stream, 0) + 1
        return token(self._seed, stream, self._drawn[stream], length), path

    def note(self, secret: str, kind: str) -> None:
        """A client's call has drawn a secret; the next draw follows it."""
        if kind in _LENGTHS:
            drawn = self._drawn.get(kind, 0)
            for number in range(drawn + 1, drawn + _MOST_SKIPPED):
                if token(self._seed, kind, number, _LENGTHS[kind]) == secret:
                    self._drawn[kind] = number

    def _follow(self, step: Step) -> None:
        """Keep the draws for a snapshot, or return to those of one."""
        if "snapshot" in step:
            self._snapshots[step["snapshot"]] = dict(self._drawn)
        elif "restore" in step:
            self._drawn = dict(self._snapshots.get(step["restore"], {}))
        elif step.get("control") == "POST /reset":
            self._drawn = {}
