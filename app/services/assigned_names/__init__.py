"""Names under a prefix: who gives them, how they are given, changed and brought in."""
