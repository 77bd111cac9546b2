"""Diagrams and charts with every length worked out, each with the same in words."""
