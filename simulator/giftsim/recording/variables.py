"""Text of a world as a scenario writes it: the world's id and the origin as `${world}` and `${origin}` (G2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from giftsim.kernel.placeholders import ORIGIN, WORLD


class Slots:
    """Puts the variables of a scenario in the place of what is only so in one world, in one house."""

    def __init__(self, world_id: str, origin: str) -> None:
        self._origin = origin
        name = re.escape(world_id)
        self._own = re.compile(
            rf"(\bp(?:t)?k_(?:live|test)_|\bsess_|/claim/|\bmuseum\.){name}(?=$|[_/:\s\"'?])", re.ASCII
        )

    def sent(self, text: str) -> str:
        """What was sent to be understood: a path, a header, a control call."""
        return self._own.sub(r"\1${world}", escaped(text).replace(self._origin, "${origin}"))

    def stored(self, text: str) -> str:
        """What the house stored, to be filled as it leaves."""
        return escaped(text).replace(ORIGIN, "${origin}").replace(WORLD, "${world}")

    def data(self, value: Any) -> Any:
        """The same in all the text of a value."""
        return throughout(value, self.sent)


def escaped(text: str) -> str:
    """Text that is sent as it stands."""
    return text.replace("${", "$${")


def throughout(value: Any, write: Callable[[str], str]) -> Any:
    """All the text of a value written in a way; names of members are never filled."""
    if isinstance(value, str):
        return write(value)
    if isinstance(value, dict):
        return {name: throughout(member, write) for name, member in value.items()}
    return [throughout(item, write) for item in value] if isinstance(value, list) else value
