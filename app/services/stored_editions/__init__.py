"""Editions as the database and a folder hold them: stored files, their bytes, and whether the
two hold the same.
"""
