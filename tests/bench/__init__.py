"""How fast, how much, beside what: `make bench`."""
