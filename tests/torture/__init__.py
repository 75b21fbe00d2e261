"""Torture: games played while processes are killed and frozen; then the log says what was lost."""
