"""A choice depends on what the seat may know and on nothing else."""

import numpy as np
import pytest

import tricklab as tl
from tricklab.games.base import Game
from tricklab.play import Desk, Give, Tricks, choices, end_trick
from tricklab.policies import seated
from tricklab.rng import Streams
from tricklab.simulation import deal_block
from tricklab.table import Table
from tricklab.view import View

HANDS = 60


def words(draw):
    return np.random.default_rng(draw).integers(0, 2**32, HANDS, dtype=np.uint32)


def fresh(game):
    streams = Streams(11, 0)
    return Table(deal_block(game, streams, 0, HANDS), game.n_tricks), streams


def midway(game, tricks, cards):
    """A table of random play, ``tricks`` tricks and ``cards`` cards in."""
    table, streams = fresh(game)
    desk = Desk(seated("random", game.players), streams)
    for phase in game.phases:
        if isinstance(phase, Give):
            phase.run(table, desk)
        if isinstance(phase, Tricks):
            while (table.trick, table.position) < (tricks, cards):
                if table.position == 0 and phase.before:
                    phase.before(table, streams)
                choices(table)
                phase._ask(table, desk, desk.policies[0], np.arange(HANDS))
                table.position += 1
                if table.position == game.players:
                    end_trick(table)
            if table.position == 0 and phase.before:
                phase.before(table, streams)
    choices(table)
    return table


def shuffle_unseen(table, rng):
    """Another table that the seat whose turn it is cannot tell from this one."""
    other = table.copy()
    deck = table.game.deck
    for h in range(HANDS):
        me = int(table.state.seat[h])
        owners = [seat for seat in range(table.game.players) if seat != me]
        held = {seat: deck.parse(deck.cards_in(table.state.hold[h, seat])) for seat in owners}
        given = {}
        # What it gave away stays where it knows it to be.
        left = (me + 1) % table.game.players
        known = set(deck.parse(deck.cards_in(table.given[h, me]))) & set(held[left])
        pool = [card for cards in held.values() for card in cards if card not in known]
        rest = table.pack[h, table.game.cards_each * table.game.players :].tolist()
        pool += rest
        rng.shuffle(pool)
        for seat in owners:
            fixed = [card for card in held[seat] if card in known]
            count = len(held[seat]) - len(fixed)
            given[seat] = fixed + pool[:count]
            pool = pool[count:]
            other.state.hold[h, seat] = deck.masks(given[seat])
            other.dealt[h, seat] = other.start[h, seat] = 0
            if seat not in (me, (me - 1) % table.game.players):
                other.given[h, seat] = 0
        other.pack[h, table.game.cards_each * table.game.players :] = pool
    return other


def answer(policy, table):
    out = policy.play(View(table, np.arange(HANDS), words))
    return out if isinstance(out, tuple) else (out,)


@pytest.mark.parametrize(("tricks", "cards"), [(0, 0), (0, 2), (5, 1), (7, 0)])
def test_permuting_unseen_cards_never_changes_a_play(variant, named, tricks, cards):
    table = midway(variant, tricks, cards)
    other = shuffle_unseen(table, np.random.default_rng(1))
    assert (other.state.hold != table.state.hold).any()
    policy = tl.policy(named)
    for one, two in zip(answer(policy, table), answer(policy, other), strict=True):
        assert (one == two).all()


def test_permuting_unseen_cards_never_changes_a_gift(named):
    game = tl.game("junni", shriving=True)
    table, _ = fresh(game)
    other = shuffle_unseen(table, np.random.default_rng(1))
    assert (other.state.hold != table.state.hold).any()
    gifts = [
        tl.policy(named).give(View(t, np.arange(HANDS), words, playing=False))
        for t in (table, other)
    ]
    assert (gifts[0] == gifts[1]).all()


def test_other_holdings_are_not_reachable_from_a_view(variant):
    table = midway(variant, 3, 1)
    hidden = [table.state.hold, table.dealt, table.start, table.given, table.pack]
    view = View(table, np.arange(HANDS), words)
    names = [n for n in dir(view) if not n.startswith("__")]
    found, seen = [getattr(view, name) for name in names], set()
    while found:
        item = found.pop()
        if id(item) in seen or isinstance(item, (Game, tl.Deck)):
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            assert not any(np.shares_memory(item, array) for array in hidden)
        elif isinstance(item, dict):
            found += item.values()
        elif isinstance(item, (list, tuple)):
            found += item


def test_a_policy_cannot_change_the_table_through_its_view():
    view = View(midway(tl.game("junni"), 3, 1), np.arange(HANDS), words)
    for name in ("holding", "legal_printed", "played", "voids", "best_strength", "tricks"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(view, name)[:] = 0
