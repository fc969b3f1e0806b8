"""Records as the control plane shows them."""
