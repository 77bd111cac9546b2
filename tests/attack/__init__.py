"""What an attacker tried, each as a test that stays."""
