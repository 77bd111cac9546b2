"""What an attacker sends, and that it costs the registry little."""
