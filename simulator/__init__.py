"""giftsim: a high-fidelity sandbox of a corporate-gifting service, offline and in one process."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """`Simulator`, the public face in process; made here on demand, since it draws in everything."""
    if name == "Simulator":
        from simulator.build import Simulator

        return Simulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
