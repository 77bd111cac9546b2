"""The published plane: an edition's bundle, and a request -> its answer.

What is current is answered from memory, what is old or very large from disk. It knows no
Flask, no session and no database, so it goes on when those are away.
"""
