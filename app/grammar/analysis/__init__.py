"""What is found, decided and generated about the grammar in one registration: checks, decisions,
the study, the automaton of its NSSs."""
