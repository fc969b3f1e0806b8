"""Text of a world as a scenario writes it: the world's id and the origin as `${world}` and `${origin}` (G2)."""

from __future__ import annotations

import re
from typing import Any

from simulator.kernel.mark import ORIGIN, WORLD


class Slots:
    """Puts the variables of a scenario in the place of what is only so in one world, in one house."""

    def __init__(self, world_id: str, origin: str) -> None:
        self._origin = origin
        name = re.escape(world_id)
        self._own = re.compile(
            rf"(\bp(?:t)?k_(?:live|test)_|\bsess_|/claim/|\bmuseum\.){name}(?=$|[_/:\s\"'?])", re.ASCII
        )

    def sent(self, text: str) -> str:
        """What a client sent."""
        text = text.replace("${", "$${").replace(self._origin, "${origin}")
        return self._own.sub(r"\1${world}", text)

    def stored(self, text: str) -> str:
        """What the house stored, to be filled as it leaves."""
        return text.replace("${", "$${").replace(ORIGIN, "${origin}").replace(WORLD, "${world}")

    def data(self, value: Any) -> Any:
        """The same in all the text of a value; names of members are never filled."""
        if isinstance(value, str):
            return self.sent(value)
        if isinstance(value, dict):
            return {name: self.data(member) for name, member in value.items()}
        return [self.data(item) for item in value] if isinstance(value, list) else value
