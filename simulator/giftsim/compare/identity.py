"""Which id of the service stands for which id of giftsim, learnt from the answers of one scenario."""

from __future__ import annotations

from typing import NamedTuple

from giftsim.compare.mark import OF


class _Row(NamedTuple):
    """An id as lists know it: the collection, such as `webhooks`, and what is before `of`."""

    collection: str
    number: str


class Identities:
    """Pairs of ids that stood at the same place of two answers.

    An id such as `id#2 of Endpoint.id` is compared with those of the same place of the contract, since equal numbers
    may stand for records of different kinds. The contract may describe the rows of a list apart, so these are found by
    the collection that a call goes to.
    """

    def __init__(self) -> None:
        self._pairs: set[tuple[str, str]] = set()
        self._giftsim: set[str] = set()
        self._service: set[str] = set()
        self._rows: set[tuple[_Row, _Row]] = set()

    def agree(self, giftsim: str, service: str, collection: str) -> bool:
        """Whether both stand for the same record or both for a new one; new ones are a pair from then on."""
        if giftsim in self._giftsim or service in self._service:
            return (giftsim, service) in self._pairs
        self._pairs.add((giftsim, service))
        self._giftsim.add(giftsim)
        self._service.add(service)
        self._rows.add((_row(collection, giftsim), _row(collection, service)))
        return True

    def same_row(self, giftsim: str, service: str, collection: str) -> bool:
        """Whether two records of a list are known to be the same."""
        return (_row(collection, giftsim), _row(collection, service)) in self._rows

    def has_row(self, giftsim: str, collection: str) -> bool:
        """Whether a record of giftsim is known from an earlier answer of the collection."""
        return any(mine == _row(collection, giftsim) for mine, _ in self._rows)

    def service_has_row(self, service: str, collection: str) -> bool:
        """Whether a record of the service is known from an earlier answer of the collection."""
        return any(theirs == _row(collection, service) for _, theirs in self._rows)


def _row(collection: str, value: str) -> _Row:
    return _Row(collection, value.partition(OF)[0])
