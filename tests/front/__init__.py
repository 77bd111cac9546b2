"""What stands before the whole site."""
