"""What a refused call says, in short."""

from __future__ import annotations

from giftsim.gateway.in_process_client import Answer


def refused(answer: Answer) -> tuple[int, str]:
    """Status and code of a refusal."""
    return answer.status, answer.json()["error"]["code"]
