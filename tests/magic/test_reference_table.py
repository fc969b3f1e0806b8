"""The rows of the reference page: every magic value has an effect and a source."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.magic.amounts import AMOUNTS
from giftsim.magic.fault_values import CALL_VALUES
from giftsim.magic.files import REMOTE
from giftsim.magic.postcodes import POSTCODES
from giftsim.magic.receiver_hosts import HOSTS
from giftsim.magic.reference_table import rows as reference_rows


@pytest.mark.parametrize("rows", [POSTCODES, REMOTE, AMOUNTS, HOSTS])
def test_every_row_has_an_effect_and_a_source(rows: Any) -> None:
    for row in rows:
        assert row.means
        assert row.source


def test_the_table_has_a_row_for_every_value() -> None:
    values = [row.value for row in reference_rows()]
    assert (
        len(values) == len(set(values)) == len(CALL_VALUES) + 5 + len([*POSTCODES, *AMOUNTS, *HOSTS]) + 1 + len(REMOTE)
    )
