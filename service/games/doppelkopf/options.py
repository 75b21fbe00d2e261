"""Options: how a table is played, and which options cannot be."""

from dataclasses import dataclass, fields

from service.games.doppelkopf.contract import MarriageMode, Solo
from service.games.doppelkopf.rules import (
    PROFILES,
    Announcements,
    FollowRule,
    Profile,
    Rules,
    SecondTolle,
    Settlement,
    Tie,
)
from service.kit.game import BadOptions
from service.kit.options import check_ranges, option, settled

SEATS = range(4, 9)


@dataclass(frozen=True, slots=True)
class Options:
    """How a table is played. What is None is as the profile has it."""

    profile: Profile = option(
        "What holds where nothing else is chosen: the game for a pot, or the tournament's, also with mandatory solos.",
        default=Profile.POT,
    )
    deals: int = option(
        "How many deals are played.",
        default=24,
        least=1,
        most=100,
        refused_when="Every player must have the deals for his mandatory solos.",
    )
    first_dealer: int = option(
        "The seat that deals first; 0 for one by lot.",
        default=1,
        least=0,
        most=SEATS[-1],
        refused_when="The table must have that seat.",
    )
    nines: bool | None = option(
        "Whether the nines are in the pack; without them each has 10 cards.", default=None, profiles=PROFILES
    )
    tollen: bool | None = option(
        "Whether the tens of hearts, the Tollen, are the highest trumps.", default=None, profiles=PROFILES
    )
    second_tolle_beats_first: SecondTolle | None = option(
        "Whether the second Tolle in a trick beats the first; it says nothing where there are no Tollen.",
        default=None,
        profiles=PROFILES,
    )
    follow_rule: FollowRule | None = option(
        "Whether one must only follow, or else trump, or beat the best card, too, if one can.",
        default=None,
        profiles=PROFILES,
    )
    foxes: bool | None = option(
        "Whether an ace of diamonds caught from the other party earns something.", default=None, profiles=PROFILES
    )
    charlie: bool | None = option(
        "Whether winning the last trick with a jack of clubs earns something.", default=None, profiles=PROFILES
    )
    doppelkopf_trick: bool | None = option(
        "Whether a trick of 40 eyes or more earns something.", default=None, profiles=PROFILES
    )
    marriage_modes: tuple[MarriageMode, ...] | None = option(
        "How the holder of both queens of clubs may find a partner; who finds none plays alone.",
        default=None,
        profiles=PROFILES,
        items=range(1, len(MarriageMode) + 1),
        refused_when="Each at most once.",
    )
    silent_solo: bool | None = option(
        "Whether the holder of both queens of clubs may say nothing and play alone.", default=None, profiles=PROFILES
    )
    solo_types: tuple[Solo, ...] | None = option(
        "Which solos can be declared.",
        default=None,
        profiles=PROFILES,
        items=range(1, len(Solo) + 1),
        refused_when="Each at most once.",
    )
    mandatory_solo: int | None = option(
        "How many solos every player must declare.",
        default=None,
        profiles=PROFILES,
        least=0,
        most=10,
        refused_when="There must be enough deals for them.",
    )
    announcements: Announcements | None = option("What can be announced.", default=None, profiles=PROFILES)
    settlement: Settlement | None = option(
        "Whether one plays for money from a pot, or for points.", default=None, profiles=PROFILES
    )
    tie_120: Tie | None = option(
        "Who wins with 120 eyes each, if nobody announced a limit.", default=None, profiles=PROFILES
    )
    deal_packets: int | None = option(
        "How many cards are dealt to a player at a time.", default=None, profiles=PROFILES, least=1, most=12
    )
    base_amount: int = option("What winning is worth, when one plays for money.", default=5, least=1, most=100)
    ante: int = option(
        "What everybody pays into the pot, first and whenever it is too small.", default=100, least=1, most=10_000
    )
    premium: int = option(
        "How many base amounts the pot pays for Charlie, and for a trick of 40 eyes.", default=1, least=0, most=10
    )
    fox_premium: int = option("How many base amounts the pot pays for a fox.", default=1, least=0, most=10)
    solo_loss_side: int = option(
        "By how much a lost declared solo is multiplied, when one plays for money.", default=1, least=1, most=2
    )
    show_eyes_during_play: bool = option("Whether all see how many eyes each has won so far.", default=False)


def rules_of(options: Options) -> Rules:
    """Return what is played: what was chosen, and for the rest the profile."""
    all_chosen = settled(options)
    return Rules(**{field.name: getattr(all_chosen, field.name) for field in fields(Rules)})


def check(options: Options, seats: int) -> None:
    """Refuse what cannot be played."""
    if seats not in SEATS:
        raise BadOptions("seats", f"choose {SEATS[0]} to {SEATS[-1]} players, not {seats}")
    check_ranges(options)
    if options.first_dealer > seats:
        raise BadOptions("first_dealer", f"choose a seat from 1 to {seats}, or 0 for one by lot")
    rules = rules_of(options)
    for name in ("marriage_modes", "solo_types"):
        if len(set(getattr(rules, name))) < len(getattr(rules, name)):
            raise BadOptions(name, "name each at most once")
    if (solos := rules.mandatory_solo * seats) > options.deals:
        raise BadOptions("deals", f"{seats} players have {solos} mandatory solos; choose as many deals or more")
