"""The published site: page environment, page shell, and the makers of whole pages from page
templates.
"""
