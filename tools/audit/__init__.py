"""What giftsim is made of: licences and known vulnerabilities. `python -m tools audit` tells."""
