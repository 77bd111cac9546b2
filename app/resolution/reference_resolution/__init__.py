"""Where an ARK leads by the reference resolution algorithm: a state machine that asks nobody."""
