"""giftsim: a high-fidelity sandbox of a corporate-gifting service, offline and in one process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from giftsim.build import Simulator
    from giftsim.testing.receiver_check import check_receiver

__version__ = "0.2.0"
__all__ = ["Simulator", "__version__", "check_receiver"]


def __getattr__(name: str) -> object:
    """Import `Simulator` and `check_receiver` when they are first used, because that imports the whole package."""
    if name == "Simulator":
        from giftsim.engine.kernel.garbage_collection import without_garbage_collection

        with without_garbage_collection():
            from giftsim.build import Simulator

        return Simulator
    if name == "check_receiver":
        from giftsim.testing.receiver_check import check_receiver

        return check_receiver
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
