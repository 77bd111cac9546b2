"""An edition's files before any database: which there are, whether they agree, how they are
laid out in a folder, read again there, and mirrored from another registry.
"""
