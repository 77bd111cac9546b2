"""Pages for everybody without an account: registry, editions, tools, help, resolvers, and
endpoints for programs.
"""
