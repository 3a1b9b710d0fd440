"""How policies bid, exchange, name trumps, call and play at KAJI."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import ALONE, PASS
from tricklab.bits import top
from tricklab.games.kaji import fitting, strength
from tricklab.policies import seated
from tricklab.simulation import run_blocks

PLAYERS = [2, 3, 4, 5]
FRESH = 4_242
"""A seed that nothing was fitted or tuned on."""


@dataclass(frozen=True)
class Forced(tl.Policy):
    """The first bidder bids what it is told, all others pass; else as a policy of its side does."""

    declarer: tl.Policy
    others: tl.Policy
    level: int = 2
    name = ""

    def bid(self, view):
        return np.where(view.dropped == 0, self.level, PASS)

    def discard(self, view):
        return self.declarer.discard(view)

    def trumps(self, view):
        return self.declarer.trumps(view)

    def call(self, view):
        return self.declarer.call(view)

    def play(self, view):
        on_side = (view.seat == view.declarer) | (view.seat == view.partner)
        answers = [self.declarer.play(view), self.others.play(view)]
        # None of them says what suit a card is played as: each has its own alone.
        cards = [each[0] if isinstance(each, tuple) else each for each in answers]
        return np.where(on_side, *cards)


def finished(table, first):
    return table


def tables(game, policies, hands=4_000, seed=FRESH):
    return list(run_blocks(game, hands, policies, seed, finished, n_jobs=1))


def declarers_gain(game, policies):
    """What the first bidder scores more than the mean of the others, a number a hand."""
    out = []
    for table in tables(game, policies):
        score = game.score(table).score.astype(float)
        own = score[np.arange(table.hands), table.declarer]
        out.append(own - (score.sum(axis=1) - own) / (game.players - 1))
    return np.concatenate(out)


def forced(declarer, others=None, level=2):
    return Forced(tl.policy(declarer), tl.policy(others or declarer), level)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("weak", "strong"), [("random", "simple"), ("simple", "careful")])
def test_each_policy_is_better_as_declarer_and_as_opponent(players, weak, strong):
    game = tl.game("kaji", players=players)

    def gain(declarer, others):
        return declarers_gain(game, seated(forced(declarer, others), players))

    best = gain(strong, strong)
    assert tl.paired_difference(gain(weak, strong), best, level=0.99).high < 0
    assert tl.paired_difference(gain(strong, weak), best, level=0.99).low > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_careful_bids_of_each_level_succeed_between_40_and_90_percent(players):
    hands = tl.simulate(tl.game("kaji", players=players), 12_000, "careful", FRESH).hands
    levels = hands[hands["bid"] > 0].groupby("bid")["made"].agg(["size", "mean"])
    # Levels that are hardly ever played are those of hands that nobody else wanted: such a hand
    # is known to meet weak ones.
    levels = levels[levels["size"] >= 0.02 * len(hands)]
    assert len(levels) > 1
    assert levels["mean"].between(0.4, 0.9).all(), levels


@pytest.mark.parametrize("players", PLAYERS)
def test_the_estimate_at_the_auction_is_calibrated_on_fresh_deals(players):
    game = tl.game("kaji", players=players)
    at = seated(fitting.Appointed(), players)
    predicted, taken = [], []
    for table in tables(game, at, 12_000):
        hand = fitting.observe(table, 0)
        predicted.append(game.fit_used.bend(strength.best_at_auction(game, hand.dealt)))
        taken.append(hand.taken)
    predicted, taken = np.concatenate(predicted), np.concatenate(taken)
    for whole in np.unique(np.rint(predicted)):
        here = np.rint(predicted) == whole
        if here.sum() >= 300:
            off = tl.mean(taken[here] - predicted[here], level=0.99)
            assert off.low < 0.15
            assert off.high > -0.15


def test_the_fit_that_ships_is_the_one_the_code_makes():
    made, shipped = fitting.fit(5), strength.shipped()[5]
    assert made.plain() == shipped.plain()
    assert sorted(strength.shipped()) == list(fitting.settings())
    assert tl.GAMES["kaji"].fits() == 4


def made(game, policies):
    return np.concatenate([game.score(table).made for table in tables(game, policies)])


@dataclass(frozen=True)
class Otherwise(tl.Careful):
    """Plays as ``careful`` does but decides one thing another way."""

    what: str = ""
    name = ""

    def bid(self, view):
        return np.where(view.dropped == 0, 3, PASS)

    def trumps(self, view):
        return np.full(len(view), 0) if self.what == "trumps" else super().trumps(view)

    def discard(self, view):
        if self.what == "discard":
            # The cards last taken up or dealt, whatever they are.
            return np.argsort(~view.holds, axis=1, kind="stable")[:, : view.game.discards]
        return super().discard(view)

    def call(self, view):
        if self.what == "call":
            return view.may_call.argmax(axis=1)
        return np.full(len(view), ALONE) if self.what == "alone" else super().call(view)


@pytest.mark.parametrize("what", ["trumps", "discard", "call", "alone"])
def test_each_choice_of_careful_makes_contracts(what):
    game = tl.game("kaji")
    own, other = (made(game, seated(Otherwise(what=each), 4)) for each in ("", what))
    assert tl.paired_difference(own, other, level=0.99).low > 0


def test_careful_goes_alone_where_that_is_worth_more():
    """At the lowest bid some holdings do; with a high bid to make, fewer."""
    share = []
    for level in (1, 4):
        (table,) = tables(tl.game("kaji"), seated(forced("careful", level=level), 4))
        share.append((table.called == ALONE).mean())
    assert 0 < share[1] < share[0] < 0.5


def test_careful_plays_with_its_partner():
    """A side whose partner thinks itself alone takes fewer tricks."""

    @dataclass(frozen=True)
    class Loner(tl.Careful):
        name = ""

        def play(self, view):
            lonely = copy.copy(view)
            own = np.where(view.seat == view.partner, 1 << view.seat, view.allies)
            lonely._own = view._own | {"allies": own.astype(np.uint16)}
            return super().play(lonely)

    game = tl.game("kaji")
    together, apart = (
        declarers_gain(game, seated(Forced(each, tl.policy("careful"), 3), 4))
        for each in (tl.policy("careful"), Loner())
    )
    assert tl.paired_difference(together, apart, level=0.99).low > 0


@pytest.mark.parametrize("players", PLAYERS)
def test_careful_opponents_lead_high_from_the_suit_that_beats_most_and_trumps_last(players):
    game = tl.game("kaji", players=players)
    deck, led = game.deck, []

    class Looks(tl.Careful):
        name = ""

        def play(self, view):
            cards, named = super().play(view)
            own_side = (view.seat == view.declarer) | (view.seat == view.partner)
            for i in np.flatnonzero(~own_side) if view.position == 0 else ():
                held, trump = view.holding[i].tolist(), view.trump[i]
                suits = [s for s in range(4) if held[s] and s != trump] or [trump]
                power = [int(game.rules.beats[trump, s]).bit_count() for s in suits]
                most = [s for s, n in zip(suits, power, strict=True) if n == max(power)]
                fewest = min(held[s].bit_count() for s in most)
                highest = [
                    deck.offset[s] + held[s].bit_length() - 1
                    for s in most
                    if held[s].bit_count() == fewest
                ]
                led.append(cards[i] in highest)
            return cards, named

    tables(game, seated(Looks(), players), 300)
    assert len(led) > 300
    assert all(led)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("declarer", ["simple", "careful"])
def test_careful_opponents_leave_a_declarer_fewer_tricks(players, declarer):
    game = tl.game("kaji", players=players)
    simple, careful = (
        np.concatenate(
            [
                game.over_book(table)
                for table in tables(game, seated(forced(declarer, others), players))
            ]
        )
        for others in ("simple", "careful")
    )
    assert tl.paired_difference(careful, simple, level=0.99).high < 0


@dataclass(frozen=True)
class Bids(tl.Careful):
    """Plays as ``careful`` does but bids otherwise where it speaks first, or last."""

    first: int = 0
    last: int = 0
    name = ""

    def bid(self, view):
        bids = super().bid(view)
        opens, limit = view.dropped == 0, view.game.bid_limit(view, self.margin)
        if self.first:
            return np.where(opens, np.clip(bids + self.first, 1, view.max_bid), bids)
        wanted = np.floor(limit).astype(int) + self.last
        bids = np.where(opens, bids, np.clip(wanted, view.min_bid, view.max_bid))
        return np.where(opens | (limit >= view.min_bid), bids, PASS)


@pytest.mark.parametrize("otherwise", [{"first": -1}, {"first": 1}, {"last": 1}], ids=str)
def test_two_players_gain_nothing_by_other_bids(otherwise):
    """Of the first, lower ones or higher ones; of the last, more than the least."""
    game = tl.game("kaji", players=2)

    def gain(policies):
        score = np.concatenate(
            [game.score(table).score for table in tables(game, seated(policies, 2), 8_000)]
        )
        return score.astype(float) @ [1, -1]

    own = gain("careful")
    assert tl.paired_difference(gain([Bids(**otherwise), "careful"]), own, level=0.99).high < 0


def test_of_two_players_the_first_always_bids():
    (table,) = tables(tl.game("kaji", players=2), seated("careful", 2), 4_000)
    assert not table.over.any()
    assert (table.bids[0][1] >= strength.OPENING[2][0]).all()
    assert (table.bids[0][1] <= strength.OPENING[2][1]).all()


def test_simple_names_its_longest_suit_and_calls_the_highest_trump_missing():
    game = tl.game("kaji")
    (table,) = tables(game, seated(forced("simple"), 4))
    h = np.arange(table.hands)
    held = table.start[h, table.declarer]
    length = np.bitwise_count(held)
    trump = table.state.trump
    assert (length[h, trump] >= length.max(axis=1)).mean() > 0.9
    deck = game.deck
    gone = held[h, trump] | table.discarded[h, table.declarer, trump]
    missing = deck.full[trump] & ~gone
    highest = deck.offset[trump] + top(missing)
    assert (table.called == highest)[missing > 0].all()


def test_a_higher_margin_bids_more():
    means = [
        tl.simulate(tl.game("kaji"), 1_000, f"careful:margin={margin}", 1).hands["bid"].mean()
        for margin in (-1.5, 0, 1.5)
    ]
    assert means == sorted(set(means))


def test_random_names_every_suit_and_calls_every_card_and_nobody():
    game = tl.game("kaji", players=5)
    (table,) = tables(game, seated(forced("random"), 5))
    assert set(np.unique(table.state.trump)) == {0, 1, 2, 3}
    assert set(np.unique(table.called)) == {ALONE, *range(48)}
    # One of 36 cards or nobody, each equally likely.
    assert (table.called == ALONE).mean() == pytest.approx(1 / 37, abs=0.012)
