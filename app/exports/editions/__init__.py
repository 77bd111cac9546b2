"""What one edition has that another has not, as the list of editions, the Atom feed and the
deltas publish it.
"""
