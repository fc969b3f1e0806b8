"""giftsim: a high-fidelity sandbox of a corporate-gifting service, offline and in one process."""

__version__ = "0.1.0"
