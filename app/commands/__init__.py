"""Commands by what they are about, for the command line to put together."""
