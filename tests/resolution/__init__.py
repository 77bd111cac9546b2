"""Tests of judging names and leading them on."""
