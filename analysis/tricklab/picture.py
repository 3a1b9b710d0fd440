"""A hand as a person would want to read it, in plain text."""

from __future__ import annotations

import textwrap

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.cards import NO_SUIT, Deck
from tricklab.dealing import Deal
from tricklab.games.base import Game
from tricklab.phases import Swap
from tricklab.play import Action, Tricks
from tricklab.table import Table

WIDTH = 80
"""Columns within which a picture stays, but for its heading."""


def draw(table: Table, row: int = 0) -> str:
    """A finished hand: the holdings, what was done before play, the tricks, and the result.

    Parameters
    ----------
    table : Table
        Finished hands, as from :func:`tricklab.table_of`.
    row : int
        Which of them.

    Returns
    -------
    str
        Lines of plain text.  In the tricks ``>`` marks the lead and ``*`` the winner; ``RK→C`` is a
        card played as another suit, and ``1X→B`` a led barbarian that names one.
    """
    game = table.game
    lines = [game.label, f"dealer: seat {table.dealer[row]}", ""]
    lines += _holdings(game, table.dealt[row])
    lines += _set_aside(game.deck, table.stock[row])
    for phase in game.phases[: table.phases[row]]:
        if isinstance(phase, Tricks):
            lines += ["", *_tricks(table, row)]
        else:
            told = _told(phase.actions(table, row), game, isinstance(phase, Swap))
            lines += ["", *told] if told else []
    remarks = game.remarks(table, game.score(table), row)
    lines += ["", *remarks] if remarks else []
    lines += ["", *_result(table, row)]
    return "\n".join(line.rstrip() for line in lines)


def draw_deal(deal: Deal, hand: int = 0) -> str:
    """A deal alone: every holding, and what was set aside."""
    lines = [deal.game.label, f"dealer: seat {deal.dealer[hand]}", ""]
    lines += _holdings(deal.game, deal.hold[hand])
    lines += _set_aside(deal.game.deck, deal.pack[hand, deal.game.cards_each * deal.game.players :])
    return "\n".join(lines)


def _set_aside(deck: Deck, cards: NDArray[np.uint8]) -> list[str]:
    named = " ".join(deck.cards[card] for card in cards)
    return ["", *_wrapped(f"set aside: {named}")] if len(cards) else []


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")


def _holdings(game: Game, hold: NDArray[np.uint32]) -> list[str]:
    """A block of lines for each seat, two seats side by side, a suit a line, high to low."""
    blocks = [[f"seat {seat}", *_by_suit(game.deck, own)] for seat, own in enumerate(hold)]
    width = max(len(line) for block in blocks for line in block) + 3
    lines: list[str] = []
    for left in range(0, len(blocks), 2):
        if lines:
            lines.append("")
        pair = blocks[left : left + 2]
        lines += [
            "".join(text.ljust(width) for text in both).rstrip() for both in zip(*pair, strict=True)
        ]
    return lines


def _by_suit(deck: Deck, masks: NDArray[np.uint32]) -> list[str]:
    width = max(len(suit.name) for suit in deck.suits)
    out = []
    for s, suit in enumerate(deck.suits):
        ranks = [rank for r, rank in enumerate(suit.ranks) if int(masks[s]) >> r & 1]
        out.append(f"  {suit.name:<{width}} {suit.letter}  {' '.join(reversed(ranks)) or '–'}")
    return out


def _told(actions: list[Action], game: Game, swaps: bool = False) -> list[str]:
    """What was done before play: a gift or discard a line, the auction a round a line.

    ``swaps`` is whether discards come before what is drawn for them (T6).
    """
    players = game.players
    # As wide as "seat 0: pass" or the longest bid that has a name, and a space.
    wide = len("seat 0: ") + max(map(len, ("pass", *game.bids))) + 1
    lines: list[str] = []
    done = ""
    for action in actions:
        seat = action["seat"]
        if action["do"] == "give":
            if done != "give":
                lines.append("given to the left:")
            gift = " ".join(action["cards"])
            lines.append(f"  seat {seat} to seat {(seat + 1) % players}: {gift}")
        elif action["do"] == "bid":
            said = f"seat {seat}: {action['bid']}"
            if done != "bid":
                lines += ["auction:", f"  {said:<{wide}}"]
            elif lines[-1].count("seat") == players:
                lines.append(f"  {said:<{wide}}")
            else:
                lines[-1] += f"{said:<{wide}}"
        elif action["do"] == "contract":
            trumps = f", {action['suit']} being trumps" if "suit" in action else ""
            lines.append(f"seat {seat} declares {action['contract']}{trumps}")
        elif swaps:
            count = len(action["cards"])
            drawn = "the top card" if count == 1 else f"the top {count} cards"
            what = f"{' '.join(action['cards'])} and draws {drawn}" if count else "nothing"
            lines += _wrapped(f"seat {seat} discards {what}")
        elif action["do"] == "trumps":
            lines.append(f"seat {seat} names trumps: {action['suit']}")
        elif action["do"] == "call":
            alone = action["card"] == "alone"
            whom = "plays alone" if alone else f"calls the holder of {action['card']}"
            lines.append(f"seat {seat} {whom}")
        elif action["do"] == "annul":
            said = "annuls the hand" if action["annul"] else "does not annul the hand"
            lines.append(f"seat {seat} {said}")
        elif action["do"] == "announce":
            lines += _wrapped(f"seat {seat} announces {', '.join(action['bonuses']) or 'nothing'}")
        elif "claims" in action:
            lines += _wrapped(f"seat {seat} says {action['do']} to {', '.join(action['claims'])}")
        elif game.bids:
            count = len(action["cards"])
            drawn = "a card" if count == 1 else f"{count} cards"
            lines.append(f"seat {seat} draws {drawn} and discards {' '.join(action['cards'])}")
        else:
            what = " ".join(action["cards"]) or "nothing"
            lines += _wrapped(f"seat {seat} takes up the stock and discards {what}")
        done = action["do"]
    return lines


def _tricks(table: Table, row: int) -> list[str]:
    game = table.game
    # Where a die is rolled, say what came of it even if trumps stayed.
    changing = any(isinstance(phase, Tricks) and phase.die for phase in game.phases)
    heading = "trick" + ("  trumps" if changing else "")
    cells = [
        [_cell(table, row, t, seat) for seat in range(game.players)] for t in range(table.tricks)
    ]
    width = max(7, *(len(cell) for line in cells for cell in line)) + 1
    lines = [heading + "  " + "".join(f"seat {s}".center(width) for s in range(game.players))]
    for t, line in enumerate(cells):
        start = f"{t + 1:>5}"
        if changing:
            start += f"  {_letter(game.deck, table.trumps[t, row]):^6}"
        caught = [f"seat {seat}" for seat in np.flatnonzero(table.caught[row] == t + 1)]
        end = f"  caught: {', '.join(caught)}" if caught else ""
        lines.append(start + "  " + "".join(cell.center(width) for cell in line) + end)
    return lines


def _cell(table: Table, row: int, t: int, seat: int) -> str:
    deck = table.game.deck
    card = int(table.cards[t, row, seat])
    text = deck.cards[card]
    as_suit = int(table.played_as[t, row, seat])
    if as_suit != deck.suit_of[card]:
        text += f"→{_letter(deck, as_suit)}"
    lead = ">" if table.leaders[t, row] == seat else " "
    won = "*" if table.winners[t, row] == seat else " "
    return f"{lead}{text}{won}"


def _letter(deck: Deck, suit: int) -> str:
    return "–" if suit == NO_SUIT else deck.suits[suit].letter


def _result(table: Table, row: int) -> list[str]:
    game = table.game
    scored = game.score(table)
    lines = [" " * 8 + "".join(f"seat {seat}".rjust(9) for seat in range(game.players))]
    counts: list[tuple[str, list[str]]] = [
        ("tricks", [str(n) for n in table.state.tricks[row]]),
        *([("points", [str(n) for n in scored.points[row]])] if scored.points.any() else []),
        ("score", [str(n) for n in scored.score[row]]),
        ("win", [f"{share:.2g}" for share in scored.win[row]]),
    ]
    for name, values in counts:
        lines.append(f"{name:<8}" + "".join(value.rjust(9) for value in values))
    if table.over[row]:
        lines = ["passed out" if table.declarer[row] == NO_SEAT else "annulled", *lines]
    elif scored.made[row] >= 0:
        outcome = "makes" if scored.made[row] else "fails"
        bid = int(table.bidding.high[row])
        what = f"bid {game.bids[bid] if game.bids else bid} and {outcome} it"
        if game.contracts:
            what = f"{outcome} {game.contracts[table.contract[row]]}"
        who = f"seat {table.declarer[row]}"
        if table.partner[row] != NO_SEAT:
            who += f", with seat {table.partner[row]},"
        lines = [f"{who} {what}", *lines]
    revoked = [f"seat {seat}" for seat in np.flatnonzero(table.revokes[row])]
    if revoked:
        lines.append(f"revoked: {', '.join(revoked)}")
    return lines
