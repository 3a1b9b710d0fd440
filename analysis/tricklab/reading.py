"""Reads hand histories: lines of JSON to numbers, or what is wrong with their form."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tricklab.bidding import ALONE, PASS
from tricklab.errors import UserError, is_whole
from tricklab.games import GAMES
from tricklab.games.base import Game
from tricklab.history import FORMAT
from tricklab.options import from_plain

ABSENT = -1
"""Stands for "not stated" among an action's numbers."""

UNKNOWN = -2
"""Stands for a card or suit that is not in the pack."""

GAME_CLAIM = "game"
"""The claim that stands for the hand, number 0 of claims; the bonuses follow (E16)."""

MOST_DOUBLING = 2**15
"""The most that a history may state of doubling by annulled deals (E12)."""

FAR = 2**15
"""Numbers are cut to this size: nothing legal is so large."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a history.

    Attributes
    ----------
    kind : {"illegal", "mismatch", "malformed"}
        Against the rules, another result than the stated one, or not readable.
    action : int or None
        Number of the action, from 0.
    clause : str
        The clause broken, or ``turn``, ``holding``, ``format`` or ``switch``.
    message : str
        What is wrong and what would be right.
    """

    kind: str
    action: int | None
    clause: str
    message: str


class FaultError(Exception):
    """Carries a fault out of the reading of one history."""

    def __init__(self, kind: str, clause: str, message: str, action: int | None = None) -> None:
        super().__init__(message)
        self.fault = Fault(kind, action, clause, message)


@dataclass
class Parsed:
    """One history read but not yet replayed.

    Attributes
    ----------
    deal, stock : list
        Card indices of each seat and of the stock.
    doubling : int
        What annulled deals left, in Emperor (E12).
    actions : list of (do, seat, value, suit, cards)
        Numbers of each action, see :func:`_action`; a :class:`Fault` where one cannot be read.
    stated : dict
        The result that the history states.
    """

    line: int
    game: Game
    dealer: int
    deal: list[list[int]]
    stock: list[int]
    doubling: int = 1
    actions: list[Any] = field(default_factory=list)
    stated: dict[str, Any] = field(default_factory=dict)


def parse(line: int, text: bytes, games: dict[str, Game]) -> Parsed:
    """Read one history; :class:`FaultError` says what is wrong with its form, switches or pack.

    Parameters
    ----------
    line : int
        Number of the line, from 1.
    text : bytes
        The line.
    games : dict
        Games already made, by name and switches; added to.
    """
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise _malformed("the line is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _malformed(f"the line is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise _malformed("the line is not a JSON object")
    for key in ("format", "game", "switches", "dealer", "deal", "stock", "actions"):
        if key not in data:
            raise _malformed(f"{key!r} is missing")
    if data["format"] != FORMAT:
        raise _malformed(f"the format is {short(data['format'])}, not {FORMAT!r}")
    game = _game(data["game"], data["switches"], games)
    dealer = data["dealer"]
    if not is_whole(dealer) or not 0 <= dealer < game.players:
        raise _malformed(f"dealer must be a seat from 0 to {game.players - 1}, not {short(dealer)}")
    doubling = data.get("doubling", 1) if game.bonuses else 1
    if not is_whole(doubling) or not 1 <= doubling <= MOST_DOUBLING or doubling & (doubling - 1):
        raise _malformed(f"doubling must be 1, 2, 4, … {MOST_DOUBLING}, not {short(doubling)}")
    parsed = Parsed(line, game, dealer, *_cards(game, data["deal"], data["stock"]), doubling)
    if not isinstance(data["actions"], list):
        raise _malformed(f"actions must be a list, not {short(data['actions'])}")
    for number, action in enumerate(data["actions"]):
        try:
            parsed.actions.append(_action(game, action))
        except FaultError as error:
            fault = error.fault
            parsed.actions.append(Fault(fault.kind, number, fault.clause, fault.message))
            break
    stated = data.get("result", {})
    if not isinstance(stated, dict):
        raise _malformed(f"result must be an object, not {short(stated)}")
    parsed.stated = stated
    return parsed


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _malformed(message: str) -> FaultError:
    return FaultError("malformed", "format", message)


def short(value: Any) -> str:
    """A value as JSON, cut to what fits a message."""
    try:
        text = json.dumps(value)
    except ValueError:  # a whole number of more digits than Python writes out
        return "a huge number"
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= 60 else text[:57] + "..."


def _game(name: Any, switches: Any, games: dict[str, Game]) -> Game:
    if not isinstance(name, str) or not isinstance(switches, dict):
        raise _malformed("'game' must be a text and 'switches' an object")
    if name not in GAMES:
        raise _malformed(f"there is no game {short(name)}; there is: {', '.join(GAMES)}")
    try:
        key = name + json.dumps(switches, sort_keys=True)
        if key not in games:
            games[key] = from_plain(GAMES[name], switches, f"{name} has no switch")
    except (UserError, ValueError, OverflowError) as error:
        raise FaultError("malformed", "switch", str(error)) from None
    except RecursionError:
        raise FaultError("malformed", "switch", "a switch is nested too deeply") from None
    return games[key]


def _cards(game: Game, deal: Any, stock: Any) -> tuple[list[list[int]], list[int]]:
    """Card indices of the deal and the stock, checked to be one pack dealt rightly."""
    for what, cards in [("deal", deal), ("stock", stock)]:
        if not isinstance(cards, list):
            raise _malformed(f"{what} must be a list, not {short(cards)}")
    for cards in [*deal, stock]:
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise _malformed(f"cards must be a list of texts, not {short(cards)}")
    deck, clauses = game.deck, game.clauses
    sizes = [len(cards) for cards in [*deal, stock]]
    right = [game.cards_each] * game.players + [game.set_aside]
    if sizes != right:
        raise FaultError(
            "illegal",
            clauses.numbers,
            f"{game.players} players hold {game.cards_each} cards each and {game.set_aside} are "
            f"left, not {', '.join(map(str, sizes))}",
        )
    seen = set()
    for card in [card for cards in [*deal, stock] for card in cards]:
        if card not in deck.numbers:
            raise FaultError("illegal", clauses.pack, f"there is no card {short(card)}")
        if card in seen:
            raise FaultError("illegal", clauses.pack, f"card {card} is there twice")
        seen.add(card)
    indices = [[deck.numbers[card] for card in cards] for cards in [*deal, stock]]
    return indices[:-1], indices[-1]


SAID = {"announce": "bonuses", "contra": "claims", "recontra": "claims", "subcontra": "claims"}
"""Actions that name bonuses or claims, and the key of their list."""

KINDS = (
    *("give", "bid", "discard", "roll", "play", "caught", "contract", "trumps", "call", "annul"),
    *SAID,
)
"""What can be done, by the number that stands for it; anything else is ``UNKNOWN``."""


def _action(game: Game, action: Any) -> tuple[int, int, int, int, list[int] | None]:
    """An action as numbers: what is done, by whom, the bid or card, the suit, and cards."""
    if not isinstance(action, dict):
        raise _malformed(f"an action must be an object, not {short(action)}")
    seat = _wanted(action, "seat", is_whole, "a whole number")
    do = _wanted(action, "do", _is_text, "a text")
    seat = min(max(seat, -1), FAR)
    numbers = game.deck.numbers
    if do == "play":
        card = numbers.get(_wanted(action, "card", _is_text, "a text"), UNKNOWN)
        suit = ABSENT
        if "as" in action:
            suit = _suit(game, _wanted(action, "as", _is_text, "a text"))
        return KINDS.index(do), seat, card, suit, None
    if do == "bid":
        bid = _wanted(action, "bid", lambda x: is_whole(x) or _is_text(x), 'a number or "pass"')
        if isinstance(bid, str):
            named = game.bids or ("pass",)
            value = named.index(bid) if bid in named else UNKNOWN
        elif game.bids:
            value = UNKNOWN
        else:
            value = min(bid, FAR) if bid > PASS else UNKNOWN
        return KINDS.index(do), seat, value, ABSENT, None
    if do == "contract" and game.contracts:
        return KINDS.index(do), seat, _contract(game, action), ABSENT, None
    if do in ("give", "discard"):
        cards = _wanted(action, "cards", _is_texts, "a list of texts")
        listed = [numbers.get(card, UNKNOWN) for card in cards]
        return KINDS.index(do), seat, ABSENT, ABSENT, listed
    if do == "call":
        said = _wanted(action, "card", _is_text, "a text")
        card = ALONE if said == "alone" else numbers.get(said, UNKNOWN)
        return KINDS.index(do), seat, card, ABSENT, None
    if do == "annul" and game.bonuses:
        said = _wanted(action, "annul", lambda x: isinstance(x, bool), "true or false")
        return KINDS.index(do), seat, int(said), ABSENT, None
    if do in SAID and game.bonuses:
        return KINDS.index(do), seat, ABSENT, ABSENT, _claims(game, action, do)
    if do in ("roll", "trumps"):
        suit = _suit(game, _wanted(action, "suit", _is_text, "a text"))
        return KINDS.index(do), seat, ABSENT, suit, None
    kind = KINDS.index(do) if do in KINDS else UNKNOWN
    return kind, seat, ABSENT, ABSENT, None


def _claims(game: Game, action: dict[str, Any], do: str) -> list[int]:
    """Numbers of the bonuses, or claims, that an action names, ``UNKNOWN`` for any other."""
    named = _wanted(action, SAID[do], _is_texts, "a list of texts")
    known = game.bonuses if do == "announce" else (GAME_CLAIM, *game.bonuses)
    if not named and do != "announce":
        raise _malformed(f"{SAID[do]!r} of an action {do!r} must not be empty")
    return [known.index(name) if name in known else UNKNOWN for name in named]


def _contract(game: Game, action: dict[str, Any]) -> int:
    """Number of the contract that an action names, or ``UNKNOWN``."""
    name = _wanted(action, "contract", _is_text, "a text")
    named = [number for number, each in enumerate(game.contracts) if each.name == name]
    if not any(game.contracts[number].letter for number in named):
        return named[0] if named else UNKNOWN
    letter = _wanted(action, "suit", _is_text, "a text")
    return next((n for n in named if game.contracts[n].letter == letter), UNKNOWN)


def _wanted(action: dict[str, Any], key: str, fits: Callable[[Any], bool], kind: str) -> Any:
    if key not in action:
        raise _malformed(f"an action {short(action.get('do'))} needs {key!r}")
    if not fits(action[key]):
        raise _malformed(f"{key!r} of an action must be {kind}, not {short(action[key])}")
    return action[key]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _suit(game: Game, letter: str) -> int:
    letters = [suit.letter for suit in game.deck.suits]
    return letters.index(letter) if letter in letters else UNKNOWN
