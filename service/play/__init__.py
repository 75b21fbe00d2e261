"""Play: whole games through the public API, by seats that choose at random."""

import os

# gRPC reads it when it is imported. A server that goes away is waited for: gRPC's remarks on it would cut the progress.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from service.play.command import main

__all__ = ["main"]
