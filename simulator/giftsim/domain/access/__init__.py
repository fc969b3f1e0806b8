"""Who may call: the keys of the interfaces."""
