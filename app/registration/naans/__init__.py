"""NAANs and shoulders as records: read, written, compared, checked and numbered."""
