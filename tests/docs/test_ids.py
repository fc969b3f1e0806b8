"""Every id that a docstring, comment or contract of the package names can be looked up."""

from __future__ import annotations

import re
from functools import cache

from giftsim.statements.decision import load_decisions
from giftsim.statements.statement import load_claims
from tests.docs.pages import ROOT

CITED = re.compile(r"(?<![\w-])([PTM]-\d+\.\d+|A\d+\.\d+|[BCG]\d+)(?![\w.-]*\w)")
POSTCODES = "fulfilment/address.py"


@cache
def known() -> frozenset[str]:
    """The ids of claims, decisions and the fine print."""
    return frozenset({*load_claims(), *load_decisions()})


def test_every_cited_id_is_defined() -> None:
    package = ROOT / "simulator" / "giftsim"
    files = [path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".yaml")]
    unknown = {
        f"{path.relative_to(ROOT)}: {cited}"
        for path in files
        if not path.as_posix().endswith(POSTCODES)
        for cited in CITED.findall(path.read_text(encoding="utf-8"))
        if cited not in known()
    }
    assert sorted(unknown) == [], "CONTRIBUTING.md says where each kind of id is defined"
