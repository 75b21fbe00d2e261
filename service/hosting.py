"""Hosting: what comes of the table's own commands, the same for every game. The audit decides them again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stammtisch.table.v1 import entry_pb2, table_pb2

from service.fold import FORMING, REVEALING, RUNNING, Table
from service.kit.game import Standing
from service.seating import PERSON, reveal, take


class Idle(Exception):
    """There is nothing to be done by that command now."""


def decide(table: Table, seat: int, command: Any) -> tuple[Any, ...]:  # noqa: PLR0911 - one for each command
    """Return what comes of a command of the table's own, or raise Idle, NoSeat or ContributionUnfit."""
    match command:
        case entry_pb2.TakeSeat():
            return (take(table.seating, command),)
        case entry_pb2.StartTable():
            return _started(table, command)
        case entry_pb2.LeaveSeat():
            return _left(table, seat)
        case entry_pb2.ReturnToSeat():
            return _resumed(table, seat)
        case entry_pb2.Reveal():
            _check_hiding(table, seat)
            return (reveal(table.seating, seat, command.contribution),)
        case entry_pb2.MissReveal():
            _check_hiding(table, command.seat)
            return (entry_pb2.ContributionMissed(seat=command.seat),)
        case entry_pb2.RunOutClock():
            return _ran_out(table, command.seat)
        case entry_pb2.PauseClocks():
            return (entry_pb2.ClocksPaused(from_ms=command.from_ms, to_ms=command.to_ms),)
        case entry_pb2.NotePresence():
            return (_noted(table, command),)
        case _:
            raise Idle


def dealers(table: Table) -> Any | None:
    """Return what the dealer does now, if anything: in a fork first of all deal anew what is hidden, if it is to be."""
    game, origin = table.charter.game, table.charter.forked_from
    if origin and origin.cards == table_pb2.CARDS_REDEALT and table.deals == 0:
        anew = game.redeal(table.state, table.draw())
        if anew is not None:
            return anew
    return game.chance(table.state, table.draw())


def end(
    table: Table, status: table_pb2.Status.ValueType, standings: Sequence[Standing] = ()
) -> tuple[entry_pb2.EndTable, tuple[entry_pb2.TableEnded]]:
    """Return the command that ends a table and what comes of it: the root is revealed."""
    lines = [table_pb2.Standing(seat=line.seat, rank=line.rank, score=line.score) for line in standings]
    ended = entry_pb2.TableEnded(status=status, root=table.charter.root, standings=lines)
    return entry_pb2.EndTable(status=status), (ended,)


def forfeited(standings: Sequence[Standing], seat: int) -> tuple[Standing, ...]:
    """Return a standing in which a seat comes last, whatever its score, and the others as they were."""
    others = [line for line in standings if line.seat != seat]
    ranks = {line.seat: 1 + sum(better.rank < line.rank for better in others) for line in others}
    lost = {line.seat: line.score for line in standings}[seat]
    return (*(replace(line, rank=ranks[line.seat]) for line in others), Standing(seat, len(standings), lost))


def _started(table: Table, command: entry_pb2.StartTable) -> tuple[Any, ...]:
    """Begin with what is open given to bots; where nothing is open, only begin."""
    if table.begins:
        return (entry_pb2.TableStarted(),)
    if table.status != FORMING:
        raise Idle
    return tuple(entry_pb2.BotSeated(seat=seat, bot=command.bot) for seat in table.seating.open_seats)


def _left(table: Table, seat: int) -> tuple[Any, ...]:
    chair = table.seating.chair(seat)
    if chair.kind != PERSON or chair.away:
        raise Idle
    return (entry_pb2.SeatLeft(seat=seat),)


def _resumed(table: Table, seat: int) -> tuple[Any, ...]:
    if not table.seating.chair(seat).away:
        raise Idle
    return (entry_pb2.SeatResumed(seat=seat),)


def _check_hiding(table: Table, seat: int) -> None:
    if table.status != REVEALING or not table.seating.chair(seat).hides:
        raise Idle


def _ran_out(table: Table, seat: int) -> tuple[Any, ...]:
    clock = table.charter.terms.clock
    if table.status != RUNNING or table.deadline(seat) is None or clock is None:
        raise Idle
    event = entry_pb2.ClockRanOut(seat=seat)
    if clock.time_out == table_pb2.TIME_OUT_BOT_FROM_NOW_ON:
        return (event, entry_pb2.SeatLeft(seat=seat))
    return (event,)


def _noted(table: Table, note: entry_pb2.NotePresence) -> entry_pb2.PresenceNoted:
    chair = table.seating.chair(note.seat)
    if chair.kind != PERSON or not table.follows_presence or (note.process in chair.processes) == note.connected:
        raise Idle
    return entry_pb2.PresenceNoted(seat=note.seat, process=note.process, connected=note.connected)
