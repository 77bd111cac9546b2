"""Texts as a page shows them: Markdown, comparisons, parts of identifiers, dates and numbers,
unseen characters.
"""
