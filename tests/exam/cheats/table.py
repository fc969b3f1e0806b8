"""The ways to cheat, by name."""

from __future__ import annotations

from typing import Any, Final

from tests.exam.cheats import looking, pretending

CHEATS: Final[dict[str, Any]] = {
    "reads-control": looking.ReadsControl,
    "reads-pages": looking.ReadsPages,
    "asks-the-service": looking.AsksTheService,
    "fault-headers": looking.FaultHeaders,
    "magic-values": looking.MagicValues,
    "yes": looking.Yes,
    "known-answers": pretending.KnownAnswers,
    "invented-books": pretending.InventedBooks,
    "not-implemented": pretending.NotImplemented501,
    "silent": pretending.Silent,
    "empty-check": pretending.EmptyCheck,
    "ends-in-time": pretending.EndsInTime,
    "first-only": pretending.FirstOnly,
}
