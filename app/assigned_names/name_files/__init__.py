"""Files of names: CSV, JSON Lines and ANVL, read and written as streams of any length."""
