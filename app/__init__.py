"""URN Registry: the software of a registry of persistent names."""
