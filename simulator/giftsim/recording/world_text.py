"""Text that depends on the world, written with the scenario variables `${world}` and `${origin}` (G2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from giftsim.kernel.placeholders import ORIGIN, WORLD

# The members of a step with the response that was recorded, and with the steps during its deliveries.
RESPONSE, NESTED = "recorded", "on_delivery"


class WorldVariables:
    """Replaces one world's id and the simulator's origin by `${world}` and `${origin}`."""

    def __init__(self, world_id: str, origin: str) -> None:
        self._origin = origin
        name = re.escape(world_id)
        self._world_id = re.compile(
            rf"(\bp(?:t)?k_(?:live|test)_|\bsess_|/claim/|\bmuseum\.){name}(?=$|[_/:\s\"'?])", re.ASCII
        )

    def request_text(self, text: str) -> str:
        """Text of a request: a path, a header or a control call. The world's id is replaced in keys and links only."""
        return self._world_id.sub(r"\1${world}", escape(text).replace(self._origin, "${origin}"))

    def stored_text(self, text: str) -> str:
        """Text of a stored response, in which placeholders stand for the origin and the world's id."""
        return escape(text).replace(ORIGIN, "${origin}").replace(WORLD, "${world}")

    def request_data(self, value: Any) -> Any:
        """JSON data of a request with every string replaced as by `request_text`."""
        return map_strings(value, self.request_text)


def escape(text: str) -> str:
    """Escape `${`, so that a scenario sends the text unchanged."""
    return text.replace("${", "$${")


def map_strings(value: Any, convert: Callable[[str], str]) -> Any:
    """Copy JSON data with every string converted; member names stay, since scenarios replace no variables there."""
    if isinstance(value, str):
        return convert(value)
    if isinstance(value, dict):
        return type(value)({name: map_strings(member, convert) for name, member in value.items()})
    return [map_strings(item, convert) for item in value] if isinstance(value, list) else value


def texts(value: Any) -> Iterator[str]:
    """All texts in data; not those of binary bodies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            if name != "base64":
                yield from texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
