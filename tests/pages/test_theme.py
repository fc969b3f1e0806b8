"""The colors of a brand on a page can be read, whatever they are (G165)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.pages.theme import DARK_PAPERS, LEAST_CONTRAST, LIGHT_PAPERS, Theme, contrast

COLORS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@given(COLORS)
def test_text_in_every_brand_color_can_be_read(color: str) -> None:
    css = Theme("Northwind", color).css
    brand, on_brand = re.findall(r"--(?:on-)?brand: (#\w+)", css)
    light, dark = re.findall(r"--accent: (#\w+)", css)
    assert brand == color
    assert contrast(brand, on_brand) >= LEAST_CONTRAST
    for accent, papers in ((light, LIGHT_PAPERS), (dark, DARK_PAPERS)):
        assert min(contrast(accent, paper) for paper in papers) >= LEAST_CONTRAST


def test_a_color_that_can_be_read_stays_as_it_is() -> None:
    assert "--accent: #0057b8;" in Theme("Northwind", "#0057B8").css


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("color", [None, "", "red", "#12345", "#1234567", "#000000; } * { display: none"])
def test_what_is_no_color_is_left_out(color: str | None) -> None:
    assert Theme("Northwind", color).css == ""


@pytest.mark.parametrize(
    ("name", "initials"),
    [("Ada", "A"), ("Northwind Studio Berlin", "NS"), ("<script>x", "S"), ("élan vital", "ÉV"), ("—", ""), (None, "")],
)
def test_a_name_has_initials(name: str | None, initials: str) -> None:
    assert Theme(name).initials == initials
