"""Null for a member that the contract does not let be null: the member counts as absent (G188).

Serializers of Java, .NET and Go write null for what was not set. The setting `strict_nulls` refuses it.
"""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.node import Node
from giftsim.engine.kernel.setting import flag

STRICT_NULLS = flag("strict_nulls", False, "refuse null for members of a body that the contract does not let be null")


def without_nulls(node: Node, value: Any) -> Any:
    """The value without members that are null and may not be. A member that no schema names is kept."""
    if isinstance(value, list):
        return [without_nulls(node.items, each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: without_nulls(node.member(name), each)
        for name, each in value.items()
        if each is not None or node.member(name).takes_null
    }
