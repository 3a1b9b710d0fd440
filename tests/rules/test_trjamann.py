"""Trjámann, clause by clause.

Every test is named after the clause of the rule sheet it holds the game to.  The expected answers
are worked out by hand from the sheet.
"""

from __future__ import annotations

import itertools
import re
import sys

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import NOTHING
from tricklab.match import Race
from tricklab.policies import seated
from tricklab.rng import Streams
from tricklab.simulation import deal_block, run_block
from tricklab.table import Table

ALL = ["nullo", "grand", "spades", "other C", "other D", "other H", "other S"]


def trjamann(**switches):
    return tl.game("trjamann", **switches)


def position(*holdings, contract="grand", declarer=0, leader=None):
    leader = declarer if leader is None else leader
    return tl.Position(trjamann(), list(holdings), leader, contract=contract, declarer=declarer)


def played(game, policies="random", hands=60, seed=4):
    """The finished table of a few hands."""
    return run_block(game, seated(policies, 3), seed, 0, hands, lambda table, first: table)


class Answers(tl.Random):
    """Answers what it is told to, and notes what it was asked."""

    uniform = False

    def __init__(self, contract=None, discard=None):
        self.said = {"contract": contract, "discard": discard}
        self.views = []

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def contract(self, view):
        assert (view.contract == -1).all()
        self.views.append(view)
        said = self.said["contract"]
        return super().contract(view) if said is None else np.full(len(view), said)

    def discard(self, view):
        self.views.append(view)
        said = self.said["discard"]
        return super().discard(view) if said is None else said(view)


def refused(game, policy):
    with pytest.raises(tl.IllegalAnswer) as error:
        played(game, policy)
    return str(error.value)


# --------------------------------------------------------------------------- T1, T2: the deal


def test_t1_the_full_deck_has_52_cards_and_a_manni_of_4():
    game = trjamann()
    assert (game.deck.n_cards, game.cards_each, game.set_aside) == (52, 16, 4)
    assert sorted(game.deck.cards)[:4] == ["10C", "10D", "10H", "10S"]
    assert {"2C", "2D", "2H", "2S"} <= set(game.deck.cards)


def test_t1_without_the_twos_the_manni_is_empty_and_nobody_exchanges():
    game = trjamann(deck="no_twos")
    assert (game.deck.n_cards, game.cards_each, game.set_aside) == (48, 16, 0)
    assert not [card for card in game.deck.cards if card.startswith("2")]
    watched = Answers()
    table = played(game, watched)
    assert {view.decision for view in watched.views} == {"contract"}
    assert not table.discarded.any()
    assert (table.start == table.dealt).all()


def test_t1_no_deck_but_the_two():
    for deck in ("journey", "piquet"):
        with pytest.raises(tl.SwitchError, match=r"deck must be full, no_twos.*T1"):
            trjamann(deck=deck)


def test_t2_sixteen_cards_each_for_three_players():
    deal = tl.deal(trjamann(), 20, 3)
    for hand in range(20):
        assert [len(cards) for cards in deal.holdings(hand)] == [16] * 3
        assert len(deal.set_aside(hand)) == 4
    for players in (2, 4):
        with pytest.raises(tl.SwitchError, match=r"players must be 3, not .*T2"):
            trjamann(players=players)


def test_t2_ace_is_high_and_two_is_low_in_every_contract():
    for contract in ALL:
        order = ["2D", "3D", "9D", "10D", "JD", "QD", "KD", "AD"]
        for low, high in itertools.pairwise(order):
            assert position([low], [high], ["4C"], contract=contract).play(
                low, high, "4C"
            ).winner == (2 if contract == "other C" else 1)


def test_t2_everyone_starts_a_match_at_nothing():
    assert (Race(trjamann(), 4).standing == 0).all()


# --------------------------------------------------------------------- T3, T4, T5: the contract


def test_t3_the_player_left_of_the_dealer_declares():
    table = played(trjamann())
    assert (table.declarer == (table.dealer + 1) % 3).all()
    assert sorted(set(table.declarer.tolist())) == [0, 1, 2]


def test_t3_the_contract_is_chosen_after_seeing_the_cards_and_before_the_manni():
    watched = Answers()
    table = played(trjamann(), watched)
    view = watched.views[0]
    assert view.decision == "contract"
    hands = np.arange(table.hands)
    assert (view.holding == table.dealt[hands, table.declarer]).all()


def test_t3_the_four_contracts_and_their_trumps():
    game = trjamann()
    assert [str(contract) for contract in game.contracts] == ALL
    for number, trumps in enumerate(["", "", "S", "C", "D", "H", "S"]):
        table = played(game, Answers(contract=number))
        named = {game.deck.suits[t].letter if t >= 0 else "" for t in np.unique(table.trumps)}
        assert named == {trumps}


@pytest.mark.parametrize("number", [-1, 7, 99])
def test_t3_there_is_no_other_contract(number):
    said = refused(trjamann(), Answers(contract=number))
    assert re.search(rf"hand 0, seat 1, decision contract: answered {number};", said)
    assert "0 (nullo), 1 (grand), 2 (spades), 3 (other C)" in said
    assert said.endswith("(T3)")


def test_t4_other_may_name_spades():
    table = played(trjamann(), Answers(contract=6))
    assert (table.trumps == 3).all()


def test_t4_other_may_be_barred_from_naming_spades():
    game = trjamann(other_may_be_spades=False)
    assert refused(game, Answers(contract=6)).endswith("6 (other S)") is False
    said = refused(game, Answers(contract=6))
    assert "answered 6 (other S)" in said
    assert "6 (other S)" not in said.split("allowed:")[1]
    assert said.endswith("(T4)")
    # The contract Spades is there all the same.
    assert (played(game, Answers(contract=2)).trumps == 3).all()
    assert not (played(game, "random", 500).contract == 6).any()


def test_t5_each_player_declares_each_contract_once_in_twelve_hands():
    run = tl.simulate_matches(trjamann(end="twelve_hands"), 40, "random", 2)
    assert (run.hands.groupby("match").size() == 12).all()
    for _, hands in run.hands.groupby(["match", "declarer"]):
        assert sorted(hands["contract"]) == [0, 1, 2, 3]


def test_t5_the_deal_moves_clockwise():
    run = tl.simulate_matches(trjamann(end="twelve_hands"), 10, "random", 2, first_dealer=1)
    assert (run.hands["dealer"] == run.hands["round"] % 3).all()


def test_t5_a_contract_declared_before_is_not_on_offer():
    class Stubborn(tl.Random):
        uniform = False

        def contract(self, view):
            return np.zeros(len(view), np.int64)

    with pytest.raises(tl.IllegalAnswer) as error:
        tl.simulate_matches(trjamann(end="twelve_hands"), 5, Stubborn(), 2)
    said = str(error.value)
    assert "match 0, seat 1, decision contract: answered 0 (nullo)" in said
    assert said.endswith(
        "one of 1 (grand), 2 (spades), 3 (other C), 4 (other D), 5 (other H), 6 (other S) (T5)"
    )


def test_t5_the_quota_is_each_players_own():
    game = trjamann()
    offered = game.offered(np.array([0, 0b0001, 0b1000, 0b0111], np.uint16))
    assert offered.tolist() == [
        [True] * 7,
        [False] + [True] * 6,
        [True] * 3 + [False] * 4,
        [False] * 3 + [True] * 4,
    ]


def test_t5_in_single_hands_every_contract_is_on_offer():
    watched = Answers()
    played(trjamann(), watched)
    assert watched.views[0].contracts.all()


@pytest.mark.parametrize("contract", ["nullo", "grand", "spades", "other", "other D"])
def test_t5_a_study_may_fix_the_contract(contract):
    table = played(trjamann(), tl.Declares(tl.Careful(), contract))
    named = {str(table.game.contracts[number]) for number in table.contract}
    assert all(contract in (name, name.split()[0]) for name in named)


def test_t5_a_fixed_contract_that_is_used_up_leaves_the_choice_free():
    who = tl.Declares(tl.Simple(), "grand")
    run = tl.simulate_matches(trjamann(end="twelve_hands"), 20, who, 2)
    assert (run.hands.query("round <= 3")["contract"] == 1).all()
    assert (run.hands.query("round > 3")["contract"] != 1).all()
    with pytest.raises(tl.UserError, match="no contract 'grande'; did you mean 'grand'"):
        played(trjamann(), tl.Declares(tl.Simple(), "grande"))


# -------------------------------------------------------------------------- T6: the exchange


def first_cards(count):
    """Discards so many of the lowest cards held, of room for four."""

    def discard(view):
        cards = np.argsort(~view.holds, axis=1, kind="stable")[:, :4]
        return np.where(np.arange(4) < count, cards, NOTHING)

    return discard


@pytest.mark.parametrize("count", range(5))
def test_t6_as_many_cards_come_off_the_top_of_the_manni_as_were_discarded(count):
    game = trjamann()
    table = played(game, Answers(discard=first_cards(count)))
    assert (table.exchanged == count).all()
    for h in range(table.hands):
        seat = table.declarer[h]
        gone = set(game.deck.cards_in(table.discarded[h, seat]))
        drawn = {game.deck.cards[card] for card in table.stock[h, :count]}
        assert len(gone) == count
        before = set(game.deck.cards_in(table.dealt[h, seat]))
        assert set(game.deck.cards_in(table.start[h, seat])) == before - gone | drawn


def test_t6_nobody_else_exchanges_and_discards_go_to_nobody():
    game = trjamann()
    table = played(game, Answers(discard=first_cards(4)))
    others = np.arange(3) != table.declarer[:, None]
    assert not table.discarded[others].any()
    assert (table.start == table.dealt)[others].all()
    assert (table.state.tricks.sum(axis=1) == 16).all()
    for h in range(table.hands):
        cards = set(table.cards[:, h].ravel().tolist())
        discards = set(game.deck.parse(game.deck.cards_in(table.discarded[h].sum(axis=0))))
        assert not cards & discards
        assert len(cards) == 48


def test_t6_the_cards_drawn_are_not_seen_before_the_discard():
    watched = Answers(discard=first_cards(4))
    table = played(trjamann(), watched)
    asked = next(view for view in watched.views if view.decision == "discard")
    assert (asked.holding == table.dealt[np.arange(table.hands), table.declarer]).all()


@pytest.mark.parametrize("most", range(5))
def test_t6_the_limit(most):
    game = trjamann(max_exchange=most)
    assert game.discards == most
    table = played(game, "random", 300)
    assert set(table.exchanged.tolist()) <= set(range(most + 1))
    assert table.exchanged.max() == most
    for wrong in (-1, 5):
        with pytest.raises(tl.SwitchError, match=r"max_exchange .* 0 to 4.*T6"):
            trjamann(max_exchange=wrong)


@pytest.mark.parametrize(
    "discard",
    [
        lambda view: np.argsort(view.holds, axis=1, kind="stable")[:, :4],
        lambda view: np.repeat(np.argmax(view.holds, axis=1)[:, None], 4, axis=1),
        lambda view: np.full((len(view), 4), 52),
        lambda view: np.full((len(view), 4), -2),
    ],
    ids=["not held", "twice", "no card", "not padding"],
)
def test_t6_only_different_cards_held_are_discarded(discard):
    said = refused(trjamann(), Answers(contract=1, discard=discard))
    assert re.search(r"hand 0, seat 1, decision discard: answered ", said)
    assert re.search(r"allowed: up to 4 different cards of (\S+ ){16}\(T6\)$", said)


def test_t6_an_answer_has_room_for_all_and_no_more():
    said = refused(trjamann(), Answers(discard=lambda view: np.zeros((len(view), 5), np.int64)))
    assert "whole numbers of shape (60, 4)" in said


def test_t6_who_exchanged_how_many_is_seen_but_not_what():
    game, seen = trjamann(), []

    class Looks(tl.Random):
        uniform = False

        def play(self, view):
            seen.append((view.seat.copy(), view.exchanged.copy(), view.discards))
            return super().play(view)

    table = played(game, Looks())
    for seat, exchanged, discards in seen:
        assert (exchanged == table.exchanged).all()
        mine = seat == table.declarer
        assert not discards[~mine].any()
        assert (np.bitwise_count(discards[mine]).sum(axis=1) == table.exchanged[mine]).all()


# ------------------------------------------------------------------------- T7, T8: the tricks


def test_t7_the_declarer_leads_and_then_the_winner_of_the_trick():
    table = played(trjamann())
    assert (table.leaders[0] == table.declarer).all()
    assert (table.leaders[1:] == table.winners[:-1]).all()


def test_t8_follow_suit_if_able():
    on = position("AD", "3D", "9H")
    assert on.legal() == {"AD"}
    on = position("AD 2C", "3D 5D", "9H 4D")
    assert on.play("AD").legal() == {"3D", "5D"}
    assert on.play("5D").legal() == {"4D"}


@pytest.mark.parametrize("contract", ALL)
def test_t8_otherwise_any_card(contract):
    on = position("AD 2D", "3H 5S", "9H 4C", contract=contract)
    assert on.legal() == {"AD", "2D"}
    # No duty to trump.
    assert on.play("AD").legal() == {"3H", "5S"}
    assert on.play("3H").legal() == {"9H", "4C"}


def test_t8_trumps_may_be_led_at_once():
    assert position("AH 2D", "3H 5S", "9H 4C", contract="other H").legal() == {"AH", "2D"}


@pytest.mark.parametrize(
    ("contract", "cards", "winner"),
    [
        ("grand", "9D AS KD", 2),
        ("grand", "9D AS AH", 0),
        ("nullo", "9D AS 10D", 2),
        ("spades", "AD 2S KD", 1),
        ("spades", "AD 2S 3S", 2),
        ("other H", "AD 2S 3H", 2),
        ("other H", "2H AS 3D", 0),
        ("other C", "AD KD 2C", 2),
        ("other S", "AD 2S KD", 1),
    ],
)
def test_t8_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(contract, cards, winner):
    cards = cards.split()
    on = position(*([card] for card in cards), contract=contract)
    assert on.play(*cards).winner == winner


# ------------------------------------------------------------------------------ T9: the score


def scored(contract, tricks, declarer):
    """Scores and shares of hands with these tricks."""
    game = trjamann()
    table = Table(deal_block(game, Streams(0, 0), 0, 1), 16)
    table.contract[:] = ALL.index(contract)
    table.declarer[:] = declarer
    table.state.tricks[:] = tricks
    score = game.score(table)
    return score.score[0].tolist(), [round(float(w), 3) for w in score.win[0]], int(score.made[0])


@pytest.mark.parametrize(
    ("contract", "tricks", "declarer", "score", "win", "made"),
    [
        ("grand", [8, 4, 4], 0, [0, 0, 0], [0.333] * 3, 1),
        ("spades", [4, 9, 3], 1, [0, 1, -1], [0, 1, 0], 1),
        ("other H", [4, 5, 7], 2, [0, 1, -1], [0, 1, 0], 0),
        ("other S", [0, 0, 16], 2, [-4, -4, 8], [0, 0, 1], 1),
        ("nullo", [4, 6, 6], 0, [0, 0, 0], [0.333] * 3, 1),
        ("nullo", [5, 0, 11], 0, [-1, 6, -5], [0, 1, 0], 0),
        ("nullo", [6, 4, 6], 1, [0, 0, 0], [0.333] * 3, 1),
        ("nullo", [8, 0, 8], 1, [-2, 4, -2], [0, 1, 0], 1),
        ("nullo", [5, 5, 6], 2, [1, 1, -2], [0.5, 0.5, 0], 0),
    ],
)
def test_t9_tricks_over_the_target_or_under_the_limit(contract, tricks, declarer, score, win, made):
    assert scored(contract, tricks, declarer) == (score, win, made)


def test_t9_scores_add_up_to_nothing():
    for policy in tl.POLICIES:
        run = tl.simulate(trjamann(), 200, policy, 3)
        assert (run.seats.groupby("hand")["score"].sum() == 0).all()


def test_t9_in_nullo_nobody_wants_tricks_and_otherwise_all_do():
    seen = []

    class Looks(tl.Random):
        uniform = False

        def play(self, view):
            seen.append((view.contract.copy(), view.game.aim(view), view.allies, view.seat.copy()))
            return super().play(view)

    played(trjamann(), Looks())
    for contract, aim, allies, seat in seen:
        assert (aim == np.where(contract == 0, -1, 1)).all()
        # Everybody plays for themselves.
        assert (allies == 1 << seat).all()


# ------------------------------------------------------------------------- T10: the match


def over(end, standing, hands, max_hands=120):
    game = trjamann(end=end, max_hands=max_hands)
    return bool(game.match_over(np.array([standing], np.int32), np.array([hands], np.int16))[0])


@pytest.mark.parametrize(
    ("end", "ends"),
    [
        ("ten_or_twelve", [True, False, True, False]),
        ("twelve_hands", [False, False, True, True]),
        ("ten_points", [True, False, False, True]),
    ],
)
def test_t10_what_ends_a_match(end, ends):
    seen = [
        over(end, [10, -4, -6], 5),
        over(end, [9, -3, -6], 11),
        over(end, [9, -3, -6], 12),
        over(end, [11, -5, -6], 12) if end != "ten_or_twelve" else over(end, [9, 0, -9], 1),
    ]
    assert seen == ends


def test_t10_max_hands_ends_a_match_that_points_do_not():
    assert not over("ten_points", [9, -3, -6], 119)
    assert over("ten_points", [9, -3, -6], 120)
    assert over("ten_points", [9, -3, -6], 20, max_hands=20)
    run = tl.simulate_matches(trjamann(end="ten_points", max_hands=20), 100, "random", 2)
    assert run.matches["hands"].max() == 20
    assert run.matches["finished"].all()


def test_t10_after_twelve_hands_the_contracts_are_available_again():
    run = tl.simulate_matches(trjamann(end="ten_points"), 100, "random", 2)
    long = run.hands[run.hands["match"].isin(run.matches.query("hands >= 24")["match"])]
    assert len(long)
    for first in (1, 13):
        stretch = long[long["round"].between(first, first + 11)]
        for _, hands in stretch.groupby(["match", "declarer"]):
            assert sorted(hands["contract"]) == [0, 1, 2, 3]


def test_t10_what_is_used_up_is_used_up_for_all_until_the_twelfth_hand():
    game = trjamann()
    table = played(game, hands=3)
    table.carried[:] = 0b1111
    table.carried[np.arange(3), table.declarer] = 0b1110
    table.contract[:] = [0, 0, 1]
    carried = game.carry(table)
    assert not carried[:2].any()
    assert sorted(carried[2].tolist()) == [0b1110, 0b1111, 0b1111]


def test_t10_most_points_wins_and_ties_are_shared():
    run = tl.simulate_matches(trjamann(end="twelve_hands"), 300, "random", 2)
    for _, rows in run.standings.groupby("match"):
        best = rows["score"] == rows["score"].max()
        assert rows["win"].tolist() == pytest.approx((best / best.sum()).tolist())
    assert (run.matches["winners"] > 1).any()
    assert (run.standings.groupby("match")["score"].sum() == 0).all()


# --------------------------------------------------------------------------------- the sheet


def test_every_clause_of_the_sheet_has_tests():
    clauses = set(re.findall(r"\*\*T(\d+)", trjamann().sheet()))
    names = [name for name in dir(sys.modules[__name__]) if name.startswith("test_t")]
    assert {re.match(r"test_t(\d+)_", name)[1] for name in names} == clauses
