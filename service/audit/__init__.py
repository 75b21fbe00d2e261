"""Audit: export a table's log, verify it from the exported file alone, show it as a game record."""
