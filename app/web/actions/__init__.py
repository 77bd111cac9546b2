"""How any page offers an action and submits its form to a use case, and the words for it."""
