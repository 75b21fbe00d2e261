"""Fuzzing: everything that can be sent is sent, and every answer is judged. `python -m tests.fuzz` runs it."""
