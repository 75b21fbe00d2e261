"""Stammtisch: a game-state service for card games."""
