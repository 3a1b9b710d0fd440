"""A choice depends on what the seat may know and on nothing else."""

import contextlib
import types

import numpy as np

import tricklab as tl
from tricklab.games.base import Game
from tricklab.play import Desk, Give, Tricks, choices, end_trick
from tricklab.policies import seated
from tricklab.rng import Streams
from tricklab.simulation import deal_block
from tricklab.table import Table
from tricklab.view import View

HANDS = 60
EVERY = np.arange(HANDS)
SOME = np.arange(0, HANDS, 2)


class Draws:
    """Stands in for the desk's draws: the same words whenever the same draw is asked for."""

    def __init__(self, rows):
        self.rows = rows

    def __call__(self, draw):
        words = np.random.default_rng(draw).integers(0, 2**32, HANDS, dtype=np.uint32)
        return words[self.rows]


def view_of(table, rows=EVERY, *, playing=True):
    return View(table, rows, Draws(rows), playing=playing)


def fresh(game):
    streams = Streams(11, 0)
    return Table(deal_block(game, streams, 0, HANDS), game.n_tricks), streams


def midway(game, tricks, cards):
    """A table of random play, ``tricks`` tricks and ``cards`` cards in."""
    table, streams = fresh(game)
    desk = Desk(seated("random", game.players), streams)
    for phase in game.phases:
        if not isinstance(phase, Tricks):
            phase.run(table, desk)
            continue
        while (table.trick, table.position) < (tricks, cards):
            if table.position == 0 and phase.before:
                phase.before(table, streams)
            choices(table)
            phase._ask(table, desk, desk.policies[0], EVERY)
            table.position += 1
            if table.position == game.players:
                end_trick(table)
        if table.position == 0 and phase.before:
            phase.before(table, streams)
    choices(table)
    # A copy, so that tables to compare are laid out in memory in the same way.
    return table.copy()


def giving(game, seat):
    """A table in the give, the seats before ``seat`` having given already."""
    table, _ = fresh(game)
    rng = np.random.default_rng(seat)
    for h in range(HANDS):
        for giver in range(seat):
            held = game.deck.parse(game.deck.cards_in(table.dealt[h, giver]))
            table.given[h, giver] = game.deck.masks(rng.choice(held, game.gives, replace=False))
    table.state.seat[:] = seat
    return table.copy()


def shuffle_unseen(table, rows=EVERY, *, playing=True):
    """Another table that the seats whose turn it is cannot tell from this one.

    What they cannot see is dealt anew: the other holdings and the stock, what others gave each
    other, and in hands outside ``rows``, in which they are not asked, what is legal.
    """
    rng = np.random.default_rng(1)
    other = table.copy()
    deck, players = table.game.deck, table.game.players
    stock = slice(table.game.cards_each * players, None)
    for h in range(HANDS):
        me = int(table.state.seat[h])
        left, right = (me + 1) % players, (me - 1) % players
        held = {
            seat: deck.parse(deck.cards_in(table.state.hold[h, seat]))
            for seat in range(players)
            if seat != me
        }
        # What it gave away stays where it knows it to be.
        known = set(deck.parse(deck.cards_in(table.given[h, me]))) & set(held[left])
        pool = [card for cards in held.values() for card in cards if card not in known]
        pool += table.pack[h, stock].tolist()
        rng.shuffle(pool)
        for seat, cards in held.items():
            fixed = [card for card in cards if card in known]
            count = len(cards) - len(fixed)
            other.state.hold[h, seat] = deck.masks(fixed + pool[:count])
            pool = pool[count:]
            other.dealt[h, seat] = other.start[h, seat] = 0
            # The cards received are seen once everybody has given.
            if seat != right or (
                (table.trick, table.position) == (0, 0) and not table.legal.count[h]
            ):
                other.given[h, seat] = rng.permutation(other.given[h, seat])
        other.pack[h, stock] = pool
        other.pack[h, : stock.start] = rng.permutation(other.pack[h, : stock.start])
    elsewhere = np.setdiff1d(EVERY, rows)
    for array in other.legal:
        array[elsewhere] = 0
    return other


def reachable(view):
    """Every array that can be reached from a view through attributes, by the way to it."""
    found = {}
    for name in (n for n in dir(view) if not n.startswith("__")):
        # A give has no cards on the table and no legal plays to look at.
        with contextlib.suppress(KeyError):
            found[name] = getattr(view, name)
    arrays, seen = {}, set()
    while found:
        way, item = found.popitem()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            arrays[way] = item
            if item.base is not None:
                found[way + ".base"] = item.base
        elif isinstance(item, (Game, tl.Deck, type, types.ModuleType)):
            continue
        elif isinstance(item, dict):
            found |= {f"{way}[{key!r}]": value for key, value in item.items()}
        elif isinstance(item, (list, tuple, set, frozenset)):
            found |= {f"{way}[{i}]": value for i, value in enumerate(item)}
        elif isinstance(item, types.MethodType):
            found[way + ".self"] = item.__self__
        elif hasattr(item, "__dict__"):
            found |= {f"{way}.{key}": value for key, value in vars(item).items()}
    return arrays


def answer(policy, view):
    out = policy.play(view)
    return out if isinstance(out, tuple) else (out,)


def moments(game):
    """Decisions to look at: leading and following, early, midway and late."""
    last = game.n_tricks - 2
    return [(0, 0), (0, 2), (last // 2, 1), (last // 2, 0), (last, game.players - 1)]


def gives(game):
    return any(isinstance(phase, Give) for phase in game.phases)


def test_permuting_unseen_cards_never_changes_a_play(variant, named):
    policy = tl.policy(named)
    for moment in moments(variant):
        table = midway(variant, *moment)
        other = shuffle_unseen(table)
        assert (other.state.hold != table.state.hold).any()
        for rows in (EVERY, SOME):
            first, second = (answer(policy, view_of(t, rows)) for t in (table, other))
            for one, two in zip(first, second, strict=True):
                assert (one == two).all()


def test_permuting_unseen_cards_and_gifts_never_changes_a_gift(every_variant, named):
    policy = tl.policy(named)
    for game, seat in ((g, s) for g in filter(gives, every_variant) for s in range(g.players)):
        table = giving(game, seat)
        other = shuffle_unseen(table, playing=False)
        assert (other.state.hold != table.state.hold).any()
        for rows in (EVERY, SOME):
            gifts = [policy.give(view_of(t, rows, playing=False)) for t in (table, other)]
            assert (gifts[0] == gifts[1]).all()


def assert_nothing_hidden(table, rows, *, playing=True):
    """Whatever a policy digs out is the same when the hidden cards are others."""
    other = shuffle_unseen(table, rows, playing=playing)
    first, second = (reachable(view_of(t, rows, playing=playing)) for t in (table, other))
    assert first.keys() == second.keys()
    differ = [way for way, array in first.items() if not np.array_equal(array, second[way])]
    assert differ == []


def test_nothing_hidden_is_reachable_from_a_view(variant):
    for moment in moments(variant):
        assert_nothing_hidden(midway(variant, *moment), EVERY)


def test_nothing_hidden_of_hands_in_which_others_are_asked_is_reachable(every_variant):
    for game in every_variant:
        for moment in moments(game):
            assert_nothing_hidden(midway(game, *moment), SOME)


def test_nothing_given_at_the_same_moment_is_reachable(every_variant):
    for game in filter(gives, every_variant):
        for seat in range(game.players):
            assert_nothing_hidden(giving(game, seat), EVERY, playing=False)


def test_no_memory_is_shared_with_what_is_hidden(variant):
    for moment in moments(variant):
        table = midway(variant, *moment)
        hidden = [table.state.hold, table.dealt, table.start, table.given, table.pack]
        for rows in (EVERY, SOME):
            for way, array in reachable(view_of(table, rows)).items():
                assert not any(np.shares_memory(array, secret) for secret in hidden), way


def test_what_a_seat_may_know_it_is_told(variant):
    """The view is not made safe by being empty."""
    table = midway(variant, 3, 1)
    view = view_of(table)
    me = (EVERY, table.state.seat)
    assert (view.holding == table.state.hold[me]).all()
    assert (view.unseen == (variant.deck.full & ~view.holding & ~table.state.played)).all()
    assert (view.past_cards == table.cards[:3]).all()
    assert (view.table_cards == table.cards[3]).all()
    right = (EVERY, (table.state.seat - 1) % variant.players)
    if gives(variant):
        assert (view.given == table.given[me]).all()
        assert (view.received == table.given[right]).all()
        assert np.bitwise_count(view.received).sum(axis=1).tolist() == [variant.gives] * HANDS


def test_a_policy_cannot_change_the_table_through_its_view(variant):
    table = midway(variant, 3, 1)
    before = table.copy()
    for rows in (EVERY, SOME):
        view = view_of(table, rows)
        for name in (n for n in dir(View) if not n.startswith("_")):
            value = getattr(view, name)
            value = value() if isinstance(value, types.MethodType) else value
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value[...] = 1
    for one, two in zip(table.state + table.legal, before.state + before.legal, strict=True):
        assert (one == two).all()
    for name in ("cards", "played_as", "dealt", "given", "start", "pack", "dealer"):
        assert (getattr(table, name) == getattr(before, name)).all()


def test_a_policy_cannot_change_the_deck_or_the_rules(every_variant):
    for game in every_variant:
        view = view_of(midway(game, 1, 0))
        names = ("suit_of", "rank_of", "offset", "full", "inverted_suit", "inverted_rank")
        arrays = {name: getattr(view.deck, name) for name in names}
        arrays |= view.game.rules._asdict() | {"sides": view.game.sides}
        assert [
            name
            for name, array in arrays.items()
            if isinstance(array, np.ndarray) and array.flags.writeable
        ] == []
