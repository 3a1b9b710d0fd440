"""The deal: complete, fair and what combinatorics says."""

import numpy as np
import pytest
from scipy import stats

import tricklab as tl

RARE = 1e-4
"""A fair shuffle fails one of these fixed checks with about this chance."""


def test_every_card_comes_to_every_place_equally_often():
    pack = tl.deal(tl.game("junni"), 4_096, 21).pack
    counts = np.stack([np.bincount(pack[:, j], minlength=80) for j in range(80)])
    # Rows and columns both add up, which leaves 79 x 79 degrees of freedom.
    expected = len(pack) / 80
    chi2 = ((counts - expected) ** 2 / expected).sum()
    assert RARE < stats.chi2.sf(chi2, 79 * 79) < 1 - RARE


def test_neighbouring_cards_are_independent():
    pack = tl.deal(tl.game("junni"), 4_096, 22).pack.astype(int)
    steps = (pack[:, 1:] - pack[:, :-1]) % 80
    counts = np.bincount(steps.ravel(), minlength=80)[1:]
    assert stats.chisquare(counts).pvalue > RARE


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_holdings_and_what_is_set_aside_make_the_pack(players):
    game = tl.game("junni", players=players)
    deals = tl.deal(game, 50, 3)
    for hand in range(50):
        dealt = [card for holding in deals.holdings(hand) for card in holding]
        assert sorted(dealt + deals.set_aside(hand)) == sorted(game.deck.cards)
        assert {len(holding) for holding in deals.holdings(hand)} == {game.cards_each}


@pytest.mark.parametrize("players", [3, 4, 6])
def test_trumps_dealt_follow_the_hypergeometric_law(players):
    game = tl.game("junni", players=players)
    trumps = tl.simulate(game, 20_000, "random", 5).seats.query("seat == 1")["trumps"]
    law = stats.hypergeom(80, 16, game.cards_each)
    counts = np.bincount(trumps, minlength=17)
    expected = law.pmf(np.arange(17)) * len(trumps)
    enough = expected >= 5
    pooled = [np.append(x[enough], x[~enough].sum()) for x in (counts, expected)]
    assert stats.chisquare(*pooled).pvalue > RARE


@pytest.mark.parametrize("event", ["voids >= 1", "trumps >= 6", "barbarians == 0", "sages == 2"])
def test_features_dealt_are_as_frequent_as_exactly_computed(event):
    game = tl.game("junni", players=5)
    run = tl.simulate(game, 20_000, "random", 6)
    hits = int(run.seats.query("seat == 2").eval(event).sum())
    exact = tl.exact_odds(game, event).value
    assert stats.binomtest(hits, 20_000, exact).pvalue > RARE


def test_a_batch_of_hands_lets_every_seat_deal_equally_often():
    dealers = tl.deal(tl.game("junni", players=5), 50).dealer
    assert (np.bincount(dealers) == 10).all()
