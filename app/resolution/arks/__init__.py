"""ARKs: the rules of NAANs and shoulders, and what comes of an ARK that somebody follows."""
