"""What stands before the whole site: connections, bodies, who is let in, and who answers."""
