"""Other HTTP servers in the cases of `tools/conformance`: their columns in its page are what they do."""

from __future__ import annotations

import pytest

from tests.support.tools import require_tool
from tools.conformance.__main__ import run_other
from tools.conformance.outcomes import kept
from tools.conformance.servers import OTHERS, Missing


@pytest.mark.parametrize("name", OTHERS)
def test_the_column_of_another_server_is_what_it_does(name: str) -> None:
    if name == "nginx":
        require_tool("nginx", "nginx-light")
    try:
        found = run_other(name)
    except Missing as missing:
        pytest.skip(str(missing))
    shown = kept()[name]
    if found.version != shown.version:
        pytest.skip(f"{name} {found.version} is here; the page is about {shown.version}")
    verdicts = {case: (outcome.is_met, shown.outcomes[case].is_met) for case, outcome in found.outcomes.items()}
    changed = {case: found.outcomes[case] for case, (now, then) in verdicts.items() if now != then}
    assert changed == {}, "run `python -m tools conformance --write`"
