"""Prefixes, the names given under them, and the files that names are brought in from."""
