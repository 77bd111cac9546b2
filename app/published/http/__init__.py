"""HTTP as the published plane speaks it: requests, conditions, ranges, choices, problems."""
