"""Which change of a world's feed was the last one before each of its events: an undo to a change needs that."""

from __future__ import annotations

from collections import deque


class ChangeNumbers:
    """The numbers of the last changes before the newest events, at most `most` of them.

    The feed began with event `feed_n`. An event before that has a negative number, or one that nobody knows any more.
    """

    def __init__(self, feed_n: int, most: int) -> None:
        self.feed_n, self._known = feed_n, deque[int](maxlen=most)
        self.add = self._known.append

    def before(self, n: int, next_n: int) -> int:
        """The number of the last change before event `n`; the next event has number `next_n`."""
        age, known = next_n - n, self._known
        return known[-age] if 0 < age <= len(known) else n - self.feed_n

    def begin(self, next_n: int) -> None:
        """The feed is new: it begins with event `next_n`."""
        self._known.clear()
        self.feed_n = next_n

    def drop(self, count: int) -> list[int]:
        """Forget the numbers of the newest events, as many as are known of `count`; what they were, oldest first."""
        return [self._known.pop() for _ in range(min(count, len(self._known)))][::-1]

    def shift(self, count: int, change_n: int, by: int) -> None:
        """Say of the newest `count` events that `by` more changes came before them, after change `change_n`."""
        self._known.extend([max(number, change_n) + by for number in self.drop(count)])

    def copy(self) -> ChangeNumbers:
        """The same numbers, to go on apart."""
        copied = ChangeNumbers(self.feed_n, self._known.maxlen or 0)
        copied._known.extend(self._known)
        return copied
