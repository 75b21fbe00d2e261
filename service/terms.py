"""Terms: how a table is run, whatever is played at it. They never change."""

from dataclasses import dataclass

from google.protobuf import duration_pb2
from stammtisch.table.v1 import table_pb2

THINKING_MS = 1_000
REVEAL_WITHIN_MS = 60_000
REVEAL_WITHIN_SECONDS = range(5, 3_601)  # what may be asked for


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time people have: for each command, or for all commands together."""

    per_command_ms: int = 0
    per_game_ms: int = 0
    increment_ms: int = 0  # for each command, with time per game
    time_out: table_pb2.TimeOut.ValueType = table_pb2.TIME_OUT_DEFAULT_COMMAND


@dataclass(frozen=True, slots=True)
class Revealing:
    """How people reveal the contributions that they have committed themselves to."""

    within_ms: int = REVEAL_WITHIN_MS
    unrevealed: table_pb2.Unrevealed.ValueType = table_pb2.UNREVEALED_DEAL_WITHOUT


@dataclass(frozen=True, slots=True)
class Terms:
    """How a table is run."""

    listed: bool = False  # in the lobby, while there are open seats
    clock: Clock | None = None  # nobody has to hurry
    revealing: Revealing | None = None  # contributions are given in clear
    thinking_ms: int = THINKING_MS  # of bots
    stand_in: table_pb2.BotStrength.ValueType = table_pb2.BOT_STRENGTH_STEADY  # for people who are away
    gone_after_ms: int = 0  # until a table whose people are all gone ends; 0: it is not followed who is connected


UNHURRIED = Terms()


def read(message: table_pb2.Terms) -> Terms:
    """Return the terms that a log holds."""
    return Terms(
        listed=message.listed,
        clock=_clock(message.clock) if message.HasField("clock") else None,
        revealing=_revealing(message) if message.contributions == table_pb2.CONTRIBUTIONS_REVEALED else None,
        thinking_ms=message.thinking.ToMilliseconds(),
        stand_in=message.stand_in,
        gone_after_ms=message.gone_after.ToMilliseconds(),
    )


def written(terms: Terms) -> table_pb2.Terms:
    """Return the terms as a log holds them: complete."""
    revealing = terms.revealing
    return table_pb2.Terms(
        listed=terms.listed,
        clock=_clock_message(terms.clock) if terms.clock else None,
        thinking=duration(terms.thinking_ms),
        contributions=table_pb2.CONTRIBUTIONS_REVEALED if revealing else table_pb2.CONTRIBUTIONS_GIVEN,
        unrevealed=revealing.unrevealed if revealing else table_pb2.UNREVEALED_UNSPECIFIED,
        reveal_within=duration(revealing.within_ms) if revealing else None,
        stand_in=terms.stand_in,
        gone_after=duration(terms.gone_after_ms) if terms.gone_after_ms else None,
    )


def duration(milliseconds: int) -> duration_pb2.Duration:
    """Return a time as the wire has it."""
    return duration_pb2.Duration(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)


def _clock(message: table_pb2.Clock) -> Clock:
    return Clock(
        per_command_ms=message.per_command.ToMilliseconds(),
        per_game_ms=message.per_game.ToMilliseconds(),
        increment_ms=message.increment.ToMilliseconds(),
        time_out=message.time_out,
    )


def _revealing(message: table_pb2.Terms) -> Revealing:
    return Revealing(within_ms=message.reveal_within.ToMilliseconds(), unrevealed=message.unrevealed)


def _clock_message(clock: Clock) -> table_pb2.Clock:
    return table_pb2.Clock(
        per_command=duration(clock.per_command_ms) if clock.per_command_ms else None,
        per_game=duration(clock.per_game_ms) if clock.per_game_ms else None,
        increment=duration(clock.increment_ms) if clock.increment_ms else None,
        time_out=clock.time_out,
    )
