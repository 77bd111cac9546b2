"""Names and the versions of their records, templates and people, the search index over them,
and the answers of their services.
"""
