"""What the terminal and pages both show, as rows and words."""
