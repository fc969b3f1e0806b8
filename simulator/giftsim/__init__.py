"""giftsim: a high-fidelity sandbox of a corporate-gifting service, offline and in one process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from giftsim.build import Simulator

__version__ = "0.2.0"
__all__ = ["Simulator", "__version__"]


def __getattr__(name: str) -> object:
    """Import `Simulator` when it is first used, because that imports the whole package."""
    if name == "Simulator":
        from giftsim.kernel.garbage_collection import without_garbage_collection

        with without_garbage_collection():
            from giftsim.build import Simulator

        return Simulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
