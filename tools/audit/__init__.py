"""The audit of what giftsim is made of: licences, a bill of materials, known vulnerabilities. `make audit` runs it."""
