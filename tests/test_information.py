"""A choice depends on what the seat may know and on nothing else."""

import contextlib
import types
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import tricklab as tl
from tricklab import desk, play
from tricklab.bidding import NO_SEAT
from tricklab.dealing import deal_block
from tricklab.games.base import Game
from tricklab.policies.base import HONEST
from tricklab.rng import Streams
from tricklab.table import Table
from tricklab.view import View

HANDS = 60


class Draws:
    """Stands in for the desk's draws: the same words whenever the same draw is asked for."""

    def __init__(self, rows):
        self.rows = rows

    def __call__(self, draw):
        words = np.random.default_rng(draw).integers(0, 2**32, HANDS, dtype=np.uint32)
        return words[self.rows]


class Anything(tl.Random):
    """Plays as ``random`` does, and now and then any card at all where nobody checks."""

    uniform = False

    def revoke(self, view):
        wants = view.uniform() < 0.2
        return np.where(wants, np.argmax(view.holds, axis=1), HONEST)


@dataclass(frozen=True)
class Moment:
    """A decision that is due: the table at that moment, and what is asked in which rows."""

    table: Table
    rows: Any
    decision: str
    more: dict[str, Any]

    def view(self, table=None, rows=None):
        """What the seats asked see, here or at another table."""
        table = self.table if table is None else table
        rows = self.rows if rows is None else rows
        more = dict(self.more)
        if self.decision == "revoke":
            more["free"] = play.any_cards(table)
        return View(table, rows, Draws(rows), self.decision, **more)

    @property
    def playing(self):
        return self.decision in ("play", "revoke")

    @property
    def some(self):
        return self.rows[::2]


@cache
def moments(game):
    """Decisions to look at: every kind that the game has, early, midway and late."""
    found = []

    class Watched(View):
        def __init__(self, table, rows, draw, decision, **more):
            super().__init__(table, rows, draw, decision, **more)
            found.append((table.trick, table.position, decision))
            if wanted(game, found):
                # A copy, so that tables to compare are laid out in memory in the same way.
                moment = Moment(table.copy(), rows, decision, more)
                kept.append(moment)

    kept = []
    streams = Streams(11, 0)
    table = Table(deal_block(game, streams, 0, HANDS), game.n_tricks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "View", Watched)
        play.play_out(table, desk.Desk((Anything(),) * game.players, streams))
    return kept


def wanted(game, found):
    trick, position, decision = found[-1]
    last = game.n_tricks - 2
    if decision == "play":
        late = (last, game.players - 1)
        return (trick, position) in [(0, 0), (0, 2), (last // 2, 1), (last // 2, 0), late]
    if decision == "revoke":
        return (trick, position) in [(0, 1), (last // 2, 0), (last, game.players - 1)]
    return sum(each[2] == decision for each in found) <= 2 * game.players


def shuffle_unseen(moment, rows=None):
    """Another table that the seats whose turn it is cannot tell from this one.

    What they cannot see is dealt anew: the other holdings, the stock and the discards, what others
    gave each other, who revoked, and in hands outside ``rows``, in which they are not asked, what
    is legal.
    """
    table, rows = moment.table, moment.rows if rows is None else rows
    rng = np.random.default_rng(1)
    other = table.copy()
    deck, players = table.game.deck, table.game.players
    for h in range(table.hands):
        me = int(table.state.seat[h])
        left, right = (me + 1) % players, (me - 1) % players
        held = {
            seat: deck.parse(deck.cards_in(table.state.hold[h, seat]))
            for seat in range(players)
            if seat != me
        }
        # What it gave away stays where it knows it to be, unless it may have been discarded.
        known = set(deck.parse(deck.cards_in(table.given[h, me]))) & set(held[left])
        if left == table.declarer[h] and table.discarded[h, left].any():
            known = set()
        # All have seen the card that the partner was called by.
        shown = {int(table.called[h])}
        known |= shown & set(held.get(int(table.partner[h]), ()))
        seen = table.state.hold[h, me] | table.state.played[h] | table.discarded[h, me]
        pool = [card for card in deck.parse(deck.cards_in(deck.full & ~seen)) if card not in known]
        rng.shuffle(pool)
        for seat, cards in held.items():
            fixed = [card for card in cards if card in known]
            count = len(cards) - len(fixed)
            other.state.hold[h, seat] = deck.masks(fixed + pool[:count])
            pool = pool[count:]
            count = int(np.bitwise_count(table.discarded[h, seat]).sum())
            other.discarded[h, seat] = deck.masks(pool[:count])
            pool = pool[count:]
            other.dealt[h, seat] = other.start[h, seat] = 0
            other.revokes[h, seat] += 1
            other.risked[h, seat] += 1
            other.fresh[h, seat] ^= True
            other.sides[h, seat] = 0
            # The cards received are seen once everybody has given.
            if seat != right or moment.decision == "give":
                other.given[h, seat] = rng.permutation(other.given[h, seat])
        other.pack[h] = rng.permutation(other.pack[h])
        if other.extra:
            other.extra.holder[h] = NO_SEAT
    elsewhere = np.setdiff1d(np.arange(table.hands), rows)
    for array in other.legal:
        array[elsewhere] = 0
    return other


def knows_all(moment):
    """Whether nothing is hidden from the seats asked: all they do not see is with one other."""
    unseen = np.bitwise_count(moment.view().unseen).sum(axis=1)
    held = np.bitwise_count(moment.table.state.hold[moment.rows]).sum(axis=(1, 2))
    own = np.bitwise_count(moment.view().holding).sum(axis=1)
    return moment.table.game.players == 2 and (unseen == held - own).all()


def reachable(view):
    """Every array that can be reached from a view through attributes, by the way to it."""
    found = {}
    for name in (n for n in dir(view) if not n.startswith("__")):
        # Not everything there can be is asked about, and what is not there says so.
        with contextlib.suppress(tl.UserError, AttributeError):
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
    out = getattr(policy, view.decision)(view)
    return out if isinstance(out, tuple) else (out,)


def test_every_kind_of_decision_is_looked_at(every_variant):
    for game in every_variant:
        kinds = {moment.decision for moment in moments(game)}
        assert "play" in kinds
        assert ("give" in kinds) == (game.gives > 0)
        assert ("contract" in kinds) == (len(game.contracts) > 0)
        assert ("discard" in kinds) == (game.discards > 0)
        assert ("revoke" in kinds) == (getattr(game, "brazen", False))
        assert ("trumps" in kinds) == game.names_trumps
        assert ("call" in kinds) == (game.largest_side > 1)
        for decision in ("announce", "contra"):
            assert (decision in kinds) == (len(game.bonuses) > 0)
    everything = {moment.decision for game in every_variant for moment in moments(game)}
    kinds = {"give", "bid", "contract", "discard", "trumps", "call", "play", "revoke"}
    kinds |= {"announce", "contra"}
    assert everything >= kinds


def test_permuting_unseen_cards_never_changes_a_decision(variant, named):
    policy = tl.policy(named)
    for moment in moments(variant):
        if moment.decision == "revoke" and not play.may_revoke(policy):
            continue
        other = shuffle_unseen(moment)
        changed = (other.state.hold != moment.table.state.hold).any()
        assert changed or knows_all(moment)
        for rows in (moment.rows, moment.some):
            views = moment.view(rows=rows), moment.view(other, rows)
            for one, two in zip(*(answer(policy, view) for view in views), strict=True):
                assert (one == two).all()


def assert_nothing_hidden(moment, rows):
    """Whatever a policy digs out is the same when the hidden cards are others."""
    other = shuffle_unseen(moment, rows)
    first, second = reachable(moment.view(rows=rows)), reachable(moment.view(other, rows))
    assert first.keys() == second.keys()
    differ = [way for way, array in first.items() if not np.array_equal(array, second[way])]
    assert differ == []


def test_nothing_hidden_is_reachable_from_a_view(variant):
    for moment in moments(variant):
        assert_nothing_hidden(moment, moment.rows)


def test_nothing_hidden_of_hands_in_which_others_are_asked_is_reachable(every_variant):
    for game in every_variant:
        for moment in moments(game):
            assert_nothing_hidden(moment, moment.some)


def test_no_memory_is_shared_with_what_is_hidden(variant):
    for moment in moments(variant):
        table = moment.table
        hidden = [table.state.hold, table.dealt, table.start, table.given, table.pack]
        hidden += [table.discarded, table.revokes, table.risked, table.fresh, table.sides]
        hidden += [table.extra.holder] if table.extra else []
        for rows in (moment.rows, moment.some):
            for way, array in reachable(moment.view(rows=rows)).items():
                assert not any(np.shares_memory(array, secret) for secret in hidden), way


def test_what_a_seat_may_know_it_is_told(variant):
    """The view is not made safe by being empty."""
    for moment in moments(variant):
        table, view = moment.table, moment.view()
        seat = table.state.seat[moment.rows]
        me, t = (moment.rows, seat), table.trick
        assert (view.holding == table.state.hold[me]).all()
        seen = table.state.played[moment.rows] | table.discarded[me]
        assert (view.unseen == (variant.deck.full & ~view.holding & ~seen)).all()
        assert (view.declarer == table.declarer[moment.rows]).all()
        assert (view.called == table.called[moment.rows]).all()
        assert (view.partner == table.partner[moment.rows]).all()
        mine = view.declarer == seat
        partner = np.where(view.partner == NO_SEAT, 0, 1 << view.partner.clip(0))
        assert (view.allies[mine] == (1 << seat | partner)[mine]).all()
        if moment.playing:
            assert (view.past_cards == table.cards[:t, moment.rows]).all()
            assert (view.table_cards == table.cards[t][moment.rows]).all()
            assert (view.caught == table.caught[moment.rows]).all()
        if moment.decision == "bid":
            assert (view.high_bid == table.bidding.high[moment.rows]).all()
            assert (view.last_bids == table.bidding.last[moment.rows]).all()
        if moment.decision == "contract":
            offered = variant.offered(table.carried[me])
            assert (view.contracts == offered).all()
        for name in ("contract", "exchanged", "carried", "round", "standing"):
            assert (getattr(view, name) == getattr(table, name)[moment.rows]).all()
        for name, array in variant.public(table).items():
            assert (view.of_game[name] == array[moment.rows]).all()
        right = (moment.rows, (seat - 1) % variant.players)
        if variant.gives and moment.decision != "give":
            assert (view.given == table.given[me]).all()
            assert (view.received == table.given[right]).all()


def test_a_view_says_what_it_does_not_have(variant):
    for moment in moments(variant):
        if not moment.playing:
            with pytest.raises(tl.UserError, match=f"'n_legal' when asked to {moment.decision}"):
                _ = moment.view().n_legal
        if moment.decision != "call":
            with pytest.raises(tl.UserError, match="'legal_call'"):
                _ = moment.view().may_call
        if moment.decision != "bid" or variant.bids:
            with pytest.raises(tl.UserError, match="'min_bid'"):
                _ = moment.view().min_bid
        if moment.decision != "contract":
            with pytest.raises(tl.UserError, match="'contracts'"):
                _ = moment.view().contracts


def test_a_policy_cannot_change_the_table_through_its_view(variant):
    for moment in moments(variant):
        table = moment.table
        before = table.copy()
        for rows in (moment.rows, moment.some):
            view = moment.view(rows=rows)
            for name in (n for n in dir(View) if not n.startswith("_")):
                with contextlib.suppress(tl.UserError, AttributeError):
                    value = getattr(view, name)
                    value = value() if isinstance(value, types.MethodType) else value
                    if isinstance(value, np.ndarray) and value.flags.writeable:
                        value[...] = 1
        for one, two in zip(
            table.state + table.legal + table.bidding,
            before.state + before.legal + before.bidding,
            strict=True,
        ):
            assert (one == two).all()
        for name, array in vars(before).items():
            if isinstance(array, np.ndarray):
                assert (getattr(table, name) == array).all()


def test_a_policy_cannot_change_the_deck_or_the_rules(every_variant):
    for game in every_variant:
        view = moments(game)[-1].view()
        names = ("suit_of", "rank_of", "offset", "full", "inverted_suit", "inverted_rank")
        arrays = {name: getattr(view.deck, name) for name in names}
        arrays |= view.game.rules._asdict() | {"sides": view.game.sides}
        assert [
            name
            for name, array in arrays.items()
            if isinstance(array, np.ndarray) and array.flags.writeable
        ] == []
