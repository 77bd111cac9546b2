"""What can be refused: a code for each, the rule it follows from, and RFC 9457's documents."""
