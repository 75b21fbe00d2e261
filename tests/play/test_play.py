import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterator

import pytest
from google.protobuf import json_format
from stammtisch import connect
from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.table.v1.service_pb2 import GameInfo, OptionInfo
from stammtisch.table.v1.table_pb2 import STATUS_FINISHED

from service.play import main
from service.play.door import CannotPlay
from service.play.options import read_options
from tests.client.served import CREATOR_KEY, free_port, serving

GAME = json_format.ParseDict(
    {
        "game": "tarock",
        "options": [
            {"name": "handSizes", "type": "list"},
            {"name": "tieBreak", "type": "enum", "values": ["TIE_BREAK_SHARED", "TIE_BREAK_EXACT_ROUNDS"]},
            {"name": "dealerRestriction", "type": "bool"},
            {"name": "startPoints", "type": "int"},
        ],
    },
    GameInfo(),
)


async def start(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.play", *arguments, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )


async def played(*arguments: str) -> tuple[int | None, list[str], str]:
    """Play, and return exit code, output and errors."""
    process = await start(*arguments)
    output, errors = await process.communicate()
    return process.returncode, output.decode().splitlines(), errors.decode()


async def test_whole_games_are_played_to_their_end() -> None:
    async with serving() as served:
        code, lines, _ = await played(
            "double_tricks", "--server", served.address, "--tables=5", "--seats=3", "--option=hand_sizes=2,1"
        )
        assert served.log.ended() == [True] * 5
    assert code == 0
    assert [line.split(":")[0] for line in lines[:5]] == [f"{number} of 5" for number in range(1, 6)]
    assert sorted(line.split(":")[0].strip() for line in lines[5:8]) == ["seat 1", "seat 2", "seat 3"]
    assert lines[8].startswith("All games came to their end: 5 tables, 75 commands in")
    assert "0 refusals" in lines[8]


async def test_seats_may_be_left_to_the_services_own_bots() -> None:
    async with serving() as served:
        code, lines, _ = await played(
            "double_tricks", "--server", served.address, "--seats=3", "--bots=2", "--option=hand_sizes=1"
        )
        assert served.log.ended() == [True]
    assert code == 0
    assert "1 table, 2 commands in" in lines[-1]


async def test_not_all_seats_may_be_left_to_bots() -> None:
    async with serving() as served:
        code, _, errors = await played("double_tricks", "--server", served.address, "--seats=3", "--bots=3")
    assert (code, errors) == (1, "Of 3 seats at least one is to be played: ask for fewer bots.\n")


async def test_quietly_only_the_end_is_printed() -> None:
    async with serving() as served:
        _, lines, _ = await played(
            "double-tricks", "--server", served.address, "--tables=2", "--option=handSizes=1", "--quiet"
        )
    assert len(lines) == 5


async def test_with_a_creators_key_tables_are_made_that_anybody_may_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAMMTISCH_TOKEN", CREATOR_KEY)
    async with serving(anybody_creates=False) as served:
        code, lines, _ = await played("double_tricks", "--server", served.address, "--option=handSizes=1")
        table_id = lines[0].split()[4].rstrip(":")
        async with connect(served.address) as client:
            assert (await client.seat(double_tricks_pb2, table_id).view()).table.status == STATUS_FINISHED
    assert code == 0


async def test_a_service_replaced_in_the_middle_is_waited_for() -> None:
    async with serving() as served:
        process = await start("double_tricks", "--server", served.address, "--tables=4")
        await served.log.holds(4, entries=10)
        await served.kill()
        await served.start()
        output, errors = await process.communicate()
        assert (process.returncode, errors) == (0, b"")
        assert served.log.ended() == [True] * 4
    assert b"All games came to their end: 4 tables, 640 commands" in output


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Processes inherit that it is not, where the tests run in a shell's background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
async def test_ctrl_c_closes_what_was_being_played() -> None:
    async with serving() as served:
        process = await start("double_tricks", "--server", served.address, "--tables=2")
        await served.log.holds(2, entries=10)
        os.kill(process.pid, signal.SIGINT)
        _, errors = await process.communicate()
        assert process.returncode == 130
        assert errors.startswith(b"Stopped. ")
        assert served.log.ended() == [True, True]


def test_where_nobody_answers_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["double_tricks", "--server", f"127.0.0.1:{free_port()}"]) == 1
    assert "Nobody answers at" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["poker"], "poker is not played here; these are: double_tricks"),
        (["double_tricks", "--option=nonsense=1"], "give name=value with one of double_tricks's options"),
        (["double_tricks", "--option=sets=9"], "options.sets: choose 1 to 2"),
        (["double_tricks", "--option=sets=many"], "Failed to parse sets field"),
        (["double_tricks", "--seats=99"], "Send 2 to"),
    ],
)
async def test_what_cannot_be_played_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    async with serving() as served:
        code, _, errors = await played(*arguments, "--server", served.address)
    assert code == 1
    assert sentence in errors


@pytest.mark.parametrize("arguments", [[], ["x", "--tables=0"], ["x", "--seats=no"], ["x", "--server=nowhere"]])
def test_a_command_line_that_makes_no_sense_shows_how_it_goes(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        main(arguments)
    assert exited.value.code == 2


def test_options_are_read_as_people_type_them() -> None:
    texts = ["hand_sizes=3,2,1", "tiebreak=exact_rounds", "dealerRestriction=true", "start_points=20"]
    assert read_options(GAME, texts) == {
        "handSizes": [3, 2, 1],
        "tieBreak": "TIE_BREAK_EXACT_ROUNDS",
        "dealerRestriction": True,
        "startPoints": 20,
    }


def test_a_list_of_names_is_read_as_people_type_it() -> None:
    game = GameInfo(options=[OptionInfo(name="soloTypes", type="list", values=["SOLO_CLUBS", "SOLO_JACKS"])])
    assert read_options(game, ["solo_types=jacks,clubs"]) == {"soloTypes": ["SOLO_JACKS", "SOLO_CLUBS"]}
    assert read_options(game, ["solo_types=queens"]) == {"soloTypes": ["queens"]}


@pytest.mark.parametrize("text", ["handSizes", "cards=1"])
def test_an_option_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(CannotPlay, match="handSizes, tieBreak"):
        read_options(GAME, [text])
