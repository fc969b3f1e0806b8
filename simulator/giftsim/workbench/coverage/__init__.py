"""What the app under test has met of the service: operations, errors, events, transitions, faults and clock edges."""
