"""What giftsim is made of: licences, a bill of materials, known vulnerabilities. `python -m tools audit` tells."""
