"""Tests of the pages that people work with."""
