"""The command `run`: another program against a simulator, with the vendor's host answered on this machine."""
