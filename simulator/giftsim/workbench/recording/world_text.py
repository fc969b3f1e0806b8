"""Text that depends on the world, written with the scenario variables `${world}` and `${origin}` (G2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from giftsim.engine.kernel.placeholders import ORIGIN, WORLD
from giftsim.services.secrets import CREDENTIALS, LINKS
from giftsim.workbench.scenario.variables import escape_variables, map_texts

# The members of a step with the response that was recorded, and with the steps during its deliveries.
RESPONSE, NESTED = "recorded", "on_delivery"
_BEFORE_WORLD = "|".join((*(rf"\b{kind.start}" for kind in CREDENTIALS), *(kind.start for kind in LINKS)))


class WorldVariables:
    """Replaces one world's id and the simulator's origin by `${world}` and `${origin}`."""

    def __init__(self, world_id: str, origin: str) -> None:
        self._origin = origin
        name = re.escape(world_id)
        self._world_id = re.compile(rf"({_BEFORE_WORLD}|\bmuseum\.){name}(?=$|[_/:\s\"'?])", re.ASCII)

    def request_text(self, text: str) -> str:
        """Text of a request: a path, a header or a control call. The world's id is replaced in keys and links only."""
        return self._world_id.sub(r"\1${world}", escape_variables(text).replace(self._origin, "${origin}"))

    def stored_text(self, text: str) -> str:
        """Text of a stored response, in which placeholders stand for the origin and the world's id."""
        escaped: str = escape_variables(text)
        return escaped.replace(ORIGIN, "${origin}").replace(WORLD, "${world}")

    def request_data(self, value: Any) -> Any:
        """JSON data of a request with every string replaced as by `request_text`."""
        return map_texts(value, self.request_text)


def collect_texts(value: Any) -> Iterator[str]:
    """All texts in data; not those of binary bodies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            if name != "base64":
                yield from collect_texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from collect_texts(item)
