"""The manifest of an edition: its files, their content codings, their digests, and where their
bytes lie.
"""
