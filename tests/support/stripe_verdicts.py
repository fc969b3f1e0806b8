"""What a public library makes of the test vectors, by what they say of it."""

from __future__ import annotations

from giftsim import verify


def expected_verdicts(library: str) -> dict[str, str]:
    """For each vector `accepted` or `refused`: the documents' verdict, or the other one where the library differs."""
    return {
        vector.name: "accepted" if vector.accepted != (library in vector.differs) else "refused"
        for vector in verify.vectors()
    }
