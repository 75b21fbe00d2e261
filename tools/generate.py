"""Generate from proto/: the Python messages with typed stubs, and the descriptor set that Envoy transcodes by."""

import shutil
import sys
import sysconfig
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).parent.parent
PROTOS = ROOT / "proto"
INSTALLED = Path(sysconfig.get_path("purelib"))  # holds google/api and google/rpc
WELL_KNOWN = INSTALLED / "grpc_tools" / "_proto"
ERRORS = ("google/rpc/error_details.proto", "google/rpc/status.proto")  # not imported, but sent and transcoded


def generate(root: Path) -> None:
    """Write all generated files below `root`, which has the repository's layout."""
    messages, descriptors = root / "clients" / "python", root / "deploy" / "envoy" / "api.binpb"
    ours = sorted(path.relative_to(PROTOS).as_posix() for path in PROTOS.rglob("*.proto"))
    for stale in (messages / "stammtisch").rglob("*_pb2*"):
        stale.unlink()
    messages.mkdir(parents=True, exist_ok=True)
    descriptors.parent.mkdir(parents=True, exist_ok=True)
    _protoc(f"--descriptor_set_out={descriptors}", "--include_imports", *ours, *ERRORS)
    _protoc(*(f"--{kind}_out={messages}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")), *ours)


def _protoc(*arguments: str) -> None:
    include = [f"-I{path}" for path in (PROTOS, INSTALLED, WELL_KNOWN)]
    plugins = [
        f"--plugin=protoc-gen-{name}={shutil.which(f'protoc-gen-{name}', path=sysconfig.get_path('scripts'))}"
        for name in ("mypy", "mypy_grpc")
    ]
    if protoc.main(["protoc", *include, *plugins, *arguments]) != 0:
        sys.exit("protoc refused; see above")


if __name__ == "__main__":
    generate(ROOT)
