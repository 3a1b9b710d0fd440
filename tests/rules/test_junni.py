"""Junni, clause by clause.

Every test is named after the clause of the rule sheet it holds the game to, and sets up the
cards as a player would on a table.  The expected answers are worked out by hand from the sheet.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import tricklab as tl

# Clauses of the sheet that single hands of plain Junni do not involve.
OUT_OF_SCOPE = {15, 16, 20, 21, 22, 23}

SMALL_DECK = """
name = "small"
title = "Three suits, two of whose Rooks share an inverted suit"
[[suits]]
letter = "B"
name = "Bells"
ranks = ["A", "2", "3", "4", "5", "6", "R", "S"]
[[suits]]
letter = "C"
name = "Coins"
ranks = ["A", "2", "3", "4", "5", "6", "R", "S"]
[[suits]]
letter = "K"
name = "Knots"
ranks = ["A", "2", "3", "4", "5", "6", "R", "S"]
[trumps]
letter = "T"
name = "Trumps"
ranks = ["1", "2", "3", "4", "5", "6"]
[barbarians]
letter = "X"
name = "Barbarians"
ranks = ["1", "2"]
[inverted]
RB = "K"
RC = "K"
SB = "K"
SC = "K"
"""

JOURNEY_TOTALS = {"dead_reckoning": 85, "flat": 80, "trump_heavy": 71}


def junni(players: int = 3, **switches):
    return tl.game("junni", players=players, **switches)


@pytest.fixture
def small_deck(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL_DECK, "utf-8")
    return path


def table(*holdings: str, leader: int = 0, broken: bool = False, trumps=None, **switches):
    """A hand-made position with one holding a seat."""
    game = junni(players=len(holdings), **switches)
    return tl.Position(game, holdings=list(holdings), leader=leader, broken=broken, trumps=trumps)


def named(card: str, suits: str) -> set[str]:
    """The answers of a led barbarian."""
    return {f"{card} as {letter}" for letter in suits}


def played_and_dealt(game, hands: int, seed: int, policies="random"):
    """For every hand the cards each seat was dealt and the cards it played, as sets."""
    run = tl.simulate(
        game,
        hands=hands,
        policies=policies,
        seed=seed,
        n_jobs=1,
        record="plays",
        progress=False,
    )
    deals = tl.deal(game, hands=hands, seed=seed)
    played = [[set() for _ in range(game.players)] for _ in range(hands)]
    plays = run.plays
    for hand, seat, card in zip(
        plays["hand"], plays["seat"], plays["card"].astype(str), strict=True
    ):
        played[hand][seat].add(card)
    dealt = [[set(cards) for cards in deals.holdings(hand)] for hand in range(hands)]
    return run, played, dealt


# ------------------------------------------------------------------------------- the deck


def test_j1_the_whole_deck_of_80_is_dealt_20_cards_each():
    game = junni(players=4)
    deals = tl.deal(game, hands=5, seed=3)
    assert game.deck.n_cards == 80
    assert game.cards_each == 20
    for hand in range(5):
        holdings = deals.holdings(hand)
        assert [len(cards) for cards in holdings] == [20, 20, 20, 20]
        assert sorted(card for cards in holdings for card in cards) == sorted(game.deck.cards)
        assert list(deals.set_aside(hand)) == []


def test_j1_every_rook_and_sage_and_nothing_else_has_an_inverted_suit():
    deck = junni().deck
    with_second_suit = {
        card for card, second in zip(deck.cards, deck.inverted_suit, strict=True) if second >= 0
    }
    assert with_second_suit == {"RB", "SB", "RC", "SC", "RK", "SK", "RL", "SL", "RS", "SS"}


@pytest.mark.parametrize(
    ("name", "suits", "numbers", "trumps", "barbarians"),
    [
        ("journey", "BCKLS", 10, 16, 4),
        ("four_suits", "BCKL", 12, 20, 4),
        ("short_suits", "BCKLS", 9, 22, 3),
    ],
)
def test_j2_the_three_decks(name, suits, numbers, trumps, barbarians):
    expected = [
        rank + letter
        for letter in suits
        for rank in ["A", *map(str, range(2, numbers + 1)), "R", "S"]
    ]
    expected += [f"{number}T" for number in range(1, trumps + 1)]
    expected += [f"{number}X" for number in range(1, barbarians + 1)]
    deck = junni(deck=name).deck
    assert list(deck.cards) == expected
    assert len(expected) == 80


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("journey", "RB:C SB:K RC:K SC:L RK:L SK:S RL:S SL:B RS:B SS:C"),
        ("short_suits", "RB:C SB:K RC:K SC:L RK:L SK:S RL:S SL:B RS:B SS:C"),
        ("four_suits", "RB:C SB:K RC:K SC:L RK:L SK:B RL:B SL:C"),
    ],
)
def test_j2_inverted_suits_one_on_for_a_rook_two_on_for_a_sage(name, second):
    deck = junni(deck=name).deck
    for pair in second.split():
        card, letter = pair.split(":")
        assert deck.suits[deck.inverted_suit[deck.index(card)]].letter == letter


def test_j2_an_unknown_deck_is_refused():
    with pytest.raises(tl.UserError):
        junni(deck="no_such_deck")


def test_j2_a_deck_may_be_a_file(small_deck):
    game = junni(deck=str(small_deck))
    assert (game.deck.n_cards, game.cards_each, game.set_aside) == (32, 10, 2)
    pos = table("1X", "2B", "6B", deck=str(small_deck))
    assert pos.legal() == named("1X", "BCK")


@pytest.mark.parametrize(
    ("was", "becomes", "wrong"),
    [
        ('RB = "K"', 'RB = "Q"', "Q"),
        ('RB = "K"', 'RB = "B"', "RB"),
        ('ranks = ["1", "2"]', 'ranks = ["1", "1"]', "1X"),
        ('letter = "C"', 'letter = "B"', "B"),
        (
            '[trumps]\nletter = "T"\nname = "Trumps"\nranks = ["1", "2", "3", "4", "5", "6"]\n',
            "",
            "trump",
        ),
    ],
)
def test_j2_a_deck_that_cannot_be_played_with_is_refused(small_deck, was, becomes, wrong):
    assert was in SMALL_DECK
    small_deck.write_text(SMALL_DECK.replace(was, becomes, 1), "utf-8")
    with pytest.raises(tl.UserError, match=wrong):
        junni(deck=str(small_deck))


@pytest.mark.parametrize(
    ("players", "each", "aside"), [(3, 26, 2), (4, 20, 0), (5, 16, 0), (6, 13, 2)]
)
def test_j3_equal_holdings_and_the_remainder_set_aside(players, each, aside):
    game = junni(players=players)
    assert (game.cards_each, game.set_aside) == (each, aside)
    run, played, dealt = played_and_dealt(game, hands=6, seed=11)
    deals = tl.deal(game, hands=6, seed=11)
    for hand in range(6):
        left = set(deals.set_aside(hand))
        assert len(left) == aside
        assert [len(cards) for cards in dealt[hand]] == [each] * players
        assert set.union(left, *dealt[hand]) == set(game.deck.cards)
        # Nobody ever plays a card that was set aside.
        assert not left & set.union(*played[hand])
    assert run.tricks["trick"].max() == each


@pytest.mark.parametrize("players", [2, 7])
def test_j3_only_three_to_six_play(players):
    with pytest.raises(tl.SwitchError, match="J3"):
        junni(players=players)


# -------------------------------------------------------------------------------- leaders


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_j4_the_deal_passes_clockwise_and_everybody_deals_equally_often(players):
    hands = 4 * players
    deals = tl.deal(junni(players=players), hands=hands, seed=2)
    dealers = [int(dealer) for dealer in deals.dealer]
    assert dealers == [hand % players for hand in range(hands)]


@pytest.mark.parametrize(("first_leader", "step"), [("dealer", 0), ("left_of_dealer", 1)])
def test_j4_first_leader(first_leader, step):
    game = junni(players=4, first_leader=first_leader)
    run = tl.simulate(
        game, hands=12, policies="random", seed=5, n_jobs=1, record="tricks", progress=False
    )
    first = run.tricks[run.tricks["trick"] == 1].sort_values("hand")
    hands = run.hands.sort_values("hand")
    expected = [(int(dealer) + step) % 4 for dealer in hands["dealer"]]
    assert set(hands["dealer"]) == {0, 1, 2, 3}
    assert [int(seat) for seat in first["leader"]] == expected
    assert [int(seat) for seat in hands["leader"]] == expected


def test_j4_an_unknown_first_leader_is_refused():
    with pytest.raises(tl.SwitchError, match="J4"):
        junni(first_leader="oldest")


def test_j5_the_winner_of_a_trick_leads_the_next():
    pos = table("2B 3C", "5B 4C", "SB 5C")
    pos.play("2B", "5B", "SB")
    assert (pos.winner, pos.leader, pos.seat) == (2, 2, 2)


def test_j5_rotate_passes_the_lead_clockwise():
    pos = table("2B 3C 2L", "5B 4C 3L", "SB 5C 4L", next_leader="rotate")
    pos.play("2B", "5B", "SB")
    assert (pos.winner, pos.leader, pos.seat) == (2, 1, 1)
    pos.play("4C", "5C", "3C")
    assert (pos.winner, pos.leader, pos.seat) == (2, 2, 2)


def test_j5_an_unknown_next_leader_is_refused():
    with pytest.raises(tl.SwitchError, match="J5"):
        junni(next_leader="loser")


# -------------------------------------------------------------------------------- leading


def test_j6_no_trump_is_led_before_trumps_are_broken():
    pos = table("AB 3C 1T 16T", "2B 3B 4B 5B", "6B 7B 8B 9B")
    assert pos.legal() == {"AB", "3C"}
    with pytest.raises(tl.IllegalAnswer):
        pos.play("16T")


def test_j6_any_card_but_a_barbarian_is_led_once_trumps_are_broken():
    pos = table("AB 1T 16T 1X", "2B 3B 4B 5B", "6B 7B 8B 9B", broken=True)
    assert pos.legal() == {"AB", "1T", "16T"}


def test_j7_no_barbarian_is_led_while_another_card_is_held():
    pos = table("AB 1X 2X", "2B 3B 4B", "6B 7B 8B")
    assert pos.legal() == {"AB"}
    with pytest.raises(tl.IllegalAnswer):
        pos.play("1X as B")


def test_j7_a_trump_is_another_card_too_once_broken():
    assert table("2T 1X 2X", "2B 3B 4B", "6B 7B 8B", broken=True).legal() == {"2T"}


def test_j7_barbarians_alone_are_led_and_name_any_suit_but_trumps():
    pos = table("1X 3X", "2B 3B", "6B 7B")
    assert pos.legal() == named("1X", "BCKLS") | named("3X", "BCKLS")
    with pytest.raises(tl.IllegalAnswer):
        pos.play("1X as T")


def test_j7_only_suits_of_the_deck_are_named():
    assert table("1X", "2B", "6B", deck="four_suits").legal() == named("1X", "BCKL")


def test_j7_with_dice_the_trump_suit_is_named_unless_it_was_rolled():
    holdings = ("1X", "2B", "6B")
    assert table(*holdings, dice=True, trumps="B").legal() == named("1X", "CKLST")
    assert table(*holdings, dice=True, trumps="T").legal() == named("1X", "BCKLS")


def test_j7_the_named_suit_binds_the_followers():
    pos = table("1X 2X", "AB 2C", "9C SC")
    pos.play("1X as B")
    assert pos.legal() == {"AB"}
    pos.play("AB")
    # The last seat has neither Bells nor a trump and the ace of Bells is the only card of value.
    assert pos.legal() == {"9C", "SC"}
    pos.play("SC")
    assert pos.winner == 1


def test_j7_with_dice_a_named_trump_suit_binds_the_followers():
    pos = table("1X 2X", "5T 2C", "9B 9C", dice=True, trumps="B")
    pos.play("1X as T")
    assert pos.legal() == {"5T"}
    pos.play("5T")
    assert pos.legal() == {"9B"}  # void of the named suit: trumps, here Bells


def test_j8_a_leader_with_only_trumps_and_barbarians_leads_a_trump_and_breaks_trumps():
    pos = table("1T 5T 1X", "2B 3B 4B", "6B 7B 8B")
    assert not pos.broken
    assert pos.legal() == {"1T", "5T"}
    pos.play("1T")
    assert pos.broken


def test_j8_one_trump_in_the_holding_bars_the_barbarians():
    assert table("5T 1X 2X", "2B 3B 4B", "6B 7B 8B").legal() == {"5T"}


def test_j8_with_dice_counts_the_rolled_suit():
    holdings = ("3B 5B 1X", "2C 3C 4C", "6C 7C 8C")
    assert table(*holdings, dice=True, trumps="B").legal() == {"3B", "5B"}
    pos = table("3B 5T 1X", *holdings[1:], dice=True, trumps="B")
    assert pos.legal() == {"5T"}  # the deck's trump suit is an ordinary suit here


# ------------------------------------------------------------------------------- following


def test_j9_must_follow_the_lead_suit():
    pos = table("3B 2L 3L 4L", "5B SB 10C 16T", "6B 7B 8B 9B").play("3B")
    assert pos.legal() == {"5B", "SB"}  # either, beating is no duty
    with pytest.raises(tl.IllegalAnswer):
        pos.play("16T")


def test_j9_must_trump_when_void_of_the_lead_suit():
    pos = table("3B 2L 3L 4L", "10C SC 1T 16T", "6B 7B 8B 9B").play("3B")
    assert pos.legal() == {"1T", "16T"}


def test_j9_need_not_overtrump():
    pos = table("3B 2L 3L", "10T 2C 3C", "1T 16T 4C").play("3B", "10T")
    assert pos.legal() == {"1T", "16T"}


def test_j9_plays_anything_with_neither_lead_suit_nor_trumps():
    pos = table("3B 2L 3L", "10C SS AK", "6B 7B 8B").play("3B")
    assert pos.legal() == {"10C", "SS", "AK"}


@pytest.mark.parametrize(
    ("holding", "answers"),
    [
        ("5B 10C 16T 1X", {"5B", "1X"}),
        ("9K 10C 16T 1X", {"16T", "1X"}),
        ("9K 10C SS 1X", {"9K", "10C", "SS", "1X"}),
        ("9B 10T 1X 4X", {"9B", "1X", "4X"}),
    ],
)
def test_j9_a_barbarian_may_be_played_instead_of_anything(holding, answers):
    pos = table("3B 2L 3L 4L", holding, "6B 7B 8B AB").play("3B")
    assert pos.legal() == answers


def test_j10_a_followers_trump_breaks_trumps_for_the_rest_of_the_hand():
    pos = table("3B 2T", "6C 7C", "1T 9C")
    pos.play("3B", "6C")
    assert not pos.broken
    pos.play("1T")
    assert pos.broken
    pos = table("3B 2T 4C", "SB 5T 7C", "1T 9C 8C")
    pos.play("3B", "SB", "1T")
    pos.play("9C", "4C", "7C")
    assert pos.broken


def test_j10_once_broken_a_trump_may_be_led():
    pos = table("3B 2L 4C", "SB 5T 7C", "1T 16T 8C").play("3B", "SB", "1T")
    assert pos.seat == 2
    assert pos.legal() == {"16T", "8C"}


def test_j10_neither_a_discard_nor_a_barbarian_breaks_trumps():
    # The middle seat has no trump; the barbarian excuses the last seat from playing its own.
    pos = table("3B 2T 5C", "6C 9L 7C", "1X 4T 8C").play("3B", "6C", "1X")
    assert not pos.broken
    assert (pos.seat, pos.legal()) == (0, {"5C"})


def test_j10_trumps_led_must_be_answered_with_trumps():
    pos = table("5T 2L 3L", "2T 9B 1X", "9C SB 2X", broken=True).play("5T")
    assert pos.legal() == {"2T", "1X"}
    pos.play("2T")
    assert pos.legal() == {"9C", "SB", "2X"}  # no trump: any card
    pos.play("SB")
    assert pos.winner == 0


# -------------------------------------------------------------------------- taking a trick


def test_j11_the_highest_trump_wins():
    pos = table("SB", "2T", "10T", "9T").play("SB", "2T", "10T", "9T")
    assert pos.winner == 2


@pytest.mark.parametrize(
    ("lower", "higher"),
    [("A", "2"), ("2", "3"), ("9", "10"), ("10", "R"), ("R", "S"), ("A", "S")],
)
def test_j11_ranks_from_ace_to_sage(lower, higher):
    assert table(lower + "B", higher + "B", "AC").play(lower + "B", higher + "B", "AC").winner == 1
    assert table(higher + "B", lower + "B", "AC").play(higher + "B", lower + "B", "AC").winner == 0


def test_j11_trumps_rank_by_their_number():
    assert table("9T", "10T", "2T").play("9T", "10T", "2T").winner == 1


def test_j11_a_card_off_both_suits_has_no_value():
    assert table("AB", "SC", "SK").play("AB", "SC", "SK").winner == 0


def test_j11_a_following_barbarian_has_no_value():
    assert table("AB", "1X", "4X").play("AB", "1X", "4X").winner == 0


def test_j12_a_trick_without_value_goes_to_its_leader():
    pos = table("1X", "5C", "SL", leader=0).play("1X as B", "5C", "SL")
    assert pos.winner == 0
    assert pos.tricks == [1, 0, 0]


def test_j12_nothing_but_barbarians_goes_to_the_leader():
    pos = table("1X", "2X", "3X", leader=1).play("2X as L", "3X", "1X")
    assert pos.winner == 1


def test_j12_a_card_of_the_named_suit_has_value():
    pos = table("1X", "AC", "SL").play("1X as C", "AC", "SL")
    assert pos.winner == 1


def test_j12_a_trump_on_a_led_barbarian_has_value():
    pos = table("1X", "SC", "1T").play("1X as C", "SC", "1T")
    assert pos.winner == 2


def test_j13_most_tricks_win_the_hand():
    pos = table("SB RB", "2B 3B", "4B 5B").play("SB", "2B", "4B", "RB", "3B", "5B")
    assert pos.tricks == [2, 0, 0]
    assert list(pos.score()) == [2, 0, 0]
    assert list(pos.win()) == [1, 0, 0]


def test_j13_a_tie_is_shared_equally():
    pos = table("SB 2C 3L", "3B SC 5L", "4B 5C SL")
    pos.play("SB", "3B", "4B")
    pos.play("2C", "SC", "5C")
    pos.play("5L", "SL", "3L")
    assert pos.tricks == [1, 1, 1]
    assert list(pos.score()) == [1, 1, 1]
    assert list(pos.win()) == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_j13_two_of_four_share_and_the_others_get_nothing():
    pos = table("SB 2C", "3B SC", "4B 5C", "5B 6C")
    pos.play("SB", "3B", "4B", "5B")
    pos.play("2C", "SC", "5C", "6C")
    assert list(pos.win()) == [0.5, 0.5, 0, 0]


# -------------------------------------------------------------------------------- shriving


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("policies", ["random", "simple", "careful"])
def test_j14_four_cards_go_to_the_left_at_the_same_moment(players, policies):
    game = junni(players=players, shriving=True)
    _, played, dealt = played_and_dealt(game, hands=12, seed=21, policies=policies)
    for cards, before in zip(played, dealt, strict=True):
        given = [before[seat] - cards[seat] for seat in range(players)]
        received = [cards[seat] - before[seat] for seat in range(players)]
        assert [len(gift) for gift in given] == [4] * players
        # Every gift is of dealt cards and stops at the left neighbour: nobody passes on what
        # came from the right.
        assert [received[(seat + 1) % players] for seat in range(players)] == given


@pytest.mark.parametrize("number", [1, 8])
def test_j14_shriving_cards_sets_the_number(number):
    game = junni(players=6, shriving=True, shriving_cards=number)
    _, played, dealt = played_and_dealt(game, hands=6, seed=22)
    for cards, before in zip(played, dealt, strict=True):
        assert [len(before[seat] - cards[seat]) for seat in range(6)] == [number] * 6


@pytest.mark.parametrize("number", [0, 9])
def test_j14_one_to_eight_cards(number):
    with pytest.raises(tl.SwitchError, match="J14"):
        junni(shriving=True, shriving_cards=number)


def test_j14_nothing_moves_without_shriving():
    _, played, dealt = played_and_dealt(junni(), hands=6, seed=23)
    assert played == dealt


# ----------------------------------------------------------------------------- Arete Court


def test_j17_without_the_switch_a_court_card_has_one_suit():
    pos = table("3B 4B", "RS 3C", "6B 7B").play("3B")
    assert pos.legal() == {"RS", "3C"}


def test_j17_a_court_card_is_led_either_way():
    pos = table("RB SC 4L", "5C 6B 7C", "8C 9C 10C", arete_court=True)
    assert pos.legal() == {"RB", "RB as C", "SC", "SC as L", "4L"}
    pos.play("RB as C")
    assert pos.legal() == {"5C", "7C"}  # the lead suit is the one it was led as


def test_j17_an_upright_court_card_of_the_lead_suit_obliges():
    pos = table("3B 4L", "RB 3C", "6B 7B", arete_court=True).play("3B")
    assert pos.legal() == {"RB"}  # and may not be turned to Coins


def test_j17_an_inverted_match_permits_beside_a_card_that_follows():
    pos = table("3B 4L 5L", "RS 5B 3C", "6B 7B 8B", arete_court=True).play("3B")
    assert pos.legal() == {"5B", "RS as B"}


def test_j17_an_inverted_match_does_not_oblige():
    pos = table("3B 4L", "RS 3C", "6B 7B", arete_court=True).play("3B")
    assert pos.legal() == {"RS", "RS as B", "3C"}


def test_j17_an_inverted_match_spares_a_trump_but_other_cards_do_not():
    pos = table("3B 4L 5L 6L", "RS SC 2T 1X", "6B 7B 8B 9B", arete_court=True).play("3B")
    assert pos.legal() == {"2T", "RS as B", "1X"}


def test_j17_an_inverted_court_ranks_as_that_rank_of_the_lead_suit():
    assert table("10B", "RS", "9B", arete_court=True).play("10B", "RS as B", "9B").winner == 1
    assert table("10B", "SL", "RB", arete_court=True).play("10B", "SL as B", "RB").winner == 1
    assert table("RB", "RS", "SB", arete_court=True).play("RB", "RS as B", "SB").winner == 2


def test_j17_upright_beats_inverted_of_the_same_rank_in_both_orders():
    assert table("RB", "RS", "2B", arete_court=True).play("RB", "RS as B", "2B").winner == 0
    assert table("RS", "RB", "2B", arete_court=True).play("RS as B", "RB", "2B").winner == 1
    assert table("3B", "SL", "SB", arete_court=True).play("3B", "SL as B", "SB").winner == 2
    assert table("3B", "SB", "SL", arete_court=True).play("3B", "SB", "SL as B").winner == 1


def test_j17_of_two_inverted_cards_of_the_same_rank_the_earlier_wins(small_deck):
    switches = {"arete_court": True, "deck": str(small_deck)}
    assert table("3K", "RB", "RC", **switches).play("3K", "RB as K", "RC as K").winner == 1
    assert table("3K", "RC", "RB", **switches).play("3K", "RC as K", "RB as K").winner == 1
    assert table("RC", "RB", "3K", **switches).play("RC as K", "RB as K", "3K").winner == 0
    # An upright card of that rank still beats both.
    assert table("RC", "RB", "RK", **switches).play("RC as K", "RB as K", "RK").winner == 2


def test_j17_a_discard_may_name_its_inverted_suit_without_effect():
    pos = table("3B", "RK", "SC", arete_court=True).play("3B")
    assert pos.legal() == {"RK", "RK as L"}
    pos.play("RK as L", "SC as L")
    assert pos.winner == 0
    assert not pos.broken


def test_j17_dice_an_inverted_rolled_trump_may_be_played_where_a_trump_may():
    pos = table("3L 4L 6L", "RB 4S 2S", "7L 8L 9L", arete_court=True, dice=True, trumps="C").play(
        "3L"
    )
    assert pos.legal() == {"RB", "RB as C", "4S", "2S"}
    pos.play("RB as C")
    assert pos.broken
    pos.play("9L")
    assert pos.winner == 1


def test_j17_dice_an_inverted_trump_ranks_among_trumps():
    switches = {"arete_court": True, "dice": True, "trumps": "C"}
    assert table("3L", "RB", "RC", **switches).play("3L", "RB as C", "RC").winner == 2
    assert table("3L", "RC", "RB", **switches).play("3L", "RC", "RB as C").winner == 1
    assert table("3L", "RB", "10C", **switches).play("3L", "RB as C", "10C").winner == 1
    assert table("3L", "RB", "SC", **switches).play("3L", "RB as C", "SC").winner == 2


def test_j17_dice_an_upright_trump_obliges_and_an_inverted_one_is_permitted_beside_it():
    pos = table("3L 4L 5L", "RB 5C 4S", "7L 8L 9L", arete_court=True, dice=True, trumps="C").play(
        "3L"
    )
    assert pos.legal() == {"5C", "RB as C"}


def test_j17_dice_a_card_of_the_lead_suit_bars_an_inverted_trump():
    pos = table("3L 4L", "RB 5L", "7L 8L", arete_court=True, dice=True, trumps="C").play("3L")
    assert pos.legal() == {"5L"}


def test_j17_dice_trumps_led_are_followed_inverted_too():
    pos = table(
        "3C 4L 5L",
        "RB 5C 1X",
        "SS 8L 9L",
        arete_court=True,
        dice=True,
        trumps="C",
        broken=True,
    ).play("3C")
    assert pos.legal() == {"5C", "RB as C", "1X"}
    pos.play("5C")
    assert pos.legal() == {"SS", "SS as C", "8L", "9L"}
    pos.play("SS as C")
    assert pos.winner == 2


def test_j17_dice_no_inverted_trump_is_led_before_trumps_are_broken():
    holdings = ("RB 3L", "5L 6L", "7L 8L")
    switches = {"arete_court": True, "dice": True, "trumps": "C"}
    assert table(*holdings, **switches).legal() == {"RB", "3L"}
    assert table(*holdings, broken=True, **switches).legal() == {"RB", "RB as C", "3L"}


def test_j17_dice_an_upright_trump_led_as_its_other_suit_is_no_trump():
    pos = table("RB 3L", "5C 6L", "2B 8L", arete_court=True, dice=True, trumps="B")
    assert pos.legal() == {"RB as C", "3L"}
    pos.play("RB as C")
    assert not pos.broken
    assert pos.legal() == {"5C"}
    pos.play("5C")
    assert pos.legal() == {"2B"}
    pos.play("2B")
    assert pos.broken
    assert pos.winner == 2


def test_j17_dice_a_leader_with_only_trumps_may_turn_a_court_card():
    pos = table("RB 3B", "5C 6L", "2L 8L", arete_court=True, dice=True, trumps="B")
    assert pos.legal() == {"RB", "RB as C", "3B"}


def test_j17_dice_a_trump_court_may_follow_as_its_other_suit():
    # Coins led, Bells trumps: the Rook of Bells is a trump or, turned, a Rook of Coins.
    pos = table("3C 4L", "RB SB", "SC 8L", arete_court=True, dice=True, trumps="B").play("3C")
    assert pos.legal() == {"RB", "RB as C", "SB"}
    pos.play("RB as C")
    assert not pos.broken
    pos.play("SC")
    assert pos.winner == 2


# ------------------------------------------------------------------- points and the Cowards


def test_j18_dead_reckoning_counts_tricks_sages_rooks_and_aces():
    pos = table("SB RB", "AB 10B", "RC 2B", scoring="dead_reckoning")
    pos.play("SB", "AB", "2B")  # 1 for the trick, Sage 5, Ace 1
    pos.play("RB", "10B", "RC")  # 1 for the trick, Rooks 3 and 3
    assert list(pos.score()) == [14, 0, 0]


def test_j18_dead_reckoning_pays_nothing_for_trumps():
    pos = table("5B", "16T", "RB", scoring="dead_reckoning").play("5B", "16T", "RB")
    assert list(pos.score()) == [0, 4, 0]


def test_j18_flat_pays_one_a_card_and_nothing_a_trick():
    pos = table("5B", "16T", "RB", scoring="flat").play("5B", "16T", "RB")
    assert list(pos.score()) == [0, 3, 0]
    pos = table("5B", "1X", "RB", scoring="flat").play("5B", "1X", "RB")
    assert list(pos.score()) == [0, 1, 2]


def test_j18_trump_heavy_pays_for_trumps_and_courts():
    pos = table("SB", "16T", "RB", scoring="trump_heavy").play("SB", "16T", "RB")
    assert list(pos.score()) == [0, 10, 0]  # 5 + 3 + 2
    pos = table("AB", "1T", "15T", scoring="trump_heavy").play("AB", "1T", "15T")
    assert list(pos.score()) == [0, 0, 7]  # 5 + 2


def test_j18_trump_heavy_finds_the_highest_trump_of_the_deck():
    pos = table("5B", "20T", "16T", scoring="trump_heavy", deck="four_suits")
    assert list(pos.play("5B", "20T", "16T").score()) == [0, 7, 0]
    pos = table("5B", "22T", "20T", scoring="trump_heavy", deck="short_suits")
    assert list(pos.play("5B", "22T", "20T").score()) == [0, 7, 0]


def test_j18_points_decide_the_hand_instead_of_tricks():
    # Two bare tricks for seat 0, one with a Sage and a Rook for seat 1.
    pos = table("9B 8B SC", "2B 3B 16T", "4B 5B RC", scoring="dead_reckoning")
    pos.play("9B", "2B", "4B")
    pos.play("8B", "3B", "5B")
    pos.play("SC", "16T", "RC")
    assert pos.tricks == [2, 1, 0]
    assert list(pos.score()) == [2, 9, 0]
    assert list(pos.win()) == [0, 1, 0]


@pytest.mark.parametrize(
    ("deck", "scoring", "total"),
    [
        # 20 tricks; per suit Sage 5, Rook 3, Ace 1; barbarians 5.
        ("journey", "dead_reckoning", 20 + 5 * 9 + 4 * 5),
        ("four_suits", "dead_reckoning", 20 + 4 * 9 + 4 * 5),
        ("short_suits", "dead_reckoning", 20 + 5 * 9 + 3 * 5),
        # 80 cards.
        ("journey", "flat", 80),
        ("four_suits", "flat", 80),
        ("short_suits", "flat", 80),
        # Trumps 2 but two of them 5; per suit Sage 3, Rook 2; barbarians 2.
        ("journey", "trump_heavy", 14 * 2 + 10 + 5 * 5 + 4 * 2),
        ("four_suits", "trump_heavy", 18 * 2 + 10 + 4 * 5 + 4 * 2),
        ("short_suits", "trump_heavy", 20 * 2 + 10 + 5 * 5 + 3 * 2),
        ("journey", "tricks", 20),
    ],
)
def test_j18_the_whole_pack_counts(deck, scoring, total):
    if deck == "journey" and scoring in JOURNEY_TOTALS:
        assert total == JOURNEY_TOTALS[scoring]
    game = junni(players=4, deck=deck, scoring=scoring)
    run = tl.simulate(game, hands=20, policies="random", seed=4, n_jobs=1, progress=False)
    assert set(run.seats.groupby("hand")["score"].sum()) == {total}


def test_j18_five_players_have_sixteen_tricks_to_count():
    game = junni(players=5, scoring="dead_reckoning")
    run = tl.simulate(game, hands=20, policies="random", seed=4, n_jobs=1, progress=False)
    assert set(run.seats.groupby("hand")["score"].sum()) == {81}


def test_j18_cards_set_aside_count_for_nobody():
    game = junni(players=3, scoring="flat")
    run = tl.simulate(game, hands=20, policies="random", seed=4, n_jobs=1, progress=False)
    assert set(run.seats.groupby("hand")["score"].sum()) == {78}


def test_j18_an_unknown_table_is_refused():
    with pytest.raises(tl.UserError, match="J18"):
        junni(scoring="no_such_table")


@pytest.mark.parametrize(
    ("scoring", "score"),
    [("dead_reckoning", [7, 0, 5]), ("flat", [2, 0, 1]), ("trump_heavy", [3, 0, 2])],
)
def test_j19_the_player_of_a_barbarian_keeps_it_though_the_trick_is_lost(scoring, score):
    pos = table("SB", "AB", "1X", scoring=scoring).play("SB", "AB", "1X")
    assert pos.winner == 0
    assert list(pos.score()) == score


def test_j19_a_led_barbarian_is_kept_too():
    pos = table("1X", "AC", "2X", scoring="dead_reckoning").play("1X as C", "AC", "2X")
    assert pos.winner == 1
    assert list(pos.score()) == [5, 2, 5]


def test_j19_a_worthless_trick_leaves_every_barbarian_with_its_player():
    pos = table("1X", "AC", "2X", scoring="dead_reckoning").play("1X as B", "AC", "2X")
    assert pos.winner == 0
    assert list(pos.score()) == [1 + 1 + 5, 0, 5]


def test_j19_barbarians_are_worth_nothing_where_tricks_count():
    pos = table("SB", "AB", "1X").play("SB", "AB", "1X")
    assert list(pos.score()) == [1, 0, 0]


# -------------------------------------------------------------------------------- partners


@pytest.mark.parametrize("players", [3, 5])
def test_j24_three_and_five_players_have_no_partners(players):
    with pytest.raises(tl.SwitchError, match="J24"):
        junni(players=players, partners=True)


def test_j24_opposite_seats_win_together():
    pos = table("SB 2C", "3B 9C", "4B SC", "5B 6C", partners=True)
    pos.play("SB", "3B", "4B", "5B")
    pos.play("2C", "9C", "SC", "6C")
    assert pos.tricks == [1, 0, 1, 0]
    assert list(pos.win()) == [1, 0, 1, 0]


def test_j24_results_are_added_so_the_best_single_seat_may_lose():
    pos = table(
        "SB 2C 4L", "3B SC 5L", "4B RC SL", "2B 5C 3L", partners=True, scoring="dead_reckoning"
    )
    pos.play("SB", "3B", "4B", "2B")  # seat 0: 1 + 5
    pos.play("2C", "SC", "RC", "5C")  # seat 1: 1 + 5 + 3
    pos.play("5L", "SL", "3L", "4L")  # seat 2: 1 + 5
    assert list(pos.score()) == [6, 9, 6, 0]
    assert list(pos.win()) == [1, 0, 1, 0]  # 12 to 9


def test_j24_tied_teams_share():
    pos = table("SB 2C", "3B SC", "4B 5C", "5B 6C", partners=True)
    pos.play("SB", "3B", "4B", "5B")
    pos.play("2C", "SC", "5C", "6C")
    assert list(pos.win()) == [0.5, 0.5, 0.5, 0.5]


def test_j24_six_players_make_three_teams():
    pos = table("2B", "SB", "3B", "4B", "5B", "6B", partners=True)
    pos.play("2B", "SB", "3B", "4B", "5B", "6B")
    assert list(pos.win()) == [0, 1, 0, 0, 1, 0]
    pos = table("2B", "3B", "4B", "5B", "6B", "SB", partners=True)
    pos.play("2B", "3B", "4B", "5B", "6B", "SB")
    assert list(pos.win()) == [0, 0, 1, 0, 0, 1]


# ------------------------------------------------------------------------------------ dice


def test_j25_the_rolled_suit_is_trumps_for_the_trick():
    pos = table("3C 4C", "9B 2L", "SC 3L", dice=True, trumps="B").play("3C")
    assert pos.legal() == {"9B"}
    pos.play("9B")
    assert pos.broken
    pos.play("SC")
    assert pos.winner == 1


def test_j25_the_next_trick_has_its_own_trumps():
    pos = table("3C 4C", "5B 2L", "2C 3L", dice=True, trumps="L")
    pos.play("3C")
    assert pos.legal() == {"2L"}
    pos.play("2L", "2C")
    assert pos.winner == 1
    pos.roll("C")
    pos.play("5B")
    assert pos.legal() == {"3L"}  # neither Bells nor Coins
    pos.play("3L", "4C")
    assert pos.winner == 0


def test_j25_the_decks_trump_suit_is_an_ordinary_suit_unless_rolled():
    holdings = ("5T 3C", "2T 9B", "8B 16T")
    pos = table(*holdings, dice=True, trumps="B")
    assert pos.legal() == {"5T", "3C"}  # no trump, so it may be led
    pos.play("5T")
    assert not pos.broken
    assert pos.legal() == {"2T"}
    pos.play("2T")
    assert pos.legal() == {"16T"}
    assert pos.play("16T").winner == 2
    assert not pos.broken
    assert table(*holdings, dice=True, trumps="T").legal() == {"3C"}


def test_j25_the_rolled_suit_beats_the_decks_trump_suit():
    assert table("16T", "AB", "15T", dice=True, trumps="B").play("16T", "AB", "15T").winner == 1


def test_j25_a_discarded_trump_suit_card_has_no_value_and_breaks_nothing():
    pos = table("3C", "16T", "2C", dice=True, trumps="B").play("3C", "16T", "2C")
    assert pos.winner == 0
    assert not pos.broken


def test_j25_a_trump_suit_card_ranks_by_its_number():
    pos = table("9T", "10T", "2T", dice=True, trumps="B").play("9T", "10T", "2T")
    assert pos.winner == 1


def test_j25_j6_applies_to_whatever_is_trumps_in_the_trick():
    holdings = ("3C 4B 5T", "6C 7C 8C", "9C 10C AC")
    assert table(*holdings, dice=True, trumps="C").legal() == {"4B", "5T"}
    assert table(*holdings, dice=True, trumps="B").legal() == {"3C", "5T"}
    assert table(*holdings, dice=True, trumps="T").legal() == {"3C", "4B"}


def test_j25_broken_stays_broken_when_the_die_turns():
    pos = table("3C 4L 2C", "9B 2L 7B", "SC 3L 4C", dice=True, trumps="B")
    pos.play("3C", "9B", "SC")
    assert (pos.winner, pos.broken) == (1, True)
    pos.roll("L")
    assert pos.broken
    assert pos.legal() == {"2L", "7B"}


@pytest.mark.parametrize("deck", ["journey", "four_suits"])
def test_j25_the_die_has_one_equally_likely_face_a_suit(deck):
    game = junni(players=4, dice=True, deck=deck)
    run = tl.simulate(
        game, hands=300, policies="random", seed=8, n_jobs=1, record="tricks", progress=False
    )
    faces = run.tricks["trump"].astype(str).value_counts()
    suits = ["B", "C", "K", "L", "S", "T"] if deck == "journey" else ["B", "C", "K", "L", "T"]
    assert sorted(faces[faces > 0].index) == suits
    chance = 1 / len(suits)
    spread = (6000 * chance * (1 - chance)) ** 0.5
    assert all(abs(count - 6000 * chance) < 5 * spread for count in faces[faces > 0])


def test_j25_roll_each_trick_rolls_anew():
    run = tl.simulate(
        junni(players=4, dice=True),
        hands=30,
        policies="random",
        seed=9,
        n_jobs=1,
        record="tricks",
        progress=False,
    )
    trumps = run.tricks.assign(trump=run.tricks["trump"].astype(str))
    assert (trumps.groupby("hand")["trump"].nunique() > 1).all()


def test_j25_roll_each_hand_keeps_one_trump_suit_for_the_hand():
    run = tl.simulate(
        junni(players=4, dice=True, roll_each="hand"),
        hands=60,
        policies="random",
        seed=9,
        n_jobs=1,
        record="tricks",
        progress=False,
    )
    trumps = run.tricks.assign(trump=run.tricks["trump"].astype(str))
    assert (trumps.groupby("hand")["trump"].nunique() == 1).all()
    assert trumps["trump"].nunique() == 6


def test_j25_an_unknown_roll_each_is_refused():
    with pytest.raises(tl.SwitchError, match="J25"):
        junni(dice=True, roll_each="round")


# ------------------------------------------------------------------------------- coverage


def test_every_clause_of_the_sheet_has_a_test():
    sheet = Path(tl.__file__).parent / "games" / "junni" / "rules.md"
    clauses = {int(number) for number in re.findall(r"\bJ(\d+)\b", sheet.read_text("utf-8"))}
    tested = {
        int(number)
        for name in vars(sys.modules[__name__])
        if name.startswith("test_")
        for number in re.findall(r"_j(\d+)(?=_)", name)
    }
    assert clauses >= {1, 25}
    assert clauses - OUT_OF_SCOPE - tested == set()
