"""The partner interface and its model do not differ."""

from __future__ import annotations

from tests.models.partner_machine import PartnerMachine
from tests.models.world import run_model


def test_the_partner_interface_does_what_the_model_says() -> None:
    run_model(PartnerMachine, sequences=150, steps=20)
