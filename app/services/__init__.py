"""The use cases: one function each, and one commit."""
