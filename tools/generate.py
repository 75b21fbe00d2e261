"""Generate Python messages, the descriptors that Envoy transcodes by, and the pages that describe API and settings."""

import json
import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from service import config
from tools.openapi import describe

PROTOCOL = "v1"
ROOT = Path(__file__).parent.parent
PROTOS = ROOT / "proto"
INSTALLED = Path(sysconfig.get_path("purelib"))  # holds google/api and google/rpc
WELL_KNOWN = INSTALLED / "grpc_tools" / "_proto"
ERRORS = ("google/rpc/error_details.proto", "google/rpc/status.proto")  # not imported, but sent and transcoded


def generate(root: Path) -> None:
    """Write all generated files below `root`, which has the repository's layout."""
    messages, door = root / "clients" / "python", root / "deploy" / "envoy"
    ours = protos()
    for stale in (messages / "stammtisch").rglob("*_pb2*"):
        stale.unlink()
    messages.mkdir(parents=True, exist_ok=True)
    door.mkdir(parents=True, exist_ok=True)
    _protoc(f"--descriptor_set_out={door / 'api.binpb'}", "--include_imports", *ours, *ERRORS)
    _protoc(*(f"--{kind}_out={messages}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")), *ours)
    description = describe(commented(), PROTOCOL)
    (door / "openapi.json").write_text(json.dumps(description, indent=1, ensure_ascii=False) + "\n")
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs" / "settings.md").write_text(config.page())


def protos() -> list[str]:
    """Return our own protos, as protoc names them."""
    return sorted(path.relative_to(PROTOS).as_posix() for path in PROTOS.rglob("*.proto"))


def commented() -> FileDescriptorSet:
    """Return all descriptors with their comments: an image, as buf calls it."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "image.binpb"
        _protoc(f"--descriptor_set_out={path}", "--include_imports", "--include_source_info", *protos(), *ERRORS)
        return FileDescriptorSet.FromString(path.read_bytes())


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
