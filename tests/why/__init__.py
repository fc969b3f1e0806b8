"""Why: verdicts on failed tests and on questions, each with the line that mends it."""
