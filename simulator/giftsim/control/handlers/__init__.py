"""What each operation of the control plane does, by tag."""
