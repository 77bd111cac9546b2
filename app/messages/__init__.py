"""What is mailed, and to whom: an event becomes a message. Nothing here sends."""
