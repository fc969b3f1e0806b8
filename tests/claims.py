"""The former name of `tests.shows`, for tests that are not rewritten yet."""

from tests.shows import shows as claims

__all__ = ["claims"]
