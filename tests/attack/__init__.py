"""What somebody tries who means harm: each table here can be made longer."""
