"""A registry and one record of it in each published format, and the readers that make records
of XML and JSON again; a module a format.
"""
