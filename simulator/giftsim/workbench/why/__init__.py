"""Why something did not happen: verdicts, each one sentence with the entries of a trace that prove it."""
