"""What leaves this machine: mail by SMTP."""
