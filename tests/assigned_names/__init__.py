"""Tests of names under a prefix: which there can be, and how they come in and out."""
