"""Registration requests: drafts, iterations, reviews, what was studied in a text, and the
operator's notes.
"""
