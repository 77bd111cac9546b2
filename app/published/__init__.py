"""The published plane: an edition's bundle, and a request -> its answer."""
