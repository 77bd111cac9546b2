"""Texts in JSON and XML, written piece by piece: escaping, indentation, and the values that
each can hold.
"""
