"""The JSON Schemas of what is published as JSON, made from the same declarations as the JSON
itself.
"""
