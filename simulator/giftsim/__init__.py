"""giftsim: a high-fidelity sandbox of a corporate-gifting service, offline and in one process."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from giftsim.build import Simulator

__version__ = "0.1.0"
__all__ = ["Simulator", "__version__"]


def __getattr__(name: str) -> object:
    """`Simulator`, the public face in process; made here on demand, since it draws in everything."""
    if name == "Simulator":
        from giftsim.build import Simulator

        return Simulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
