"""A copy of a large dict: the same as a dict that was copied, in content and in order, whatever either side writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.layered import LARGE, Layered, copy_layered

KEYS = st.integers(0, 12)
STEPS = st.lists(
    st.tuples(st.sampled_from(("set", "add", "delete", "copy", "large copy")), KEYS, st.integers(0, 9)), max_size=40
)


@given(st.dictionaries(KEYS, st.integers(0, 9)), STEPS)
def test_it_holds_what_a_dict_would_hold_in_the_same_order(
    base: dict[int, int], steps: list[tuple[str, int, int]]
) -> None:
    layered, model = Layered(base, {}, set(), len(base)), base.copy()
    shared = [(layered, model)]
    for step, key, value in steps:
        match step:
            case "set":
                layered[key] = model[key] = value
            case "add":
                assert layered.setdefault(key, value) == model.setdefault(key, value)
            case "delete" if key in model:
                del layered[key], model[key]
            case "delete":
                assert layered.pop(key, None) is None
            case "copy":
                shared.append((layered, model))
                layered, model = copy_layered(layered), model.copy()  # type: ignore[assignment]
            case _:
                shared.append((layered, model))
                layered, model = Layered(layered, {}, set(), len(layered)), model.copy()
        assert (list(layered.items()), len(layered)) == (list(model.items()), len(model))
        assert [(n in layered, layered.get(n), layered.get(n, -1)) for n in range(13)] == [
            (n in model, model.get(n), model.get(n, -1)) for n in range(13)
        ]
    for former, expected in shared[1:]:
        assert list(former.items()) == list(expected.items())


def test_a_key_that_is_not_there_is_named() -> None:
    layered = Layered({1: 2}, {}, set(), 1)
    del layered[1]
    for read in (layered.__getitem__, layered.__delitem__, layered.pop):
        with pytest.raises(KeyError, match=r"^1$"):
            read(1)


def test_only_a_large_dict_is_layered_and_one_that_was_mostly_rewritten_is_a_dict_again() -> None:
    small, large = dict.fromkeys(range(LARGE - 1), 0), dict.fromkeys(range(LARGE), 0)
    assert type(copy_layered(small)) is dict
    copy = copy_layered(large)
    assert isinstance(copy, Layered)
    assert isinstance(copy_layered(copy), Layered)
    for n in range(LARGE // 2 + 1):
        copy[n] = 1
    assert type(copy_layered(copy)) is dict
    assert (copy_layered(copy), large[0]) == ({n: int(n <= LARGE // 2) for n in large}, 0)
