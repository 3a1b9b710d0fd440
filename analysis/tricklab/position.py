"""Hand-made situations: set up the cards, see what is legal, play."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tricklab.dealing import Deal
from tricklab.errors import IllegalAnswer, UserError
from tricklab.games.base import Game
from tricklab.games.parts import Score
from tricklab.options import suggestion
from tricklab.play import answers, choices, end_trick, illegal_play, lay
from tricklab.table import Table
from tricklab.trick_data import AS_PRINTED


class Position:
    """One hand set up by hand, played card by card.

    Parameters
    ----------
    game : Game
        The game and its switches.
    holdings : sequence of str or of sequences of str
        Each seat's cards in notation, any number, the same for all.
    leader : int
        Who leads the next trick.
    broken : bool
        Whether trumps are broken.
    trumps : str, optional
        Letter of the suit that is trumps in the next trick; default: as the hand begins, or as the
        contract says.
    contract : str, optional
        The contract played, such as ``"grand"`` or ``"other H"`` (T3).
    declarer : int, optional
        Who declared it.

    Raises
    ------
    UserError
        For a card that does not exist or is there twice, or holdings that do not fit the game.
    """

    def __init__(
        self,
        game: Game,
        holdings: Sequence[str | Sequence[str]],
        leader: int = 0,
        broken: bool = False,
        trumps: str | None = None,
        contract: str | None = None,
        declarer: int | None = None,
    ) -> None:
        if len(holdings) != game.players:
            raise UserError(f"{len(holdings)} holdings for {game.players} players")
        if leader not in range(game.players):
            raise UserError(f"leader must be a seat from 0 to {game.players - 1}, not {leader!r}")
        deck = game.deck
        parsed = [deck.parse(holding) for holding in holdings]
        if len({len(cards) for cards in parsed}) != 1 or not parsed[0]:
            sizes = ", ".join(str(len(cards)) for cards in parsed)
            raise UserError(f"all seats must hold the same number of cards, not {sizes}")
        deck.masks([card for cards in parsed for card in cards])
        hold = np.stack([deck.masks(cards) for cards in parsed])[None]
        pack = np.array([[card for row in zip(*parsed, strict=True) for card in row]], np.uint8)
        self.game = game
        self.table = Table(Deal(game, pack, hold, np.zeros(1, np.int8)), len(parsed[0]))
        self.table.state.leader[0] = leader
        self.table.state.seat[0] = leader
        # Trumps broken before the first trick count as broken in it.
        self.table.state.broken[0] = int(broken)
        if declarer is not None:
            self.table.declarer[0] = declarer
        if contract is not None:
            named = [str(each) for each in game.contracts]
            if contract not in named:
                raise UserError(f"there is no contract {contract!r}; {suggestion(contract, named)}")
            self.table.contract[0] = named.index(contract)
            self.table.state.trump[0] = game.contracts[named.index(contract)].trump
        if trumps is not None:
            self.roll(trumps)
        choices(self.table)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return int(self.table.state.seat[0])

    @property
    def leader(self) -> int:
        """Who leads the trick in progress or to come."""
        return int(self.table.state.leader[0])

    @property
    def broken(self) -> bool:
        """Whether trumps are broken."""
        return bool(self.table.state.broken[0])

    @property
    def trick(self) -> int:
        """Completed tricks."""
        return self.table.trick

    @property
    def winner(self) -> int:
        """Winner of the last completed trick."""
        if not self.table.trick:
            raise UserError("no trick has been completed yet")
        return int(self.table.winners[self.table.trick - 1, 0])

    @property
    def tricks(self) -> list[int]:
        """Tricks taken by each seat."""
        return [int(n) for n in self.table.state.tricks[0]]

    def voids(self, seat: int) -> set[str]:
        """Letters of the suits that a seat has shown not to hold."""
        shown = int(self.table.state.voids[0, seat])
        return {suit.letter for s, suit in enumerate(self.game.deck.suits) if shown >> s & 1}

    def legal(self) -> set[str]:
        """Legal answers of the seat whose turn it is: ``AB``, ``RK as C``, ``1X as B``."""
        if self.table.trick == self.table.tricks:
            return set()
        may = self.table.legal
        return set(answers(self.game.deck, may.printed[0], may.other[0], int(may.names[0])))

    def roll(self, suit: str) -> Position:
        """Make a suit trumps in the trick about to be led (J25)."""
        if self.table.position:
            raise UserError("the die is rolled before a trick is led (J25)")
        self.table.state.trump[0] = self.game.deck.suit_index(suit)
        if self.table.trick < self.table.tricks:
            choices(self.table)
        return self

    def play(self, *cards: str) -> Position:
        """Play cards in turn, each as ``AB`` or ``RK as C``; returns the position itself.

        Raises
        ------
        IllegalAnswer
            If the rules do not allow a card; the cards before it stay played.
        """
        for text in cards:
            self._play(text)
        return self

    def _play(self, text: str) -> None:
        table, deck = self.table, self.game.deck
        if table.trick == table.tricks:
            raise IllegalAnswer(f"{text} cannot be played: the hand is over")
        name, _, suit = text.partition(" as ")
        card = deck.index(name.strip())
        as_suit = deck.suit_index(suit.strip()) if suit else AS_PRINTED
        bad = lay(table, np.arange(1), np.array([card], np.int16), np.array([as_suit], np.int16))
        if bad >= 0:
            raise illegal_play(table, 0, card, as_suit, None)
        table.position += 1
        if table.position == self.game.players:
            end_trick(table)
        if table.trick < table.tricks:
            choices(table)

    def score(self) -> list[int]:
        """What the finished hand adds to each seat's score."""
        return [int(x) for x in self._finished().score[0]]

    def win(self) -> list[float]:
        """Each seat's share of the win of the finished hand."""
        return [float(x) for x in self._finished().win[0]]

    def _finished(self) -> Score:
        if self.table.trick < self.table.tricks:
            raise UserError("the hand is not over yet")
        return self.game.score(self.table)
