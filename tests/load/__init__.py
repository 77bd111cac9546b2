"""A registry's mixed day by HTTP, on several hosts at once: how long things take, and what of."""
