"""Sources in the generated tables: links to them, and how many items of each interface are documented or decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from giftsim.build import CONTRACTS
from giftsim.docgen.markdown import anchor
from giftsim.gateway.contract import Contract
from giftsim.gateway.sources import OWN, Sources


def source_counts() -> list[tuple[str, ...]]:
    """A row for each interface and kind of item: how many are documented, how many decided."""
    rows: list[tuple[str, ...]] = []
    for name, path in CONTRACTS.items():
        sources = Sources(Contract.load(path))
        if OWN in sources.whole:
            continue
        counts = Counter((item.kind, item.documented) for item in sources.distinct)
        rows += [
            (name, kind, str(counts[kind, True]), str(counts[kind, False]))
            for kind in dict.fromkeys(kind for kind, _ in counts)
        ]
        total = Counter(item.documented for item in sources.distinct)
        rows.append((name, "**all**", f"**{total[True]}**", f"**{total[False]}**"))
    return rows


def linked_source(source: str) -> str:
    """An id as a link to its place on the page of claims and decisions, from another page of the reference."""
    return source if source == OWN else f"[{source}](claims.md#{anchor(source)})"


def linked_sources(sources: Iterable[str]) -> str:
    """Several ids as links."""
    return ", ".join(map(linked_source, sources))
