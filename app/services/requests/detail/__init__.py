"""A request as its page shows it: its story, what its reader may do, the last look before a name
is given.
"""
