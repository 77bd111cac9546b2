"""A registry's records to the bytes of every published form, and IANA's XML back to records."""
