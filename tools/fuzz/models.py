"""Sequences of calls that are compared with the models of `tests/models`. A difference names the shortest sequence."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.models.world import ModelMachine, run_model

MODELS = Path(__file__).parents[2] / "tests" / "models"
ENDING = "_machine"
STEPS = 30


def models() -> tuple[str, ...]:
    """The names of the models: each has a machine in a module of its own."""
    return tuple(sorted(file.stem.removesuffix(ENDING) for file in MODELS.glob(f"*{ENDING}.py")))


def fuzz_model(number: int, name: str, sequences: int) -> str:
    """Run sequences of a numbered seed against a model; what differs, and the sequence, or an empty text."""
    module = import_module(f"tests.models.{name}{ENDING}")
    machine: type[ModelMachine] = getattr(module, f"{name.title().replace('_', '')}Machine")
    try:
        run_model(machine, sequences, STEPS, number)
    except Exception as difference:  # noqa: BLE001  # an internal error is a difference too
        return "\n".join([f"{type(difference).__name__}: {difference}", *getattr(difference, "__notes__", ())])
    return ""
