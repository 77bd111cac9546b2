"""Mail: its page templates, and the messages and sentences that are made from them."""
