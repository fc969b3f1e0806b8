"""What readers copy from examples/ decides as the test vectors of webhook verification say."""

from __future__ import annotations

import runpy

import pytest

from giftsim import verify
from giftsim.verify import Vector
from tests.docs.pages import ROOT

VECTORS = [vector for vector in verify.vectors() if vector.tolerance == verify.TOLERANCE_S]
is_genuine = runpy.run_path(str(ROOT / "examples" / "receiver.py"))["is_genuine"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_example_receiver_decides_as_the_vector_says(vector: Vector) -> None:
    assert is_genuine(vector.secret, vector.header, vector.body, vector.now) == vector.accepted
