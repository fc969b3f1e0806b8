"""The decorator by which a test names the statements that it shows."""

from __future__ import annotations

import pytest

from giftsim.services.statements.statement import STATEMENTS_FILE, load_statements


def shows(*ids: str) -> pytest.MarkDecorator:
    """Mark a test that fails if one of these statements is broken: `@shows("P-6.16", "P-6.17")`.

    ValueError at import if no id is given or an id is unknown.
    """
    unknown = [name for name in ids if name not in load_statements()]
    if unknown or not ids:
        raise ValueError(f"unknown statement: {', '.join(unknown) or '(none given)'}; {STATEMENTS_FILE.name} has them")
    return pytest.mark.shows(*ids)
