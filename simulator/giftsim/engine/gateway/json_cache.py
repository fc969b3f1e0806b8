"""JSON that is kept with the frozen records that it was made of."""

from __future__ import annotations

from typing import Any

import msgspec

PLACES = 1024
LARGEST = 8 * 1024


class KeptJson:
    """JSON of one kind. The same records give the same JSON in every world, so nothing here is ever out of date.

    Undo, reset and fork therefore need not know of it. Only what follows from records alone may be kept: not what
    depends on a setting or on the clock. Its memory is bounded: new JSON replaces that of the same place, and large
    JSON is not kept.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, msgspec.Raw]] = {}

    def find(self, n: int, records: Any) -> msgspec.Raw | None:
        """The JSON of a record, or of several, or None. Records that are the same objects are found at once.

        `n` is their place: a slot, so that the records of a page have a place each.
        """
        kept = self._kept.get(n % PLACES)
        return kept[1] if kept is not None and kept[0] == records else None

    def keep(self, n: int, records: Any, view: Any) -> msgspec.Raw:
        """Encode the view of records, and keep the JSON."""
        made = msgspec.Raw(msgspec.json.encode(view))
        if len(made) <= LARGEST:
            self._kept[n % PLACES] = records, made
        return made
