"""Tests of the identifiers."""
