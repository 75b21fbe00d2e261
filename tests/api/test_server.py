"""The server as operators see it: health, reflection, addresses, the list of games."""

import json
import socket as socketlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.table.v1 import service_pb2 as table_service_pb2
from stammtisch.table.v1 import table_pb2

from service.api.server import READINESS, Server
from service.games import GAMES
from service.kit.game import AnyGame
from service.kit.options import settled
from service.wire import WIRES
from tests.api.house import House, house, new_id
from tests.fuzz.contract import game_rpc

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


async def health(home: House, service: str) -> int:
    stub: Any = health_pb2_grpc.HealthStub(home.raw)
    answer: health_pb2.HealthCheckResponse = await stub.Check(health_pb2.HealthCheckRequest(service=service))
    return answer.status


async def test_a_server_lives_from_its_start_and_is_ready_when_told(home: House) -> None:
    for serving in (False, True, False):
        await home.server.ready(serving=serving)
        assert await health(home, "") == SERVING
        assert await health(home, READINESS) == (SERVING if serving else NOT_SERVING)


async def test_a_server_is_not_ready_before_it_is_told(home: House) -> None:
    assert await health(home, READINESS) == NOT_SERVING


async def test_a_server_that_stops_finishes_its_streams_first(socket: Path) -> None:
    async with house(socket) as home:
        stream = home.watch(await home.create())
        await stream.read()
        await home.server.stop(grace=5)
        assert (await stream.read()).closed.HasField("retry_after")
        assert await stream.read() == grpc.aio.EOF


@pytest.mark.parametrize("reflect", [True, False])
async def test_reflection_is_there_where_it_is_wanted(socket: Path, reflect: bool) -> None:
    async with house(socket, reflect=reflect) as home:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(home.raw)
        call = stub.ServerReflectionInfo()
        if reflect:
            await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
            names = {each.name for each in (await call.read()).list_services_response.service}
            assert {"stammtisch.table.v1.TableService", "stammtisch.double_tricks.v1.DoubleTricksService"} <= names
            await call.done_writing()
        else:
            assert await call.code() == grpc.StatusCode.UNIMPLEMENTED


async def test_an_address_in_use_is_an_error(home: House) -> None:
    with socketlib.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="something listens"):
        await Server(home.guests, reflect=False).start(f"127.0.0.1:{taken.getsockname()[1]}")


async def listed(home: House, game: str = "double_tricks") -> table_service_pb2.GameInfo:
    """Return what the list of games says of one."""
    answer: table_service_pb2.ListGamesResponse = await home.table.ListGames(table_service_pb2.ListGamesRequest())
    return next(info for info in answer.games if info.game == game)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_every_game_is_listed_with_all_its_options(home: House, game: AnyGame) -> None:
    info = await listed(home, game.name)
    assert (info.title, info.rules) == (game.title, game.rules)
    assert info.path == f"/v1/{game.name.replace('_', '-')}/tables"
    described = WIRES[game.name].messages.Options.DESCRIPTOR.fields_by_name
    assert [option.name for option in info.options] == [described[each.name].json_name for each in fields(game.options)]
    assert all(option.sentence for option in info.options)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_the_defaults_that_are_listed_are_those_of_the_game(home: House, game: AnyGame) -> None:
    wire, info = WIRES[game.name], await listed(home, game.name)
    defaults = {option.name: json.loads(option.default_json) for option in info.options}
    assert wire.decode(json_format.ParseDict(defaults, wire.messages.Options())) == game.options()


async def test_the_list_of_games_says_all_that_a_form_needs(home: House) -> None:
    info = await listed(home)
    assert (info.min_seats, info.max_seats) == (2, 8)
    assert info.service == "stammtisch.double_tricks.v1.DoubleTricksService"
    described = {option.name: option for option in info.options}
    assert {option.type for option in info.options} == {"bool", "int", "enum", "list"}
    assert (described["exactBonus"].min, described["exactBonus"].max) == (0, 100)
    assert not described["showTrickHistory"].HasField("min")
    assert not described["showTrickHistory"].profile_defaults
    assert list(described["bank"].values) == ["BANK_UNLIMITED", "BANK_MATERIAL"]
    assert described["sets"].refused_when
    assert (described["handSizes"].min_items, described["handSizes"].max_items) == (1, 20)
    assert not described["exactBonus"].HasField("max_items")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_table_tells_how_it_is_played_and_leaves_nothing_to_a_profile(home: House, game: AnyGame) -> None:
    create = game_rpc(game.name, "CreateTable")
    call = home.raw.unary_unary(create.path, create.request.SerializeToString, create.response.FromString)
    seats = [table_pb2.NewSeat() for _ in range(game.seats[0])]
    created: Any = await call(create.request(command_id=new_id(), seats=seats))
    assert created.options == WIRES[game.name].encode(settled(game.options()))


async def test_an_option_that_the_profile_decides_is_listed_with_each_profiles_default(home: House) -> None:
    described = {option.name: option for option in (await listed(home, "doppelkopf")).options}
    assert json.loads(described["profile"].default_json) == "PROFILE_POT"
    assert json.loads(described["followRule"].default_json) is None
    by_profile = {each.profile: json.loads(each.default_json) for each in described["followRule"].profile_defaults}
    assert by_profile == {
        "PROFILE_POT": "FOLLOW_RULE_FOLLOW_OR_TRUMP",
        "PROFILE_DDV": "FOLLOW_RULE_FOLLOW_ONLY",
        "PROFILE_DDV_TOURNAMENT": "FOLLOW_RULE_FOLLOW_ONLY",
    }
    assert json.loads(described["soloTypes"].profile_defaults[0].default_json) == ["SOLO_NORMAL"]
    assert [json.loads(each.default_json) for each in described["mandatorySolo"].profile_defaults] == [0, 0, 1]
    assert described["soloTypes"].values[0] == "SOLO_NORMAL"


async def test_the_defaults_that_are_listed_make_a_table(home: House) -> None:
    info = await listed(home)
    defaults = {option.name: json.loads(option.default_json) for option in info.options}
    created = await home.create(options=json_format.ParseDict(defaults, double_tricks_pb2.Options()))
    assert (await home.view(created)).view.hand_size == 1


async def test_whoever_looks_learns_how_the_table_is_played(home: House) -> None:
    info = await listed(home)
    defaults = {option.name: json.loads(option.default_json) for option in info.options}
    wanted = double_tricks_pb2.Options(exact_bonus=7, dealer_restriction=True)
    created = await home.create(options=wanted, spectators=True)
    options = (await home.view(created, None)).options
    shown = json_format.MessageToDict(options, always_print_fields_with_no_presence=True)
    assert shown == {**defaults, "exactBonus": 7, "dealerRestriction": True}
    assert (await home.watch(created).read()).snapshot.options == options
