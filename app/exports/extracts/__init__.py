"""Files that hold a part of a registry for one kind of program, and the list of all that can be
downloaded.
"""
