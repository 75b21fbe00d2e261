"""Stammtisch: a game-state service for card games."""

import os

# gRPC reads this when it is imported. Children are started by exec, which it takes for forks and complains of.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
