"""What is generated is what the protos and the settings say now, and the protos keep their promises."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tools.generate import PROTOS, ROOT, commented, generate

BUF = shutil.which("buf", path=sysconfig.get_path("scripts")) or "buf"
TABLE = "stammtisch/table/v1/table.proto"
RELEASED = PROTOS / "released.binpb"  # renewed by `make release-protos`
GENERATED = ("clients/python/stammtisch/**/*_pb2*", "deploy/envoy/*.binpb", "deploy/envoy/*.json", "docs/settings.md")


def buf(directory: Path, verb: str, image: FileDescriptorSet, *options: str | Path) -> subprocess.CompletedProcess[str]:
    """Run buf on descriptors that protoc made, as buf itself would fetch google/api from the network."""
    path = directory / "image.binpb"
    path.write_bytes(image.SerializeToString())
    config = ("--config", str(PROTOS / "buf.yaml"), "--path", "stammtisch")
    return subprocess.run(
        (BUF, verb, path, *config, *options), cwd=directory, capture_output=True, text=True, check=False
    )


def files(root: Path) -> dict[str, bytes]:
    found = (path for pattern in GENERATED for path in root.glob(pattern) if "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def image() -> FileDescriptorSet:
    return commented()


def test_generating_again_changes_nothing(tmp_path: Path) -> None:
    generate(tmp_path)
    again, committed = files(tmp_path), files(ROOT)
    assert again.keys() == committed.keys()
    assert [name for name in committed if again[name] != committed[name]] == []
    assert len(committed) > 20


def test_the_protos_follow_the_style_and_everything_has_a_comment(tmp_path: Path, image: FileDescriptorSet) -> None:
    found = buf(tmp_path, "lint", image)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_a_missing_comment_would_be_found(tmp_path: Path, image: FileDescriptorSet) -> None:
    bare = FileDescriptorSet.FromString(image.SerializeToString())
    for location in next(file for file in bare.file if file.name == TABLE).source_code_info.location:
        location.ClearField("leading_comments")
    assert 'Message "NewSeat" should have a non-empty comment' in buf(tmp_path, "lint", bare).stdout


def test_the_protos_break_nobody_who_uses_the_released_ones(tmp_path: Path, image: FileDescriptorSet) -> None:
    found = buf(tmp_path, "breaking", image, "--against", RELEASED)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_a_field_that_changes_its_name_would_be_found(tmp_path: Path, image: FileDescriptorSet) -> None:
    changed = FileDescriptorSet.FromString(image.SerializeToString())
    table = next(file for file in changed.file if file.name == TABLE)
    table.message_type[0].field[0].name = "called"
    table.message_type[0].field[0].json_name = "called"
    assert "changed" in buf(tmp_path, "breaking", changed, "--against", RELEASED).stdout
