"""What the developers run; never shipped."""
