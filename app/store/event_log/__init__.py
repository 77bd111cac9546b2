"""The append-only record of events: entries, Merkle leaves, and the digests and rows that they
cover.
"""
