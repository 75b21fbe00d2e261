"""Loner: one person among bots, who answers only for himself, or is not there at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.duration_pb2 import Duration
from stammtisch import StammtischError
from stammtisch.table.v1 import table_pb2

from service.games.doppelkopf import options as doppelkopf
from service.games.double_tricks import options as double_tricks
from service.games.romme10 import options as romme10
from service.games.romme10.contracts import Contract
from service.wire import WIRES
from tests.torture.caller import Manners
from tests.torture.fleet import Fleet
from tests.torture.guest import Guest, GuestSeat
from tests.torture.played import PLAYED, Played
from tests.torture.story import Story, Stuck
from tests.torture.tally import Tally

LOOKS_MAX = 5_000
LOOK_SECONDS = 1.0  # that a look waits for something new
RETURN = 0.2  # how often somebody who is away comes back when he looks
THINKING = Duration(nanos=50_000_000)
HURRY = Duration(seconds=1)
BOTS = (table_pb2.BOT_STRENGTH_STEADY, table_pb2.BOT_STRENGTH_RANDOM, table_pb2.BOT_STRENGTH_STEADY)
BRIEF: Mapping[str, Any] = {  # where even short tables take long if somebody uses up a second for each command
    "double_tricks": double_tricks.Options(hand_sizes=(1, 2)),
    "doppelkopf": doppelkopf.Options(deals=1, nines=False),
    "romme10": romme10.Options(contracts=(Contract.parse("S3"),), rounds=(1,), hand_size=5, max_idle_laps=2),
}
FAIR = frozenset({"VERSION_STALE", "TABLE_ENDED", "OUT_OF_TIME"})  # what one is rightly told whom others overtake
FAIR_TO_LEAVE = frozenset({"TABLE_ENDED", "NOTHING_TO_DO"})  # as a clock may have done it


@dataclass(frozen=True, slots=True)
class Ways:
    """How a person behaves, and what happens when the time is up."""

    time_out: table_pb2.TimeOut.ValueType = table_pb2.TIME_OUT_UNSPECIFIED  # there is no clock
    gone: bool = False
    leaves: float = 0.0  # how often, instead of acting

    @property
    def terms(self) -> table_pb2.Terms:
        """How such a person's table is run."""
        clock = table_pb2.Clock(per_command=HURRY, time_out=self.time_out) if self.time_out else None
        return table_pb2.Terms(clock=clock, thinking=THINKING)


WAYS = (
    Ways(),
    Ways(leaves=0.3),
    Ways(table_pb2.TIME_OUT_BOT_FROM_NOW_ON, leaves=0.1),
    *(Ways(time_out, gone=True) for time_out in table_pb2.TimeOut.values()[1:]),
)
KINDS = tuple((ways, played) for ways in WAYS for played in PLAYED)  # of tables: every game in every way


class Loner(Guest):
    """Plays one seat; what happens at the others, and at this one while nobody is there, is the service's own doing."""

    def __init__(self, fleet: Fleet, kind: tuple[Ways, Played], seed: str, manners: Manners, tally: Tally) -> None:
        self._ways, played = kind
        super().__init__(fleet, played, seed, manners, tally)

    async def _create(self, story: Story) -> list[GuestSeat]:
        bots = [table_pb2.NewSeat(kind=table_pb2.SEAT_KIND_BOT, bot=bot) for bot in BOTS]
        created: Any = await self._random.choice(self._clients).create(
            self._played.messages,
            [table_pb2.NewSeat(name="Loner"), *bots],
            self._options(),
            terms=self._ways.terms,
            command_id=self._new_id(),
        )
        story.table_id = created.table_id
        return [self._seated(self._random.choice(self._clients), seat) for seat in created.seats]

    def _options(self) -> Any:
        brief = BRIEF.get(self._played.name)
        return WIRES[self._played.name].encode(brief) if brief else self._played.options

    async def _turns(self, story: Story, seats: list[GuestSeat]) -> None:
        (seat,) = seats
        seen: Any = await seat.view()
        for _ in range(LOOKS_MAX):
            if seen.table.status != table_pb2.STATUS_RUNNING:
                return
            if not self._ways.gone:
                await self._turn(story, seat, seen)
            seen = await seat.view(min_version=seen.version + 1, wait=LOOK_SECONDS)
        raise Stuck(f"the game is not over after {LOOKS_MAX} looks")

    async def _turn(self, story: Story, seat: GuestSeat, seen: Any) -> None:
        """Do what a person does who sees this, if anything."""
        own, leaves = seen.table.seats[seen.seat - 1], self._random.random()
        if own.away:
            if leaves < RETURN:
                await self._host(story, seat, away=False)
        elif leaves < self._ways.leaves:
            await self._host(story, seat, away=True)
        elif seen.legal and seen.seat in seen.table.seats_to_act:
            try:
                await self._act(story, seat, seen, self._random.choice(seen.legal))
            except StammtischError as refused:
                if refused.reason not in FAIR:
                    raise

    async def _host(self, story: Story, seat: GuestSeat, *, away: bool) -> None:
        try:
            table = await (seat.leave() if away else seat.come_back())
        except StammtischError as refused:
            if refused.reason not in FAIR_TO_LEAVE:
                raise
        else:
            self._tally.add("left" if away else "came back")
            if table.seats[0].away != away and table.status == table_pb2.STATUS_RUNNING:
                story.refused.append(f"somebody left or came back, and afterwards away is not {away}")
