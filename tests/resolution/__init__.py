"""Tests of what a name is by the registry."""
