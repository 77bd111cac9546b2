"""Tests of what comes of ARKs."""
