"""Pages: text and snapshots in, HTML out, with no web framework around them."""
