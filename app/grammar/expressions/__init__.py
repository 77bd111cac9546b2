"""Regular expressions that people may enter as a pattern for names: read, refused, and proved safe
to run."""
