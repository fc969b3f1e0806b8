"""What the server writes of a response."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from giftsim.server.response import http_date


@pytest.mark.parametrize(
    "second", [0, 951_782_399, 951_782_400, 1_799_064_000, 4_102_444_799, *range(0, 31_536_000, 2_600_001)]
)
def test_a_date_is_written_as_http_writes_it(second: int) -> None:
    assert http_date(second) == formatdate(second, usegmt=True)
