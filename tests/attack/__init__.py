"""What an attacker tried, kept: each file is of one matter, each test a sentence that holds."""
