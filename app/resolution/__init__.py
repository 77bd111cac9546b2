"""What a name is by the registry, and where it leads: pure, from a book of rules alone."""
