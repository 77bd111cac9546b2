"""The product attacked: what was tried, and what holds."""
