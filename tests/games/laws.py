"""Laws: what must hold for every game. Each plays one random game and raises AssertionError where it does not."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from service.draw import SeededDraw
from service.kit.game import CHANCE, AnyGame, CannotRedeal, Refused, Standing
from service.wire import WIRES, Wire
from tests.games.fuzz import Fuzz
from tests.games.story import History, Known, Step, Story, by_default, play_on, take, tell

FUZZED = 4  # commands of each kind, in each state looked at


def it_ends_with_a_standing(game: AnyGame, known: Known, seed: str) -> None:
    story = tell(game, known, seed)
    for step in story.steps:
        assert game.standings(step.before) == (), f"{seed}: there is a final standing before the end"
        _check_places(game.so_far(step.before), story, seed)
    _check_places(game.standings(story.end), story, seed)
    assert game.so_far(story.end) == game.standings(story.end), f"{seed}: the standing so far is not the final one"
    seats = range(1, story.seats + 1)
    assert not any(list(game.legal(story.end, seat)) for seat in seats), f"{seed}: something is legal after the end"


def what_is_legal_is_accepted(game: AnyGame, known: Known, seed: str) -> None:
    story = tell(game, known, seed)
    for step in story.steps:
        for seat in range(CHANCE, story.seats + 1):
            for command in game.legal(step.before, seat):
                assert game.decide(step.before, seat, command), f"{seed}: {command} does nothing"


def all_else_is_refused_with_a_reason(game: AnyGame, known: Known, seed: str) -> None:
    story, random = tell(game, known, seed), Random(seed)
    fuzz = Fuzz(random, game.commands, story.end, known.strangers)
    for step in random.sample(story.steps, min(40, len(story.steps))):
        others = [random.choice(story.steps).command for _ in range(FUZZED)]
        commands = [fuzz.command() for _ in range(FUZZED)] + [fuzz.mutant(step.command) for _ in range(FUZZED)] + others
        for seat in (-1, *range(story.seats + 2)):
            legal = list(game.legal(step.before, seat)) if 1 <= seat <= story.seats else []
            for command in commands:
                accepted = _judged(game, step.before, seat, command) is None
                listed = known.plain(command) in legal or seat == CHANCE or not known.legal_is_complete
                assert listed or not accepted, f"{seed}: {command} is not listed as legal"


def what_the_table_does_for_a_seat_is_legal(game: AnyGame, known: Known, seed: str) -> None:
    story = tell(game, known, seed)
    for step in story.steps:
        waiting = game.to_act(step.before)
        for seat in range(1, story.seats + 1):
            command, legal = game.default(step.before, seat), list(game.legal(step.before, seat))
            if seat in waiting and (legal or not game.races):
                assert command in legal, f"{seed}: {command} is done for seat {seat}"
            else:
                assert command is None, f"{seed}: {command} is done for seat {seat}, which cannot act"


def it_ends_where_the_table_does_everything(game: AnyGame, known: Known, seed: str) -> None:
    story = tell(game, known, seed, by_default)
    assert len(game.standings(story.end)) == story.seats, f"{seed}: the table waits, and does nothing"
    again = tell(game, known, seed, by_default)
    assert again == story, f"{seed}: the table does not always do the same"


def all_are_waited_for_in_a_race_and_otherwise_one(game: AnyGame, known: Known, seed: str) -> None:
    story = tell(game, known, seed)
    everybody = tuple(range(1, story.seats + 1))
    for step in story.steps:
        waiting = game.to_act(step.before)
        assert waiting in ((), everybody) if game.races else len(waiting) <= 1, f"{seed}: {waiting} are waited for"


def deciding_twice_gives_the_same(game: AnyGame, known: Known, seed: str) -> None:
    for step in tell(game, known, seed).steps:
        again = take(game, step.before, step.seat, step.command)
        assert again == step, f"{seed}: {step.command} is decided differently"


def it_survives_the_wire(game: AnyGame, known: Known, seed: str) -> None:
    wire, story, random = WIRES[game.name], tell(game, known, seed), Random(seed)
    assert _there_and_back(wire, story.options) == story.options
    for step in story.steps:
        command = wire.encode_command(step.command)
        assert wire.decode_command(type(command).FromString(command.SerializeToString())) == step.command
    for step in random.sample(story.steps, min(20, len(story.steps))):
        for seat in (None, *range(1, story.seats + 1)):
            view = game.project(step.after, seat)
            assert _there_and_back(wire, view) == view, f"{seed}: the view of seat {seat}"


def folding_its_log_gives_the_live_state(game: AnyGame, known: Known, seed: str) -> None:
    wire, story = WIRES[game.name], tell(game, known, seed)
    state = story.start
    for step in story.steps:
        for event in step.events:
            stored = wire.encode_event(event).SerializeToString()
            state = game.evolve(state, wire.decode_event(wire.messages.Event.FromString(stored)))
        assert state == step.after, f"{seed}: {step.command} is folded differently"


def no_card_is_lost_or_doubled(game: AnyGame, known: Known, seed: str) -> None:
    for step in tell(game, known, seed).steps:
        state = step.before
        for event in step.events:
            state = game.evolve(state, event)
            places, pack = Counter(known.places(state)), Counter(known.pack(state))
            assert places == pack, f"{seed}: after {event} the cards are not the pack"


def nobody_learns_what_is_hidden(game: AnyGame, known: Known, seed: str) -> bool:
    """Deal anew what a seat cannot see: it must not notice. Answers whether another deal was possible."""
    story, random = tell(game, known, seed), Random(seed)
    steps = story.steps[: random.randint(1, len(story.steps))]
    seat = random.choice((None, *range(1, story.seats + 1)))
    candidates = known.redeals(random, story.start, [(step.seat, step.command) for step in steps], seat)
    worlds = (_replayed(game, story.start, candidate) for candidate in candidates)
    other = next((world for world in worlds if world and world[-1].after != steps[-1].after), None)
    if other is None:
        return False
    fuzz = Fuzz(random, game.commands, story.end, known.strangers)
    for here, there in zip(steps, other, strict=True):
        tries = [fuzz.command() for _ in range(FUZZED)] + [fuzz.mutant(here.command), random.choice(steps).command]
        assert _evidence(game, here, seat, tries) == _evidence(game, there, seat, tries), f"{seed}: seat {seat} learns"
    return True


def dealing_anew_shows_nothing_and_is_played_on(game: AnyGame, known: Known, seed: str) -> bool:
    """Deal hidden cards anew, twice: nobody else notices. Answers whether there was something to be dealt anew."""
    story, random = tell(game, known, seed), Random(seed)
    before = random.choice(story.steps).before
    try:
        commands = [game.redeal(before, SeededDraw(random.randbytes(32))) for _ in range(2)]
    except CannotRedeal:
        return False
    if None in commands:
        return False
    one, other = (take(game, before, CHANCE, command) for command in commands)
    assert _evidence(game, one, None, []) == _evidence(game, other, None, []), f"{seed}: it shows what was dealt"
    for see in (lambda state: game.project(state, None), game.to_act, game.so_far, _sorted_by(known.places)):
        assert see(one.after) == see(before), f"{seed}: it changes what can be seen, or the cards"
    end = play_on(game, known, one.after, story.seats, random)[-1].after
    _check_places(game.standings(end), story, seed)
    return bool(one.after != other.after)


def _sorted_by(places: Callable[[Any], Iterable[Any]]) -> Callable[[Any], list[str]]:
    return lambda state: sorted(map(str, places(state)))


def _check_places(places: Sequence[Standing], story: Story, seed: str) -> None:
    seats = list(range(1, story.seats + 1))
    assert sorted(place.seat for place in places) == seats, f"{seed}: not every seat has its place"
    ranks = [place.rank for place in places]
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks], f"{seed}: {ranks}"


def _replayed(game: AnyGame, state: Any, history: History) -> list[Step] | None:
    steps = []
    try:
        for seat, command in history:
            steps.append(take(game, state, seat, command))
            state = steps[-1].after
    except Refused:
        return None
    return steps


def _evidence(game: AnyGame, step: Step, seat: int | None, tries: list[Any]) -> list[Any]:
    """Return all that reaches a seat, and the log in clear, at one step."""
    wire, state = WIRES[game.name], step.after
    seen = [game.see(event, seat) for event in step.events]
    in_clear = [event for event in step.events if not isinstance(event, game.private)]
    evidence: list[Any] = [_bytes(wire.encode_event(event)) for event in (*seen, *in_clear) if event is not None]
    evidence += [_bytes(wire.encode(game.project(state, seat))), game.to_act(state)]
    evidence += [game.so_far(state), game.standings(state)]
    if seat is not None:
        evidence += [_bytes(wire.encode_command(command)) for command in game.legal(state, seat)]
        evidence += [_judged(game, state, seat, command) for command in tries]
        evidence.append(game.default(state, seat))
    return evidence


def _judged(game: AnyGame, state: Any, seat: int, command: Any) -> str | None:
    """Return the reason's name, or None where the command is accepted."""
    try:
        game.decide(state, seat, command)
    except Refused as refused:
        return game.reason[refused.reason.name].name
    return None


def _there_and_back(wire: Wire, value: Any) -> Any:
    message = wire.encode(value)
    return wire.decode(type(message).FromString(message.SerializeToString()))


def _bytes(message: Any) -> bytes:
    encoded: bytes = message.SerializeToString(deterministic=True)
    return encoded
