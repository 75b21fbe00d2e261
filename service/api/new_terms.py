"""New terms: how somebody wants a table to be run, checked where it comes in."""

from stammtisch.table.v1 import table_pb2

from service.api import fields
from service.api.errors import invalid
from service.kit.game import AnyGame
from service.terms import REVEAL_WITHIN_MS, REVEAL_WITHIN_SECONDS, THINKING_MS, Clock, Revealing, Terms

THINKING_SECONDS_MAX = 60
COMMAND_SECONDS_MAX = 7 * 86_400
GAME_SECONDS_MAX = 30 * 86_400
INCREMENT_SECONDS_MAX = 3_600
GONE_SECONDS_LEAST = 10
GONE_SECONDS_MAX = 7 * 86_400


def terms(message: table_pb2.Terms, game: AnyGame, least_thinking: float) -> Terms:
    """Return the terms with every default filled in."""
    thinking = THINKING_MS
    if message.HasField("thinking"):
        thinking = fields.milliseconds("terms.thinking", message.thinking, least_thinking, THINKING_SECONDS_MAX)
    gone_after = 0
    if message.HasField("gone_after"):
        gone_after = fields.milliseconds("terms.gone_after", message.gone_after, GONE_SECONDS_LEAST, GONE_SECONDS_MAX)
    return Terms(
        listed=message.listed,
        clock=_clock(message.clock, game) if message.HasField("clock") else None,
        revealing=_revealing(message),
        thinking_ms=thinking,
        stand_in=fields.strength("terms.stand_in", message.stand_in),
        gone_after_ms=gone_after,
    )


def _revealing(message: table_pb2.Terms) -> Revealing | None:
    if message.contributions not in table_pb2.Contributions.values():
        raise invalid("terms.contributions", "Send one that this service knows.")
    if message.unrevealed not in table_pb2.Unrevealed.values():
        raise invalid("terms.unrevealed", "Send one that this service knows.")
    if message.contributions != table_pb2.CONTRIBUTIONS_REVEALED:
        if message.unrevealed or message.HasField("reveal_within"):
            raise invalid("terms.contributions", "Nothing is revealed: send CONTRIBUTIONS_REVEALED, or leave both out.")
        return None
    within = REVEAL_WITHIN_MS
    if message.HasField("reveal_within"):
        least, most = REVEAL_WITHIN_SECONDS[0], REVEAL_WITHIN_SECONDS[-1]
        within = fields.milliseconds("terms.reveal_within", message.reveal_within, least, most)
    return Revealing(within, message.unrevealed or table_pb2.UNREVEALED_DEAL_WITHOUT)


def _clock(clock: table_pb2.Clock, game: AnyGame) -> Clock:
    if clock.HasField("per_command") == clock.HasField("per_game"):
        raise invalid("terms.clock", "Send either per_command or per_game; for no clock, send none.")
    if clock.HasField("increment") and not clock.HasField("per_game"):
        raise invalid("terms.clock.increment", "Only time per game has an increment: leave it out, or send per_game.")
    if clock.HasField("per_game") and game.races:
        raise invalid("terms.clock.per_game", "All play at once, so nobody has time of their own: send per_command.")
    if clock.time_out not in table_pb2.TimeOut.values():
        raise invalid("terms.clock.time_out", "Send one that this service knows.")
    time_out = clock.time_out or table_pb2.TIME_OUT_DEFAULT_COMMAND
    if clock.HasField("per_command"):
        per_command = fields.milliseconds("terms.clock.per_command", clock.per_command, 1, COMMAND_SECONDS_MAX)
        return Clock(per_command_ms=per_command, time_out=time_out)
    return Clock(
        per_game_ms=fields.milliseconds("terms.clock.per_game", clock.per_game, 1, GAME_SECONDS_MAX),
        increment_ms=fields.milliseconds("terms.clock.increment", clock.increment, 0, INCREMENT_SECONDS_MAX),
        time_out=time_out,
    )
