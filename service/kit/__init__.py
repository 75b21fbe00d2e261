"""What several games need: values and functions, no base classes."""
