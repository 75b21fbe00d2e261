"""The house: everything that `make run` starts, in order, and stops in the opposite one."""

import os

# A child becomes another program at once and never touches gRPC. gRPC reads this when it is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
