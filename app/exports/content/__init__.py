"""What of a snapshot every format shows, and under which names and addresses: current records,
rows, references, file names, the site.
"""
