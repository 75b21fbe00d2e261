"""The Python client of Stammtisch."""
