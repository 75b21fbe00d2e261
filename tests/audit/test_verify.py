import asyncio
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from stammtisch.table.v1 import entry_pb2, table_pb2

from service.audit import exported
from service.audit.exported import Exported
from service.audit.trouble import Differs, Unusable
from service.audit.verify import told, verify
from service.games import GAMES
from service.kit.options import options_of
from service.seal import Seal
from service.wire import WIRES
from tests.audit.forging import changed, forged, rewritten, root, seal
from tests.audit.games import KEYS, play, small
from tests.games.story import known_of

WIRE = WIRES["double_tricks"]
GAME = GAMES["double_tricks"]
Message = entry_pb2.Entry


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(small()).log


@pytest.fixture(scope="module")
def running() -> Exported:
    return asyncio.run(small(commands=3)).log


def at(version: int, change: Callable[[Message], Any]) -> Callable[[Message], None]:
    """Return a change of one entry."""

    def change_one(message: Message) -> None:
        if message.version == version:
            change(message)

    return change_one


def differs(data: bytes, match: str) -> None:
    with pytest.raises(Differs, match=match):
        verify(data)


# What holds


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
async def test_whole_games_hold(game: str, seed: int) -> None:
    short = known_of(GAMES[game]).short
    options = {name: getattr(short, name) for name in options_of(type(short))}
    for seats in GAMES[game].seats:
        played = await play(game, seats, options, seed)
        verified = verify(exported.write(played.log))
        assert (verified.status, verified.head) == ("finished", played.versions[-1].head)
        assert verified.entries == len(played.log.entries)
        assert verified.commands == verified.command_ids == len(played.versions) - 1
        assert verified.entries == verified.commands + verified.shuffles + 2
        assert verified.standings == seats


async def test_it_says_what_was_checked_and_how_many() -> None:
    sentences = "\n".join(told(verify(exported.write((await play()).log))))
    for figure in (
        "172 entries chained",
        "160 command ids",
        "20 sealed facts opened",
        "10 shuffles recomputed",
        "160 commands decided again",
        "4 standings",
        "version 172, hash ",
    ):
        assert figure in sentences


async def test_every_option_and_size_of_game_holds() -> None:
    options = {"dealer_restriction": True, "hand_sizes": (3, 1, 2), "start_points": 0, "first_dealer": 2}
    assert verify(exported.write((await play(seats=3, options=options)).log)).shuffles == 3


async def test_a_closed_table_is_checked_as_far_as_it_was_played() -> None:
    verified = verify(exported.write((await small(commands=2, close=True)).log))
    assert (verified.status, verified.commands, verified.command_ids, verified.shuffles) == ("closed", 2, 3, 1)
    assert verified.standings == 0


def test_of_a_running_table_it_says_what_could_not_be_checked(running: Exported) -> None:
    data = exported.write(running)
    verified = verify(data)
    assert (verified.status, verified.sealed, verified.shuffles, verified.commands) == ("running", 2, 0, 0)
    assert "Not checked, as the table is running and 2 facts are sealed" in "\n".join(told(verified))
    assert b'"sealed":2' in data
    assert b'"status":"running"' in data


# A log that somebody chained again


def test_a_changed_command_is_refused_or_leads_elsewhere(log: Exported) -> None:
    def bid(tricks: int) -> bytes:
        message: bytes = WIRE.messages.Command(bid=WIRE.messages.Bid(tricks=tricks)).SerializeToString()
        return message

    differs(
        forged(log, at(3, lambda entry: setattr(entry.command, "game", bid(2)))), "version 3: .* refuses its command"
    )
    differs(
        forged(log, at(3, lambda entry: setattr(entry.command, "game", bid(1)))),
        "version 3: its event 1 is BidMade seat=2 tricks=0, but double_tricks/1 gives BidMade seat=2 tricks=1",
    )


def test_a_command_of_another_seat_is_refused(log: Exported) -> None:
    differs(forged(log, at(3, lambda entry: setattr(entry, "seat", 1))), "version 3: .* refuses its command")
    differs(forged(log, at(3, lambda entry: setattr(entry, "seat", 3))), "version 3: there is no seat 3")
    differs(forged(log, at(3, lambda entry: setattr(entry, "seat", -1))), "version 3: there is no seat -1")


def test_an_event_too_many_or_too_few_is_named(log: Exported) -> None:
    differs(forged(log, at(4, lambda entry: entry.events.append(entry.events[0]))), "version 4: its event 2 is BidMade")
    differs(forged(log, at(6, lambda entry: entry.events.pop())), "version 6: its event 3 is -, but .* RoundScored")


def test_a_changed_score_is_named(log: Exported) -> None:
    def richer(entry: Message) -> None:
        event = WIRE.messages.Event.FromString(entry.events[-1].game)
        event.round_scored.scores[0].points += 1
        entry.events[-1].game = event.SerializeToString(deterministic=True)

    differs(forged(log, at(6, richer)), "version 6: its event 3 is RoundScored")


def test_a_changed_standing_is_named(log: Exported) -> None:
    def swapped(entry: Message) -> None:
        first, second = entry.events[0].table.table_ended.standings
        first.seat, second.seat = second.seat, first.seat

    differs(forged(log, at(7, swapped)), "version 7: its event 1 .*the game is over and calls for TableEnded")


def test_a_finished_table_cannot_be_called_closed(log: Exported) -> None:
    def closed(entry: Message) -> None:
        entry.command.table.end_table.status = table_pb2.STATUS_CLOSED
        entry.events[0].table.table_ended.status = table_pb2.STATUS_CLOSED

    differs(forged(log, at(7, closed)), "version 7: its command is .*CLOSED, but the game is over")


@pytest.mark.parametrize("status", [0, 1, 77])
def test_an_end_of_an_unknown_kind_is_named(log: Exported, status: Any) -> None:
    def odd(entry: Message) -> None:
        entry.command.table.end_table.status = status
        entry.events[0].table.table_ended.status = status

    differs(forged(log, at(7, odd)), "version 7: its command")


def test_another_root_is_not_the_one_committed_to(log: Exported) -> None:
    other = bytes(32)
    differs(
        forged(log, at(7, lambda entry: setattr(entry.events[0].table.table_ended, "root", other))),
        "version 1: the table committed itself to another root",
    )


def test_another_root_with_its_own_commitment_opens_no_seal(log: Exported) -> None:
    other = bytes(32)

    def change(entry: Message) -> None:
        if entry.version == 1:
            entry.events[0].table.table_created.commitment = hashlib.sha256(other).digest()
        if entry.version == 7:
            entry.events[0].table.table_ended.root = other

    differs(forged(log, change), "version 2: a sealed fact does not open")


def test_another_root_sealed_again_with_it_gives_other_shuffles(log: Exported) -> None:
    other = bytes(32)

    def change(entry: Message) -> None:
        if entry.version == 1:
            entry.events[0].table.table_created.commitment = hashlib.sha256(other).digest()
        if entry.version == 2:
            reseal(entry, seal(log), Seal(other, log.table_id))
        if entry.version == 7:
            entry.events[0].table.table_ended.root = other

    differs(forged(log, change), "version 2: its command is Deal .*root and the seats' contributions give Deal")


def test_a_changed_contribution_gives_other_shuffles(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].table.table_created.contributions[1] = bytes(32)

    differs(forged(log, at(1, change)), "version 2: its command is Deal")


def test_a_shuffle_changed_consistently_by_somebody_who_knows_the_root_is_caught(log: Exported) -> None:
    """Swap two cards of the stock, which nobody has seen, in the command and the event, and seal both again."""

    def change(entry: Message) -> None:
        opener = seal(log)
        command = WIRE.decode_command(WIRE.messages.Command.FromString(opened(opener, entry, 0)))
        *rest, last_but_one, last = command.pack
        deal = type(command)(command.dealer, (*rest, last, last_but_one))
        facts = (WIRE.encode_command(deal), WIRE.encode_event(GAME.decide(start(log), 0, deal)[0]))
        for place, fact in enumerate(facts):
            sealed = (entry.command, *entry.events)[place].sealed
            sealed.nonce, sealed.box = opener.close(2, place, fact.SerializeToString(deterministic=True))

    differs(forged(log, at(2, change)), "version 2: its command is Deal .*, but the table's root")


def test_a_sealed_box_that_was_changed_does_not_open(log: Exported) -> None:
    def change(entry: Message) -> None:
        box = entry.events[0].sealed.box
        entry.events[0].sealed.box = box[:-1] + bytes([box[-1] ^ 1])

    differs(forged(log, at(2, change)), "version 2: a sealed fact does not open")


def test_a_sealed_box_from_another_place_does_not_open(log: Exported) -> None:
    def swap(entry: Message) -> None:
        command, event = entry.command.sealed, entry.events[0].sealed
        command.nonce, event.nonce = event.nonce, command.nonce
        command.box, event.box = event.box, command.box

    differs(forged(log, at(2, swap)), "version 2: a sealed fact does not open")


def test_a_box_that_holds_no_fact_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        sealed = entry.events[0].sealed
        sealed.nonce, sealed.box = seal(log).close(2, 1, b"\xff")

    differs(forged(log, at(2, change)), "version 2: a sealed fact cannot be read")


def test_a_box_whose_fact_is_encoded_otherwise_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        unknown_field = opened(seal(log), entry, 1) + b"\xf8\x07\x01"
        sealed = entry.events[0].sealed
        sealed.nonce, sealed.box = seal(log).close(2, 1, unknown_field)

    differs(forged(log, at(2, change)), "version 2: its bytes are not those that the service would have written")


def test_a_changed_public_face_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        event = WIRE.messages.Event.FromString(entry.events[0].sealed.face)
        event.dealt.turn_up = "CA/H2" if event.dealt.turn_up != "CA/H2" else "SA/D2"
        entry.events[0].sealed.face = event.SerializeToString(deterministic=True)

    differs(forged(log, at(2, change)), "version 2: the public face of event 1 is not what everybody may see")


def test_a_public_face_that_shows_the_hands_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].sealed.face = opened(seal(log), entry, 1)

    differs(forged(log, at(2, change)), "version 2: the public face of event 1")


def test_a_private_fact_that_is_not_sealed_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.events[0].game = opened(seal(log), entry, 1)

    differs(forged(log, at(2, change)), "version 2: its event 1 is private, but not sealed")


def test_an_open_fact_that_is_sealed_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        nonce, box = seal(log).close(3, 1, entry.events[0].game)
        entry.events[0].sealed.CopyFrom(entry_pb2.Sealed(nonce=nonce, box=box, face=entry.events[0].game))

    differs(forged(log, at(3, change)), "version 3: the public face of event 1 is not what everybody may see")


def test_a_deal_left_out_is_named(log: Exported) -> None:
    entries = [renumbered(data, version) for version, data in enumerate((log.entries[0], *log.entries[2:]), 1)]
    differs(rewritten(log, entries), "version 2: its seat is 2, but the table's root .* give 0")


def test_a_deal_doubled_is_named(log: Exported) -> None:
    twice = (*log.entries[:2], log.entries[1], *log.entries[2:])
    entries = [renumbered(data, version) for version, data in enumerate(twice, 1)]
    differs(rewritten(log, entries), "version 3: a sealed fact does not open")


def test_what_the_dealer_had_no_cause_for_is_named(log: Exported) -> None:
    def change(entry: Message) -> None:
        entry.seat, entry.command_id = 0, b""

    differs(forged(log, at(3, change)), "version 3: it is the dealer's, who had nothing to do")


def test_an_entry_after_the_end_is_named(log: Exported) -> None:
    for last in (log.entries[-1], log.entries[-2]):
        entries = [*log.entries, renumbered(last, 8)]
        differs(rewritten(log, entries), "version 8: it follows the table's end")


def test_an_end_before_its_time_is_named(log: Exported) -> None:
    entries = [*log.entries[:4], renumbered(log.entries[-1], 5)]
    differs(rewritten(log, entries), "version 5: its command is .*FINISHED, but .*CLOSED")


def test_a_creation_in_the_middle_is_named(log: Exported) -> None:
    entries = [*log.entries[:4], renumbered(log.entries[0], 5, after=log.entries[3])]
    differs(rewritten(log, entries), "version 5: it has facts of the table that do not belong there")


def test_time_that_runs_back_is_named(log: Exported) -> None:
    differs(forged(log, at(5, lambda entry: setattr(entry, "time_ms", 1))), "version 5: its time runs back")
    differs(forged(log, at(1, lambda entry: setattr(entry, "time_ms", -1))), "version 1: its time runs back")
    differs(
        forged(log, at(7, lambda entry: setattr(entry, "time_ms", 2**62))), "version 7: its time .* out of all bounds"
    )


def test_what_follows_by_itself_happens_in_the_same_moment(log: Exported) -> None:
    def later(entry: Message) -> None:
        entry.time_ms += 5

    differs(forged(log, at(7, later)), "version 7: its time is")


def test_a_command_id_used_twice_is_named(log: Exported) -> None:
    first = Message.FromString(log.entries[2]).command_id
    differs(
        forged(log, at(5, lambda entry: setattr(entry, "command_id", first))), "version 5: .* command id of version 3"
    )


@pytest.mark.parametrize(("version", "length"), [(1, 16), (2, 16), (3, 0), (3, 15), (3, 17), (7, 15)])
def test_a_command_id_of_a_wrong_length_is_named(log: Exported, version: int, length: int) -> None:
    differs(
        forged(log, at(version, lambda entry: setattr(entry, "command_id", bytes(length)))),
        f"version {version}: its command id has {length} bytes",
    )


def test_an_end_by_itself_has_no_command_id(log: Exported) -> None:
    differs(forged(log, at(7, lambda entry: setattr(entry, "command_id", bytes(16)))), "version 7: its command id is")


# Form, on a running table too, where nobody else would notice


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_unknown_field_is_named(running: Exported, version: int) -> None:
    entries = list(running.entries)
    entries[version - 1] += b"\xf8\x07\x01"
    differs(rewritten(running, entries), f"version {version}: its bytes are not the canonical encoding of an Entry")


def test_bytes_that_are_no_entry_are_named(running: Exported) -> None:
    with pytest.raises(Differs, match="version 3: its bytes are no Entry"):
        rewritten(running, [*running.entries[:2], b"\xff", *running.entries[3:]])


@pytest.mark.parametrize("data", [b"\xff", b"", b"\xf8\x07\x01"])
def test_a_fact_that_cannot_be_read_is_named(running: Exported, data: bytes) -> None:
    differs(forged(running, at(3, lambda entry: setattr(entry.command, "game", data))), "version 3: its command")
    differs(forged(running, at(3, lambda entry: setattr(entry.events[0], "game", data))), "version 3: its event 1")


def test_a_fact_with_an_unknown_field_is_named(running: Exported) -> None:
    def change(entry: Message) -> None:
        entry.command.game += b"\xf8\x07\x01"

    differs(forged(running, at(3, change)), "version 3: the bytes of its command are not the canonical encoding")


def test_a_missing_fact_is_named(running: Exported) -> None:
    differs(forged(running, at(3, lambda entry: entry.ClearField("command"))), "version 3: its command is missing")
    differs(forged(running, at(3, lambda entry: entry.events.add())), "version 3: its event 2 is missing")
    differs(
        forged(running, at(3, lambda entry: entry.events.add().table.SetInParent())),
        "version 3: its event 2 is missing",
    )


def test_a_seal_of_another_kind_is_named(running: Exported) -> None:
    def short_nonce(entry: Message) -> None:
        entry.command.sealed.nonce = bytes(11)

    def short_box(entry: Message) -> None:
        entry.command.sealed.box = bytes(16)

    def face(entry: Message) -> None:
        entry.command.sealed.face = b"\n\0"

    differs(forged(running, at(2, short_nonce)), "version 2: its command is not sealed as facts are")
    differs(forged(running, at(2, short_box)), "version 2: its command is not sealed as facts are")
    differs(forged(running, at(2, face)), "version 2: its command is private, but has a public face")


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("table_id", "00.aaaaaaaaaaaaaaaaaa", "version 3: it belongs to another table"),
        ("version", 4, "version 3: it says that it is version 4"),
        ("rules", "double_tricks/2", "version 3: it was decided by other rules"),
    ],
)
def test_an_entry_that_does_not_belong_there_is_named(running: Exported, name: str, value: Any, match: str) -> None:
    differs(forged(running, at(3, lambda entry: setattr(entry, name, value))), match)


def test_a_log_that_begins_otherwise_is_named(running: Exported) -> None:
    with pytest.raises(Differs, match="it does not begin with the table's creation"):
        forged(running, at(1, lambda entry: entry.ClearField("events")))
    with pytest.raises(Differs, match="it does not begin with the table's creation"):
        rewritten(running, [])


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda created: created.ClearField("key_id"), "does not name the key"),
        (lambda created: setattr(created, "key_id", "\x1b[2J"), "does not name the key"),
        (lambda created: created.ClearField("commitment"), "does not commit"),
        (lambda created: created.contributions.append(b"1"), "a seat's contribution has a wrong length"),
        (lambda created: created.ClearField("contributions"), "the game is not for so many seats"),
        (lambda created: setattr(created, "options", b"\xff"), "its options cannot be played"),
        (lambda created: setattr(created, "options", b""), "bytes of its options are not the canonical encoding"),
    ],
)
def test_a_creation_that_no_table_begins_with_is_named(running: Exported, change: Any, match: str) -> None:
    data = forged(running, at(1, lambda entry: change(entry.events[0].table.table_created)))
    differs(data, f"version 1: .*{match}")


def test_options_that_cannot_be_played_are_named(running: Exported) -> None:
    def change(entry: Message) -> None:
        options = WIRE.messages.Options.FromString(entry.events[0].table.table_created.options)
        options.hand_sizes[0] = 27
        entry.events[0].table.table_created.options = options.SerializeToString(deterministic=True)

    differs(forged(running, at(1, change)), "version 1: its options cannot be played: hand_sizes")


@pytest.mark.parametrize(("name", "rules"), [("double_tricks", "double_tricks/9"), ("skat", "skat/1")])
def test_rules_that_this_program_does_not_know_are_said_to_be_unknown(running: Exported, name: str, rules: str) -> None:
    def change(entry: Message) -> None:
        entry.rules = rules
        if entry.version == 1:
            entry.events[0].table.table_created.game = name

    with pytest.raises(Unusable, match=rf"is played by '{rules}'; this program knows .*double_tricks/1"):
        verify(forged(running, change))


# Every byte of every entry, chained again


def test_any_byte_changed_in_an_entry_and_chained_again_is_noticed_if_it_makes_a_difference_to_the_game(
    log: Exported,
) -> None:
    flips = [(number, place) for number, entry in enumerate(log.entries) for place in range(len(entry))]
    unnoticed = [(number, place) for number, place in flips if not _flip_is_noticed(log, number, place)]
    assert len(flips) > 1_200
    assert [flip for flip in unnoticed if not _only_the_head_vouches_for_it(log, *flip)] == []
    assert {number + 1 for number, _ in unnoticed} <= {1, 3, 4, 5, 6}


def _flipped(log: Exported, number: int, place: int) -> bytes:
    entry = log.entries[number]
    return entry[:place] + bytes([entry[place] ^ 1]) + entry[place + 1 :]


def _flip_is_noticed(log: Exported, number: int, place: int) -> bool:
    entries = list(log.entries)
    entries[number] = _flipped(log, number, place)
    try:
        verify(rewritten(log, entries))
    except (Differs, Unusable):
        return True
    return False


def _only_the_head_vouches_for_it(log: Exported, number: int, place: int) -> bool:
    """Whether what was changed is a command's id or time, or what was agreed on and came to nothing in this game."""

    def clear(entry: Message) -> None:
        entry.ClearField("command_id")
        entry.ClearField("time_ms")
        if entry.version == 1:
            for name in ("key_id", "spectators", "options"):
                entry.events[0].table.table_created.ClearField(name)

    return changed(log.entries[number], clear) == changed(_flipped(log, number, place), clear)


def opened(opener: Seal, entry: Message, place: int) -> bytes:
    sealed = (entry.command, *entry.events)[place].sealed
    return opener.open(entry.version, place, sealed.nonce, sealed.box)


def reseal(entry: Message, opener: Seal, closer: Seal) -> None:
    for place, fact in enumerate((entry.command, *entry.events)):
        data = opened(opener, entry, place)
        fact.sealed.nonce, fact.sealed.box = closer.close(entry.version, place, data)


def start(log: Exported) -> Any:
    created = Message.FromString(log.entries[0]).events[0].table.table_created
    return GAME.start(WIRE.decode(WIRE.messages.Options.FromString(created.options)), len(created.contributions))


def renumbered(data: bytes, version: int, after: bytes = b"") -> bytes:
    """Return an entry at another version, and no earlier than another."""

    def change(entry: Message) -> None:
        entry.version = version
        entry.time_ms = max(entry.time_ms, Message.FromString(after).time_ms)

    return changed(data, change)


def test_the_log_reveals_the_root_that_the_operators_key_gives(log: Exported) -> None:
    assert root(log) == KEYS.root(log.table_id, "k1")
