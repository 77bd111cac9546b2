"""The software as it runs: processes, servers, and what happens when one of them is away."""
