"""What a registry declares as data: fields, procedures, numbering, formats, and which procedure
is whose.
"""
