"""Tables, triggers and queries: rows to records and back."""
