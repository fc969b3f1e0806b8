"""The long form: `python -m tests.fuzz --minutes 10 --seed 1`. Exits 1 if an input fails, which is then kept."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.session import fuzz_round, keep


def main() -> int:
    """Fuzz in rounds until the time is over."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first round; a round repeats exactly")
    options = parser.parse_args()
    end, number, inputs, failed = time.monotonic() + 60 * options.minutes, options.seed, 0, 0
    while time.monotonic() < end:
        outcome = fuzz_round(number, lambda line: print(line, flush=True))
        for given, failure in outcome.failures:
            print(f"FAILED {keep(given).name}: {failure}", flush=True)
        inputs, failed, number = inputs + outcome.inputs, failed + len(outcome.failures), number + 1
    print(f"{number - options.seed} rounds, {inputs:,} inputs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
