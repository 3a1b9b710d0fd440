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


def test_no_place_and_no_card_is_favoured():
    """Each place and each card by itself, as a mistake at the end of the shuffle would show."""
    packs = np.concatenate([tl.deal(tl.game("junni"), 4_096, seed).pack for seed in (24, 25, 26)])
    counts = np.stack([np.bincount(packs[:, j], minlength=80) for j in range(80)])
    for table in (counts, counts.T):
        assert stats.chisquare(table, axis=1).pvalue.min() > RARE / 80


def test_neighbouring_cards_are_independent():
    pack = tl.deal(tl.game("junni"), 4_096, 22).pack.astype(int)
    steps = (pack[:, 1:] - pack[:, :-1]) % 80
    counts = np.bincount(steps.ravel(), minlength=80)[1:]
    assert stats.chisquare(counts).pvalue > RARE


def test_holdings_and_what_is_set_aside_make_the_pack(variant):
    game = variant
    deals = tl.deal(game, 50, 3)
    for hand in range(50):
        dealt = [card for holding in deals.holdings(hand) for card in holding]
        assert sorted(dealt + deals.set_aside(hand)) == sorted(game.deck.cards)
        assert {len(holding) for holding in deals.holdings(hand)} == {game.cards_each}
        assert len(deals.set_aside(hand)) == game.set_aside


@pytest.mark.parametrize(
    ("players", "aside", "each"), [(3, 2, 26), (4, 0, 20), (5, 0, 16), (6, 2, 13)]
)
def test_two_cards_are_set_aside_with_three_or_six_players(players, aside, each):
    game = tl.game("junni", players=players)
    assert (game.set_aside, game.cards_each) == (aside, each)


def test_cards_set_aside_are_any_cards():
    game = tl.game("junni", players=3)
    deals = tl.deal(game, 4_096, 23)
    counts = np.bincount(deals.pack[:, -2:].ravel(), minlength=80)
    # Two of a hand's cards differ, which makes the counts a little more even than independent ones.
    chi2 = stats.chisquare(counts).statistic * 79 / 78
    assert RARE < stats.chi2.sf(chi2, 79) < 1 - RARE


def test_every_hand_has_its_own_deal():
    game = tl.game("junni")
    packs = {pack.tobytes() for seed in range(3) for pack in tl.deal(game, 4_096, seed).pack}
    assert len(packs) == 3 * 4_096


def test_cards_go_round_the_table_singly(variant):
    deals = tl.deal(variant, 5, 3)
    for hand in range(5):
        dealt = deals.pack[hand, : variant.cards_each * variant.players]
        for seat in range(variant.players):
            cards = [variant.deck.cards[c] for c in sorted(dealt[seat :: variant.players])]
            assert deals.holdings(hand)[seat] == cards


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


def test_a_batch_of_hands_lets_every_seat_deal_equally_often(variant):
    dealers = tl.deal(variant, 10 * variant.players).dealer
    assert (np.bincount(dealers) == 10).all()
    assert dealers[0] == 0
