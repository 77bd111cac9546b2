"""Published states of the registry: building them, what each changed, deltas between them, and
the versions of a name over time.
"""
