"""The registry as it stands: its snapshot, the names taken and asked for, the version a
revision begins from, what is shipped with the software, and imports of files.
"""
