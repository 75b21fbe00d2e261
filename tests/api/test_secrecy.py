"""What a seat is sent never says what it may not know."""

import asyncio
import logging
import random
import re
from typing import Any

import pytest
import structlog
from stammtisch.double_tricks.v1 import double_tricks_pb2
from stammtisch.table.v1 import service_pb2 as table_service_pb2

from service.fold import Step
from service.games.double_tricks.events import CardPlayed, Dealt, TrickWon
from service.games.double_tricks.state import State
from tests.api.house import AUDITOR_KEY, CREATOR_KEY, NAMES, Created, House, bearer, failed, rest

OPTIONS = double_tricks_pb2.Options(hand_sizes=[1, 3, 5], sets=1)  # one set, so that every card is there once
CARD = re.compile(rb"(?:[CSHD][2-9TJQKA]|POPE|FOOL)/(?:[CSHD][2-9TJQKA]|POPE|FOOL)")


def hidden_cards(steps: list[Step], seat: int | None) -> dict[int, set[bytes]]:
    """Return for each version the cards that a seat may not know: in others' hands or undealt, and not seen."""
    hidden, seen, trick, last_trick = {}, set[str](), set[str](), set[str]()
    for step in steps:
        for event in step.entry.events:
            if isinstance(event, Dealt):
                seen = {str(event.turn_up), *last_trick}  # which a view still shows
            if isinstance(event, CardPlayed):
                trick.add(str(event.card))
                seen |= trick
            if isinstance(event, TrickWon):
                trick, last_trick = set(), trick
        state: State = step.table.state
        others = [cards for owner, cards in enumerate(state.hands, 1) if owner != seat]
        cards = {str(card) for some in (*others, state.round.stock) for card in some}
        hidden[step.table.head.version] = {card.encode() for card in cards - seen}
    return hidden


def leaks(messages: list[Any], hidden: dict[int, set[bytes]]) -> list[tuple[int, set[bytes]]]:
    found = [(each.version, hidden[each.version] & set(CARD.findall(_told(each)))) for each in messages]
    return [leak for leak in found if leak[1]]


def _told(message: Any) -> bytes:
    """Return what a message tells besides the options, which name every card there is."""
    told = type(message)()
    told.CopyFrom(message)
    for part in (told, getattr(told, "snapshot", told)):
        if "options" in part.DESCRIPTOR.fields_by_name:
            part.ClearField("options")
    return bytes(told.SerializeToString())


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_nobody_is_sent_a_card_before_it_may_be_known(home: House, seed: int) -> None:
    chance, seats = random.Random(seed), range(1, 4)
    created = await home.create(seats=[{}] * 3, options=OPTIONS, spectators=True)
    streams = {seat: home.watch(created, seat) for seat in (*seats, None)}
    for stream in streams.values():
        await stream.read()
    sent: dict[int | None, list[Any]] = {seat: [] for seat in streams}
    running = True
    while running:
        views = {seat: await home.view(created, seat) for seat in streams}
        for seat, view in views.items():
            sent[seat].append(view)
        (turn,) = views[1].table.seats_to_act
        answer = await home.act(created, turn, chance.choice(views[turn].legal))
        sent[turn].append(answer)
        running = bool(answer.table.seats_to_act)
    steps = await home.guests.tables.steps(created.table_id, 0)
    for seat, stream in streams.items():
        frames = [frame for frame in await rest(stream) if frame.WhichOneof("frame") != "closed"]
        assert len(frames) == len(steps) - 2
        hidden = hidden_cards(steps, seat)
        assert any(hidden.values())
        assert leaks(sent[seat] + frames, hidden) == []


async def test_the_search_for_leaks_finds_one(home: House) -> None:
    created = await home.create(seats=[{}] * 3, options=OPTIONS)
    steps = await home.guests.tables.steps(created.table_id, 0)
    assert leaks([await home.view(created, 2)], hidden_cards(steps, 1))


async def test_a_seats_answers_are_not_sent_to_another_from_memory(home: House) -> None:
    """Frames are encoded once: for each seat its own."""
    created = await home.create()
    streams = {seat: home.watch(created, seat, from_version=0) for seat in (1, 2)}
    first, second = [[await stream.read() for _ in range(2)][-1].step for stream in streams.values()]
    assert first.view.hand != second.view.hand
    assert first.happened[0].dealt.hands[0].cards
    assert not second.happened[0].dealt.hands[0].cards


async def test_log_lines_carry_no_secret(home: House) -> None:
    lines: list[str] = []

    def keep(_logger: Any, _method: str, line: Any) -> Any:
        lines.append(repr(line) + repr(getattr(line.get("exc_info"), "args", "")))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[structlog.contextvars.merge_contextvars, keep])
    records = logging.getLogger()
    heard = logging.Handler(logging.DEBUG)
    heard.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    records.addHandler(heard)
    try:
        created = await _live_through_everything(home)
    finally:
        records.removeHandler(heard)
        structlog.configure(**before)
    tables = await home.guests.tables.steps(created.table_id, 0)
    charter = tables[-1].table.charter
    tokens = [metadata[0][1].removeprefix("Bearer ") for metadata in (created.admin, *created.seats.values())]
    secrets = [*tokens, *NAMES, CREATOR_KEY, AUDITOR_KEY, charter.root.hex(), repr(charter.root)]
    text = "\n".join(lines)
    assert "history changed" in text
    assert "unavailable" in text
    assert "table lost" in text
    assert [secret for secret in secrets if secret in text] == []
    assert not CARD.search(text.encode())


async def _live_through_everything(home: House) -> Created:
    """Play a game during which everything happens that is worth a line."""
    created = await home.create(bearer(CREATOR_KEY))
    stream = home.watch(created)
    await stream.read()
    await home.move(created)
    home.log.truncate(created.table_id, 2)
    await home.move(created)
    home.log.down = True
    await failed(home.view(created))
    home.log.announce_gap(created.table_id)
    await rest(stream)
    home.log.down = False
    await failed(home.act(created, 1, double_tricks_pb2.Command(bid=double_tricks_pb2.Bid(tricks=77))))
    await home.play(created)
    stored = home.log.entries(created.table_id)
    home.log.rewrite(created.table_id, [*stored, b"\xff"])
    await failed(home.view(created))
    home.log.rewrite(created.table_id, stored)
    request = table_service_pb2.GetLogRequest(table_id=created.table_id)
    await home.table.GetLog(request, metadata=bearer(AUDITOR_KEY))
    return created


async def test_a_lines_request_id_is_the_one_of_its_call(home: House) -> None:
    seen: dict[str, str] = {}
    created = await home.create()
    look = home.guests.tables.look

    async def looked(table_id: str) -> Any:
        for _ in range(3):
            await asyncio.sleep(0)
        seen[table_id] = structlog.contextvars.get_contextvars()["request"]
        return await look(table_id)

    tables = [created, await home.create(), await home.create()]
    home.guests.tables.look = looked  # type: ignore[method-assign]
    structlog.contextvars.clear_contextvars()
    await asyncio.gather(
        *(
            home.table.GetTable(
                table_service_pb2.GetTableRequest(table_id=each.table_id),
                metadata=(*each.seats[1], ("x-request-id", f"request of {each.table_id}")),
            )
            for each in tables
        )
    )
    assert seen == {each.table_id: f"request of {each.table_id}" for each in tables}
    assert structlog.contextvars.get_contextvars() == {}
