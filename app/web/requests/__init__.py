"""Registration requests for registrants, reviewers and readers: draft, list, detail,
discussion, review, documents.
"""
