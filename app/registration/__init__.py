"""What is true of any registration, whoever asks: its fields, records and rules."""
