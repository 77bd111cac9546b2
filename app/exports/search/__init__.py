"""What a record is found, counted, sorted and suggested by."""
