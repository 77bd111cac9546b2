"""Who may move a request from where to where: states, tables, the engine, reviews, people."""
