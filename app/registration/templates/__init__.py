"""Registration templates as text: bytes to text, headings, parts, the reader and the writer,
lint, and templates inside RFCs.
"""
