"""The command line: the main command and its subcommands."""
