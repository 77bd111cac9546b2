"""Names under a prefix: which there can be, what is known of each, and how they come in and out."""
