"""Drawing: a discard that helps, or else a card from a draw pile; and buying what the hand cannot do without."""

from random import Random

from service.bots.brain import Sight
from service.bots.romme10.hand import fits_table, hand_of, has_laid
from service.bots.romme10.planning import missing
from service.games.romme10.cards import JOKER, Card
from service.games.romme10.commands import AnnounceBuy, Draw
from service.games.romme10.piles import STOCKS


def draw(sight: Sight, dice: Random) -> AnnounceBuy | Draw:
    """Buy what is needed, and then draw it."""
    buys = [command for command in sight.legal if isinstance(command, AnnounceBuy)]
    if buys and (needed := _to_buy(sight)):
        return min(buys, key=lambda buy: abs(buy.cards - needed))
    draws = [command for command in sight.legal if isinstance(command, Draw)]
    helping = [each for each in draws if each.pile not in STOCKS and _helps(sight, _top(sight, each))]
    stocks = [each for each in draws if each.pile in STOCKS]
    return dice.choice(helping or stocks or draws)


def _to_buy(sight: Sight) -> int:
    """Return how many cards the contract asks for beyond those in hand and the one that is drawn anyway."""
    return 0 if has_laid(sight) else max(0, sight.view.contract.cards - len(sight.view.hand) - 1)


def _top(sight: Sight, draw: Draw) -> Card:
    card: Card = sight.view.piles[draw.pile.value].shown[-1]
    return card


def _helps(sight: Sight, card: Card) -> bool:
    if has_laid(sight):
        return fits_table(sight, card)
    hand, contract = hand_of(sight), sight.view.contract
    return card is JOKER or missing((*hand, card), contract) < missing(hand, contract)
