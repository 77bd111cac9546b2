"""What giving names under a prefix promises."""
