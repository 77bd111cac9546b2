"""The recipes of `docs/how-to/`, followed."""
