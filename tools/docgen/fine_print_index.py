"""The page docs/explanation/fine-print.md: where each decision whose id begins with G stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from giftsim.services.statements.decision import PAGES, load_decisions
from tools.docgen.markdown import table


def fine_print() -> str:
    """The ids on each page of decisions, as runs of neighbours: `G1 to G11`."""
    pages = {int(each.id[1:]): each.page for each in load_decisions().values() if each.id.startswith("G")}
    runs = [(page, list(run)) for page, run in groupby(sorted(pages), pages.__getitem__)]
    cells = {page: ", ".join(_written(run) for other, run in runs if other == page) for page in PAGES}
    return table(("page", "ids"), [(f"[{page}]({page}.md)", ids) for page, ids in cells.items()])


def _written(run: Sequence[int]) -> str:
    return " to ".join(f"G{each}" for each in _ends(run))


def _ends(run: Sequence[int]) -> Iterable[int]:
    return dict.fromkeys((run[0], run[-1]))
