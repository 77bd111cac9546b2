"""The list of a registry: query, rows, facets, suggestions for a search, and the paths of its
pages and files.
"""
