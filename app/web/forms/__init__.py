"""Forms and their fields, built from the declarations; nothing here answers a request."""
