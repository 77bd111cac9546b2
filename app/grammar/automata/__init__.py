"""A grammar as a graph and as automata: which texts it has, reached by which shortest text, and the
syntax of URNs to hold it against."""
