"""pytest-randomly: it seeds the app's chance, and the world's comes from its own seed."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_world_is_the_same_whatever_the_seed_of_the_run(beside: Run) -> None:
    suite = """
        import random

        @pytest.mark.parametrize("number", range(3))
        def test_it(giftsim, number):
            made = giftsim.call("POST", URL.removeprefix(VENDOR), ORDER, credential="partner.prepaid")
            giftsim.claim(made)
            giftsim.advance("9d")
            print(f"chance {random.random()}\\nworld {giftsim.fingerprint()}")
        """
    runs = [beside(suite, "-p", "randomly", f"--randomly-seed={seed}", "-s") for seed in (1, 2)]
    assert [outcomes for outcomes, _ in runs] == [{"passed": 3}] * 2, runs
    worlds, chances = (
        {line.partition(word)[2] for _, printed in runs for line in printed.splitlines() if word in line}
        for word in ("world ", "chance ")
    )
    assert len(worlds) == 1 < len(chances)
