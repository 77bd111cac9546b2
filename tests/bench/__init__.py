"""Figures, each a ratio against a floor or a peer: `python -m tests.bench`."""
