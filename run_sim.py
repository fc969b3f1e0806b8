"""Runs the simulator from a checkout: `python run_sim.py` is `giftsim`, and nothing more."""

if __name__ == "__main__":
    from simulator.cli import main

    main()
