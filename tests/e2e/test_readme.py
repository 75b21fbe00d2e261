"""The README, as a newcomer would follow it."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.house.program import OPEN, SERVICE, free_port, running

ROOT = Path(__file__).parents[2]
BLOCKS, LOOKING_BACK = (
    re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    for page in ("README.md", "docs/looking-back.md")
)
PROMISED = "127.0.0.1:8080"


def test_its_transcript_plays_a_trick_that_can_be_looked_back_at(tmp_path: Path) -> None:
    transcript = "".join((*(block for block in BLOCKS if "playCard" in block), *LOOKING_BACK))
    listen = f"127.0.0.1:{free_port()}"
    with running(module=SERVICE, data=tmp_path / "data", listen=listen) as house:
        house.says(OPEN)
        said = subprocess.run(
            ("bash", "-euo", "pipefail", "-c", transcript.replace(PROMISED, listen)),
            capture_output=True, check=False, text=True, timeout=60,
        )  # fmt: skip
    assert said.returncode == 0, said.stderr
    bid, other_bid, card, last, hand_then, bid_then = (json.loads(line) for line in said.stdout.splitlines())
    assert bid == [{"bidMade": {"seat": 1, "tricks": 1}}]
    assert other_bid == [{"bidMade": {"seat": 2, "tricks": 0}}]
    assert [next(iter(event)) for event in card] == ["cardPlayed"]
    assert [next(iter(event)) for event in last] == ["cardPlayed", "trickWon", "roundScored", "dealt"]
    assert [len(hand["cards"]) for hand in last[-1]["dealt"]["hands"]] == [0, 2], "Bo sees his own hand and not Ada's"
    assert [held["card"] for held in hand_then] == [card[0]["cardPlayed"]["card"]]
    assert bid_then == bid


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_it_promises_two_commands(command: str) -> None:
    assert any(line.startswith(command) for block in BLOCKS for line in block.splitlines())


def test_its_verbs_exist() -> None:
    verbs = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        assert set(re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE)) <= verbs


def test_its_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md"):
        links = re.findall(r"\]\(([^)#]+)\)", page.read_text())
        assert not [link for link in links if "://" not in link and not (page.parent / link).exists()]
