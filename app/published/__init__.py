"""The published plane: one edition's bundle, answered from memory by plain WSGI.

It knows no Flask, no session and no database, so it goes on when those are away.
"""
