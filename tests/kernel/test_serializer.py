"""A state survives serialization, and bytes that hold anything else are refused."""

from __future__ import annotations

import os
import pickle
import zlib
from collections import OrderedDict

import pytest

from giftsim import Simulator
from giftsim.kernel.serializer import Damaged, content_of, deserialize, fingerprint, serialize
from giftsim.worlds.registry import DEFAULT
from tests.support.orders import order_body


def test_a_state_is_the_same_after_serialization() -> None:
    simulator = Simulator()
    world = simulator.registry.worlds[DEFAULT]
    key = simulator.client.call("GET", f"/_sim/v1/worlds/{DEFAULT}").json()["credentials"]["partner.prepaid"]["headers"]
    assert simulator.client.call("POST", "/api/external/team-orders", body=order_body(), headers=key).status == 201
    content = serialize(content_of(world.state))
    copy = deserialize(simulator.definitions, [content])
    assert fingerprint(copy) == fingerprint(world.state)
    again = deserialize(simulator.definitions, [serialize(content_of(copy))])
    assert serialize(content_of(again)) == serialize(content_of(copy))
    simulator.close()


def test_a_class_that_is_no_record_is_refused_by_name(simulator: Simulator) -> None:
    content = zlib.compress(pickle.dumps((OrderedDict(), {})))
    with pytest.raises(Damaged, match=r"^collections\.OrderedDict is not a record$"):
        deserialize(simulator.definitions, [content])


@pytest.mark.parametrize("content", [b"", b"\x80", pickle.dumps("text"), pickle.dumps((1, 2)), pickle.dumps(os.system)])
def test_other_bytes_are_refused(content: bytes, simulator: Simulator) -> None:
    for each in (content, zlib.compress(content)):
        with pytest.raises(Damaged):
            deserialize(simulator.definitions, [each])
