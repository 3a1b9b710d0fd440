"""KAJI, clause by clause.  Every test is named after the clause of the rule sheet."""

from __future__ import annotations

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import ALONE, NO_SEAT, PASS
from tricklab.policies import seated
from tricklab.simulation import run_block

SUITS = "JKPF"
TABLES = [(2, 22, 4, 10), (3, 14, 6, 6), (4, 11, 4, 5), (5, 9, 3, 4)]
"""Players, cards each, cards in the Neko and the book."""


class Scripted(tl.Policy):
    """Bids by its place from the first bidder, and names and calls what it is told.

    Remembers each question: what was asked, of which seat, and the cards held.
    """

    def __init__(self, bids=(), suit=0, call=lambda view: np.full(len(view), ALONE)):
        self.bids, self.suit, self.calls = list(bids), suit, call
        self.asked = []

    def _note(self, view):
        for seat, holding in zip(view.seat, view.holding, strict=True):
            self.asked.append((view.decision, int(seat), set(view.deck.cards_in(holding))))

    def bid(self, view):
        self._note(view)
        first = view.game.first_seat(view.dealer)
        place = (view.seat - first) % view.game.players
        return np.array([self.bids[p] if p < len(self.bids) else PASS for p in place])

    def discard(self, view):
        self._note(view)
        return super().discard(view)

    def trumps(self, view):
        self._note(view)
        return np.full(len(view), self.suit)

    def call(self, view):
        self._note(view)
        return self.calls(view)


def first_callable(view):
    return view.may_call.argmax(axis=1)


def last_callable(view):
    return view.deck.n_cards - 1 - view.may_call[:, ::-1].argmax(axis=1)


def play(game, policy, hands=1):
    return run_block(game, seated(policy, game.players), 1, 0, hands, lambda table, _: table)


def trick(trumps, *cards, players=None):
    """The seat that wins a trick led by seat 0, everybody holding the card it plays alone."""
    game = tl.game("kaji", players=players or max(2, len(cards)))
    return tl.Position(game, [[card] for card in cards], trumps=trumps).play(*cards).winner


# ------------------------------------------------------------------------------- K1, K2


def test_k1_pack():
    deck = tl.game("kaji").deck
    assert list(deck.cards) == [f"{n}{letter}" for letter in SUITS for n in range(1, 13)]
    assert [suit.name for suit in deck.suits] == ["Jan", "Ken", "Po", "Kaji"]


@pytest.mark.parametrize("suit", SUITS)
def test_k1_twelve_is_high(suit):
    for low in range(1, 12):
        for trumps in SUITS:
            assert trick(trumps, f"{low}{suit}", f"{low + 1}{suit}") == 1
            assert trick(trumps, f"{low + 1}{suit}", f"{low}{suit}") == 0


@pytest.mark.parametrize(("players", "each", "neko", "book"), TABLES)
def test_k2_deal_and_book(players, each, neko, book):
    game = tl.game("kaji", players=players)
    assert (game.cards_each, game.set_aside, game.n_tricks, game.book) == (each, neko, each, book)
    assert players * each + neko == 48
    dealt = tl.deal(game, 5)
    for hand in range(5):
        assert [len(cards) for cards in dealt.holdings(hand)] == [each] * players
        assert len(dealt.set_aside(hand)) == neko


@pytest.mark.parametrize("players", [1, 6])
def test_k2_no_other_number_of_players(players):
    with pytest.raises(tl.SwitchError, match=r"K2"):
        tl.game("kaji", players=players)


@pytest.mark.parametrize("players", [2, 3])
def test_k2_two_and_three_always_play_alone(players):
    policy = Scripted([1])
    table = play(tl.game("kaji", players=players), policy)
    assert "call" not in {asked[0] for asked in policy.asked}
    assert table.partner[0] == NO_SEAT
    declarer = int(table.declarer[0])
    assert table.sides[0, declarer] == 1 << declarer


def test_k2_five_may_call_one_partner():
    table = play(tl.game("kaji", players=5), Scripted([1], call=first_callable), 50)
    assert (table.partner != NO_SEAT).all()
    assert sorted(np.unique(np.bitwise_count(table.sides))) == [2, 3]


# ------------------------------------------------------------------------------------ K3


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("first", "shift"), [("left_of_dealer", 1), ("dealer", 0)])
def test_k3_one_turn_each_clockwise(players, first, shift):
    game = tl.game("kaji", players=players, first_bidder=first)
    policy = Scripted([1, 2])
    table = play(game, policy)
    start = int(table.dealer[0]) + shift
    asked = [seat for what, seat, _ in policy.asked if what == "bid"]
    assert asked == [(start + place) % players for place in range(players)]
    assert table.declarer[0] == (start + 1) % players
    assert table.bidding.high[0] == 2


@pytest.mark.parametrize(("players", "each", "neko", "book"), TABLES)
def test_k3_bids_from_one_to_all_tricks(players, each, neko, book):
    game = tl.game("kaji", players=players)
    for bid in (1, each - book):
        assert play(game, Scripted([bid])).bidding.high[0] == bid
    for bid in (-1, each - book + 1):
        with pytest.raises(tl.IllegalAnswer, match=rf"a bid from 1 to {each - book} \(K3\)"):
            play(game, Scripted([bid]))


@pytest.mark.parametrize("second", [1, 2, 3])
def test_k3_a_bid_is_higher_than_every_one_before_it(second):
    with pytest.raises(tl.IllegalAnswer, match=r"a bid from 4 to 6 \(K3\)"):
        play(tl.game("kaji"), Scripted([3, second]))


def test_k3_who_passed_is_not_asked_again():
    policy = Scripted([PASS, 1, PASS, 2])
    play(tl.game("kaji"), policy)
    assert len([asked for asked in policy.asked if asked[0] == "bid"]) == 4


def test_k3_after_the_highest_there_is_only_passing():
    with pytest.raises(tl.IllegalAnswer, match=r"allowed: 0 to drop out \(K3\)"):
        play(tl.game("kaji"), Scripted([6, 7]))
    assert play(tl.game("kaji"), Scripted([6])).declarer[0] == 1


def test_k3_all_pass_and_nobody_scores():
    game = tl.game("kaji")
    table = play(game, Scripted(), 8)
    scored = game.score(table)
    assert table.over.all()
    assert (table.declarer == NO_SEAT).all()
    assert not scored.score.any()
    assert not scored.win.any()
    assert (scored.made == -1).all()


# --------------------------------------------------------------------------------- K4, K5


@pytest.mark.parametrize(("players", "each", "neko", "book"), TABLES)
def test_k4_the_declarer_takes_up_the_neko_then_names_trumps(players, each, neko, book):
    game = tl.game("kaji", players=players)
    policy = Scripted([1], suit=2)
    table = play(game, policy)
    declarer, deck = int(table.declarer[0]), game.deck
    cards = set(deck.cards_in(table.dealt[0, declarer]))
    stock = {deck.cards[card] for card in table.stock[0]}
    (discard,) = [asked for asked in policy.asked if asked[0] == "discard"]
    assert discard == ("discard", declarer, cards | stock)
    put_away = set(deck.cards_in(table.discarded[0, declarer]))
    assert len(put_away) == neko
    (named,) = [asked for asked in policy.asked if asked[0] == "trumps"]
    assert named == ("trumps", declarer, (cards | stock) - put_away)
    assert (table.trumps[:, 0] == 2).all()


def test_k4_discards_count_for_nobody():
    game = tl.game("kaji")
    table = play(game, Scripted([1]), 20)
    assert (table.state.tricks.sum(axis=1) == 11).all()
    played = game.deck.flags(table.state.played)
    away = game.deck.flags(table.discarded.sum(axis=1, dtype=np.uint32))
    assert not (played & away).any()
    assert (played | away).all()


@pytest.mark.parametrize("suit", [-1, 4])
def test_k4_trumps_are_one_of_the_four_suits(suit):
    with pytest.raises(tl.IllegalAnswer, match=r"decision trumps.*one of 0 \(J\), .*\(K4\)"):
        play(tl.game("kaji"), Scripted([1], suit=suit))


@pytest.mark.parametrize("pick", [first_callable, last_callable])
def test_k5_the_holder_of_the_card_is_the_partner(pick):
    game = tl.game("kaji")
    table = play(game, Scripted([1], call=pick), 50)
    for h in range(50):
        partner, declarer = int(table.partner[h]), int(table.declarer[h])
        held = game.deck.cards_in(table.start[h, partner])
        assert game.deck.cards[table.called[h]] in held
        pair = 1 << partner | 1 << declarer
        for seat in range(4):
            assert table.sides[h, seat] == (pair if pair >> seat & 1 else 15 & ~pair)


def test_k5_alone_all_others_are_one_side():
    table = play(tl.game("kaji"), Scripted([1]), 8)
    for h in range(8):
        alone = 1 << int(table.declarer[h])
        assert set(table.sides[h].tolist()) == {alone, 15 & ~alone}


@pytest.mark.parametrize("whose", ["holding", "discards", "nobody"])
def test_k5_neither_a_card_held_nor_one_discarded_may_be_called(whose):
    def call(view):
        if whose == "nobody":
            return np.full(len(view), view.deck.n_cards)
        return view.deck.flags(getattr(view, whose)).argmax(axis=1)

    with pytest.raises(tl.IllegalAnswer, match=r"decision call.*neither held nor discarded \(K5\)"):
        play(tl.game("kaji"), Scripted([1], call=call))


def test_k5_every_other_card_may_be_called():
    def call(view):
        assert (view.may_call.sum(axis=1) == 33).all()
        own = view.deck.flags(view.holding | view.discards)
        assert not (view.may_call & own).any()
        return np.full(len(view), ALONE)

    play(tl.game("kaji"), Scripted([1], call=call), 8)


def test_k5_the_sides_are_known_to_all_from_the_call_on():
    seen = []

    class Looks(Scripted):
        def bid(self, view):
            assert (view.allies == 1 << view.seat).all()
            return super().bid(view)

        def play(self, view):
            seen.append((view.seat.copy(), view.allies.copy(), view.partner, view.called))
            return super().play(view)

    game = tl.game("kaji")
    table = play(game, Looks([1], call=first_callable), 8)
    for seat, allies, partner, called in seen:
        assert (allies == table.sides[np.arange(8), seat]).all()
        assert (partner == table.partner).all()
        assert (called == table.called).all()


def test_k5_seats_do_not_move():
    table = play(tl.game("kaji"), Scripted([1], call=first_callable), 8)
    for h in range(8):
        # Clockwise from the leader, whoever is the partner.
        assert sorted(table.cards[0, h].tolist()) != [255] * 4
        leader = int(table.leaders[1, h])
        assert leader == table.winners[0, h]


# ------------------------------------------------------------------------------------ K6


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_k6_the_declarer_leads_then_the_winners(players):
    game = tl.game("kaji", players=players)
    table = play(game, Scripted([1, 2]), 30)
    assert (table.leaders[0] == table.declarer).all()
    assert (table.leaders[1:] == table.winners[:-1]).all()
    run = tl.simulate(game, 30, Scripted([1, 2]), 1)
    assert (run.hands["leader"] == run.hands["declarer"]).all()


# --------------------------------------------------------------------------------- K7-K9


@pytest.mark.parametrize("order", ["JFKP", "KFPJ", "PFJK"])
def test_k7_trumps_kaji_and_the_rest_in_order(order):
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            assert trick(order[0], f"12{other}", f"1{one}") == 1
            assert trick(order[0], f"1{one}", f"12{other}") == 0


@pytest.mark.parametrize(("one", "other"), ["JK", "KP", "PJ", "FJ", "FK", "FP"])
def test_k7_kaji_trumps_go_round(one, other):
    assert trick("F", f"12{other}", f"1{one}") == 1
    assert trick("F", f"1{one}", f"12{other}") == 0


def legal(trumps, holdings, *played):
    game = tl.game("kaji", players=len(holdings))
    return tl.Position(game, holdings, trumps=trumps).play(*played).legal()


def test_k8_the_suit_led_is_followed():
    holdings = ["2J 3K", "4J 5P", "6J 7F"]
    assert legal("F", holdings, "2J") == {"4J"}


def test_k8_without_the_current_suit_any_card_may_be_played():
    holdings = ["2J 3K", "4F 5P", "6J 7F"]
    assert legal("F", holdings, "2J") == {"4F", "5P"}


def test_k8_a_card_that_beats_changes_the_current_suit():
    holdings = ["2J 3K", "4F 5P", "6J 7F"]
    assert legal("F", holdings, "2J", "4F") == {"7F"}
    # Po beats Jan: who has no Po may play anything, Jan too.
    assert legal("F", holdings, "2J", "5P") == {"6J", "7F"}


def test_k8_a_discard_changes_nothing():
    holdings = ["2J 3K", "4K 5K", "6J 7K"]
    assert legal("F", holdings, "2J", "4K") == {"6J"}


def test_k8_a_void_is_shown_of_the_current_suit_alone():
    game = tl.game("kaji", players=3)
    position = tl.Position(game, ["2J 3K", "4P 5P", "6K 7J"], trumps="F").play("2J", "4P")
    assert position.voids(1) == {"J"}
    # Seat 2 has Jan, but the current suit is Po.
    position.play("7J")
    assert position.voids(2) == {"P"}


def test_k9_suits_can_come_back():
    # The sheet's example: Jan 12, Po 1, Ken 1, Jan 2 is won by Jan 2.
    assert trick("F", "12J", "1P", "1K", "2J") == 3


def test_k9_the_higher_card_of_the_suit_now_winning_takes_over():
    assert trick("F", "12J", "1P", "3P", "2P") == 2
    assert trick("J", "12P", "1K", "2F", "1F") == 2


def test_k9_a_suit_that_does_not_beat_is_no_match_however_high():
    assert trick("F", "1J", "12K", "11K", "12P") == 3
    assert trick("K", "1F", "12P", "12J", "11P") == 0


# ------------------------------------------------------------------------------ K10-K12


def contract(game, bid, taken, partner=True):
    """Scores and wins of a hand in which seat 1 is the Declarer and seat 2 the partner."""
    table = play(game, Scripted([bid], call=first_callable))
    table.declarer[0], table.partner[0] = 1, 2 if partner else NO_SEAT
    table.bidding.high[0] = bid
    table.state.tricks[0] = 0
    # The partner's tricks count as the Declarer's own do.
    shared = min(2, taken) if partner else 0
    table.state.tricks[0, 1] = taken - shared
    table.state.tricks[0, 2:3] = shared
    table.state.tricks[0, 0] = game.n_tricks - taken
    scored = game.score(table)
    return scored.score[0].tolist(), scored.win[0].tolist(), int(scored.made[0])


@pytest.mark.parametrize(
    ("bid", "taken", "points"), [(1, 6, 5), (1, 8, 25), (3, 8, 15), (6, 11, 30), (2, 11, 50)]
)
def test_k10_made_with_a_partner(bid, taken, points):
    found = contract(tl.game("kaji"), bid, taken)
    assert found == ([0, points, points, 0], [0, 1, 1, 0], 1)


@pytest.mark.parametrize(("bid", "taken", "points"), [(1, 5, 10), (3, 5, 30), (6, 0, 110)])
def test_k10_failed_with_a_partner(bid, taken, points):
    found = contract(tl.game("kaji"), bid, taken)
    assert found == ([points, 0, 0, points], [1, 0, 0, 1], 0)


def test_k10_five_players():
    game = tl.game("kaji", players=5)
    assert contract(game, 2, 7)[0] == [0, 20, 20, 0, 0]
    assert contract(game, 2, 5)[0] == [10, 0, 0, 10, 10]


@pytest.mark.parametrize(("bid", "taken", "points"), [(1, 6, 10), (1, 8, 30), (3, 8, 30)])
def test_k11_made_alone(bid, taken, points):
    found = contract(tl.game("kaji"), bid, taken, partner=False)
    assert found == ([0, points, 0, 0], [0, 1, 0, 0], 1)


@pytest.mark.parametrize(("bid", "taken", "points"), [(1, 5, 20), (3, 5, 60), (6, 0, 220)])
def test_k11_failed_alone(bid, taken, points):
    found = contract(tl.game("kaji"), bid, taken, partner=False)
    assert found == ([points, 0, points, points], [1, 0, 1, 1], 0)


@pytest.mark.parametrize(("players", "book"), [(2, 10), (3, 6)])
def test_k11_two_and_three_players(players, book):
    game = tl.game("kaji", players=players)
    others = [0, 2][: players - 1]
    score, _, made = contract(game, 2, book + 3, partner=False)
    assert made == 1
    assert score[1] == 30
    score, _, made = contract(game, 2, book, partner=False)
    assert made == 0
    assert [score[seat] for seat in others] == [40] * len(others)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_k12_four_hands_a_player(players):
    game = tl.game("kaji", players=players)
    run = tl.simulate_matches(game, 6, "simple", 1)
    assert (run.matches["hands"] == 4 * players).all()
    assert run.matches["finished"].all()
    for _, match in run.hands.groupby("match"):
        dealers = match.sort_values("round")["dealer"].tolist()
        assert dealers == [seat % players for seat in range(4 * players)]


def test_k12_match_hands_and_hands_thrown_in_count():
    run = tl.simulate_matches(tl.game("kaji", match_hands=7), 4, Scripted(), 1)
    assert (run.matches["hands"] == 7).all()
    assert (run.hands["declarer"] == NO_SEAT).all()


def test_k12_most_points_win_and_ties_share():
    # Nobody scores: all four share.
    run = tl.simulate_matches(tl.game("kaji", match_hands=1), 2, Scripted(), 1)
    assert (run.standings["win"] == 0.25).all()
    run = tl.simulate_matches(tl.game("kaji"), 30, "simple", 1)
    for _, seats in run.standings.groupby("match"):
        best = seats["score"] == seats["score"].max()
        assert np.allclose(seats["win"], best / best.sum())


@pytest.mark.parametrize("hands", [-1, 501, 1.5])
def test_k12_lengths_that_cannot_be(hands):
    with pytest.raises(tl.SwitchError, match=r"match_hands.*K12"):
        tl.game("kaji", match_hands=hands)
