"""The partner interface and its model do not differ."""

from __future__ import annotations

from tests.models.partner_machine import PartnerMachine
from tests.models.world import run_model
from tests.shows import shows


@shows("P-1.1", "P-1.2", "P-1.3", "P-1.5", "P-1.6", "P-1.9", "P-2.24", "P-2.25", "P-3.13", "P-4.17", "P-4.19",
        "P-6.15", "P-6.18", "P-6.20", "P-7.10")  # fmt: skip
def test_the_partner_interface_does_what_the_model_says() -> None:
    run_model(PartnerMachine, sequences=100, steps=20)
