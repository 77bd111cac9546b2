"""Texts about a registration for documents of other publishers: citations, and an Internet-
Draft of a request.
"""
