"""Junni with a Traitor, Campaigns, gifts around an auction, and revokes, clause by clause.

Every test is named after the clause of the rule sheet it holds the game to.  Bids and revokes are
scripted; who took what, and who broke a rule, is worked out again from the cards played.
"""

from __future__ import annotations

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import PASS
from tricklab.policies import seated
from tricklab.policies.base import HONEST
from tricklab.simulation import run_block
from tricklab.trick_data import AS_PRINTED

RANKS = ["A", *map(str, range(1, 17)), "R", "S"]
RECKONING = {"S": 5, "R": 3, "A": 1}


class Bids(tl.Policy):
    """Bids by its place from the dealer: the first number of its list that may be bid, or drops."""

    def __init__(self, *lists):
        self.lists = lists

    def bid(self, view):
        out = np.full(len(view), PASS)
        for i, (seat, dealer) in enumerate(zip(view.seat, view.dealer, strict=True)):
            place = (int(seat) - int(dealer)) % view.game.players
            wanted = self.lists[place] if place < len(self.lists) else ()
            out[i] = next((bid for bid in wanted if bid >= view.min_bid[i]), PASS)
        return out


class ThirdDeal(Bids):
    """Drops unless seat 2 deals."""

    def bid(self, view):
        return np.where(view.dealer == 2, super().bid(view), PASS)


class Says(tl.Policy):
    """Says what it is told, turn by turn, in the first hand; remembers what it saw."""

    def __init__(self, *bids):
        self.bids = list(bids)
        self.asked = []

    def bid(self, view):
        assert len(view) == 1
        turn = len(self.asked)
        self.asked.append((int(view.seat[0]), int(view.min_bid[0]), view.max_bid))
        return np.array([self.bids[turn]])


class Notes(Bids):
    """Bids like :class:`Bids` and notes every question and the holding it was asked with."""

    def __init__(self, *lists):
        super().__init__(*lists)
        self.notes = []

    def _note(self, view):
        for seat, holding in zip(view.seat, view.holding, strict=True):
            self.notes.append((view.decision, int(seat), set(view.deck.cards_in(holding))))

    def give(self, view):
        self._note(view)
        return super().give(view)

    def bid(self, view):
        self._note(view)
        return super().bid(view)

    def discard(self, view):
        self._note(view)
        return super().discard(view)

    def play(self, view):
        self._note(view)
        return super().play(view)


class Cheat(Bids):
    """Breaks a rule of play wherever a card that does so is held.

    ``wants`` says which cards it would do it with, given the view, ``where`` in which rows;
    ``tricks`` is how many tricks, from the first, it does it in.
    """

    def __init__(self, *lists, tricks=99, wants=None, where=None):
        super().__init__(*lists)
        self.tricks = tricks
        self.wants = wants
        self.where = where

    def revoke(self, view):
        deck = view.deck
        may = deck.flags(view.any_printed & ~view.legal_printed)
        if self.wants is not None:
            may &= self.wants(view)
        tempted = may.any(axis=1) & (view.trick <= self.tricks)
        if self.where is not None:
            tempted &= self.where(view)
        card = may.argmax(axis=1)
        named = np.full(len(view), AS_PRINTED)
        leads_barbarian = (deck.suit_of[card] == deck.excuse) & (view.position == 0)
        lowest = np.array([int(n & -n).bit_length() - 1 for n in map(int, view.any_names)])
        named[leads_barbarian] = lowest[leads_barbarian]
        return np.where(tempted, card, HONEST), named


class Wild(tl.Policy):
    """Plays any card of the holding, upright or inverted, as if there were no rules."""

    def revoke(self, view):
        deck = view.deck
        rows = np.arange(len(view))
        holds = deck.flags(view.any_printed)
        nth = view.words() % holds.sum(axis=1)
        card = np.argsort(~holds, axis=1, kind="stable")[rows, nth]
        turned = deck.flags(view.any_other)[rows, card] & (view.uniform() < 0.5)
        named = np.where(turned, deck.inverted_suit[card], AS_PRINTED)
        return card, named


def junni(players: int = 4, **switches):
    return tl.game("junni", players=players, **switches)


def traitor(players: int = 4, **switches):
    return junni(players, traitor=True, **switches)


def brazen(players: int = 4, **switches):
    return junni(players, brazen=True, **switches)


def simulate(game, policies, hands: int = 40, seed: int = 1, record: str = "seats"):
    return tl.simulate(game, hands, policies, seed, n_jobs=1, record=record, progress=False)


def matches(game, policies, count: int = 12, seed: int = 1, **more):
    return tl.simulate_matches(game, count, policies, seed, n_jobs=1, progress=False, **more)


def finished(game, policies, hands: int = 8, seed: int = 1):
    """A table of finished hands."""
    return run_block(
        game, seated(policies, game.players), seed, 0, hands, lambda table, first: table
    )


def by_seat(run, column: str):
    """A column of the seats frame, a row a hand."""
    return run.seats[column].to_numpy().reshape(-1, run.game.players)


def auction(table, row: int):
    """What was said in a hand: places from the dealer and bids."""
    dealer = int(table.dealer[row])
    return [
        ((int(seats[row]) - dealer) % table.game.players, int(bids[row]))
        for seats, bids in table.bids
        if seats[row] >= 0
    ]


def auctions(game, policies, hands: int = 8):
    """The auction of each hand, all of which must be alike whoever deals."""
    table = finished(game, policies, hands)
    said = [auction(table, row) for row in range(hands)]
    assert all(each == said[0] for each in said)
    return said[0], table


def refused(game, *bids: int) -> str:
    """The message for an auction of the first hand whose last bid is illegal."""
    with pytest.raises(tl.IllegalAnswer) as error:
        finished(game, Says(*bids), hands=1)
    return str(error.value)


def suit(card: str) -> str:
    return card[-1]


def dealt(game, hands: int, seed: int = 1):
    deals = tl.deal(game, hands=hands, seed=seed)
    return [[set(cards) for cards in deals.holdings(hand)] for hand in range(hands)]


def replayed(run, holdings):
    """Work a run out again from its plays: per hand the tricks' winners and the revokes.

    A revoke is (trick, seat).  Winners are right only without inverted suits.
    """
    plays, tricks = run.plays, run.tricks
    trumps = dict(
        zip(zip(tricks["hand"], tricks["trick"], strict=True), tricks["trump"], strict=True)
    )
    columns = ["hand", "trick", "position", "seat", "card", "as_suit"]
    out = [([], [], []) for _ in holdings]
    hold = [[set(cards) for cards in seats] for seats in holdings]
    broken = [0] * len(holdings)
    lead, best = "", (-1, -1)
    for hand, trick, position, seat, card, as_suit in plays[columns].itertuples(index=False):
        trump = trumps[hand, trick]
        winners, revokes, breaking = out[hand]
        held = {suit(each) for each in hold[hand][seat]}
        assert card in hold[hand][seat]
        if position == 0:
            lead, best = as_suit, (-1, seat)
            if suit(card) == "X":
                wrong = held != {"X"}
            else:
                wrong = as_suit == trump and not broken[hand] and bool(held - {trump, "X"})
        else:
            due = lead if lead in held else trump if trump in held else None
            wrong = suit(card) != "X" and due is not None and as_suit not in (due, lead)
        if wrong:
            revokes.append((trick, seat))
        if suit(card) != "X" and as_suit in (lead, trump):
            best = max(best, (RANKS.index(card[:-1]) + 100 * (as_suit == trump), seat))
        if as_suit == trump and not broken[hand]:
            broken[hand] = trick
            breaking.append(trick)
        if position == run.game.players - 1:
            winners.append(best[1])
        hold[hand][seat].remove(card)
    return out


def reckoned(run, hand: int):
    """Points of each seat of a hand under Dead Reckoning, from its plays and winners."""
    plays = run.plays[run.plays["hand"] == hand]
    tricks = run.tricks[run.tricks["hand"] == hand]
    winner = dict(zip(tricks["trick"], tricks["winner"], strict=True))
    points = [0] * run.game.players
    for taker in winner.values():
        points[taker] += 1
    for trick, seat, card in plays[["trick", "seat", "card"]].itertuples(index=False):
        if suit(card) == "X":
            points[seat] += 5
        elif suit(card) != "T":
            points[winner[trick]] += RECKONING.get(card[0], 0)
    return points


def worth(cards) -> int:
    """What cards are worth under Dead Reckoning."""
    return sum(
        5 if suit(card) == "X" else 0 if suit(card) == "T" else RECKONING.get(card[0], 0)
        for card in cards
    )


def of_suit(letter: str):
    """Cards of one suit, as :class:`Cheat` wants them."""
    return lambda view: view.deck.suit_of == view.deck.suit_index(letter)


def at(*seats: int):
    """The rows in which one of these seats decides."""
    return lambda view: np.isin(view.seat, seats)


# ------------------------------------------------------------------------------ the Spare


@pytest.mark.parametrize(
    ("players", "spare", "each"), [(3, 5, 25), (4, 4, 19), (5, 5, 15), (6, 8, 12)]
)
def test_j20_the_spare_and_the_cards_each(players, spare, each):
    game = traitor(players)
    assert (game.set_aside, game.cards_each, game.n_tricks) == (spare, each, each)
    deals = tl.deal(game, hands=4, seed=3)
    for hand in range(4):
        holdings = deals.holdings(hand)
        assert [len(cards) for cards in holdings] == [each] * players
        left = list(deals.set_aside(hand))
        assert len(left) == spare
        assert sorted(left + [c for cards in holdings for c in cards]) == sorted(game.deck.cards)


@pytest.mark.parametrize(
    ("players", "spare", "size", "each"),
    [
        (3, 0, 2, 26),
        (4, 0, 0, 20),
        (5, 0, 0, 16),
        (6, 0, 2, 13),
        (4, 1, 4, 19),
        (4, 5, 8, 18),
        (3, 5, 5, 25),
        (3, 6, 8, 24),
        (5, 6, 10, 14),
        (6, 2, 2, 13),
        (6, 3, 8, 12),
        (4, 40, 40, 10),
        (6, 40, 44, 6),
    ],
)
def test_j20_the_smallest_spare_that_lets_everyone_get_the_same_number(players, spare, size, each):
    game = traitor(players, spare=spare)
    assert (game.set_aside, game.cards_each) == (size, each)


@pytest.mark.parametrize("spare", [-1, 41])
def test_j20_a_spare_out_of_range_is_refused(spare):
    with pytest.raises(tl.SwitchError, match="J20"):
        traitor(spare=spare)


def test_j20_without_a_traitor_there_is_no_spare():
    assert junni(spare=8).cards_each == 20


def test_j20_without_a_spare_all_cards_are_played():
    run = simulate(traitor(spare=0), Bids((1,)), hands=4, record="plays")
    assert len(run.plays) == 4 * 80
    assert set(by_seat(run, "tricks").sum(axis=1)) == {20}


def test_j20_a_game_with_a_traitor_is_a_campaign_without_saying_so():
    run = matches(traitor(), Bids((5,)))
    assert set(run.matches["finished"]) == {1}
    assert run.matches["best"].min() >= 150
    with pytest.raises(tl.SwitchError, match="J15"):
        matches(junni(), Bids((5,)))


def test_j20_a_single_hand_can_be_played():
    run = simulate(traitor(), Bids((5,)), hands=4)
    assert len(run.hands) == 4
    assert set(run.hands["made"]) <= {0, 1}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_j20_the_deal_is_that_without_a_traitor_but_for_the_last_cards(players):
    plain, with_spare = junni(players), traitor(players)
    all_cards = tl.deal(plain, hands=5, seed=8)
    fewer = tl.deal(with_spare, hands=5, seed=8)
    each = with_spare.cards_each
    assert (all_cards.dealer == fewer.dealer).all()
    for hand in range(5):
        pack = [plain.deck.cards[card] for card in all_cards.pack[hand]]
        for seat in range(players):
            # Cards go round singly, one to each seat in turn.
            assert set(fewer.holdings(hand)[seat]) == set(pack[seat::players][:each])
            assert set(fewer.holdings(hand)[seat]) <= set(all_cards.holdings(hand)[seat])
        assert list(fewer.set_aside(hand)) == pack[each * players :]


def test_j20_the_dealer_leads_whoever_the_traitor_is():
    run = simulate(traitor(), Bids((), (3,)), hands=8, record="tricks")
    first = run.tricks[run.tricks["trick"] == 1]
    assert list(first["leader"]) == list(run.hands["dealer"])
    assert ((run.hands["declarer"] - run.hands["dealer"]) % 4 == 1).all()


# ---------------------------------------------------------------------------- the auction


def test_j21_bids_go_clockwise_from_the_dealer():
    said, table = auctions(traitor(), Bids((1, 5), (2, 6), (3, 7), (4, 8)))
    rounds = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (1, 6), (2, 7), (3, 8)]
    assert said == [*rounds, (0, 0), (1, 0), (2, 0)]
    assert set(table.dealer) == {0, 1, 2, 3}
    assert ((table.declarer - table.dealer) % 4 == 3).all()


def test_j21_the_last_bidder_left_is_the_traitor_at_the_bid():
    run = simulate(traitor(), Bids((2,), (4,), (), (3, 6)), hands=8)
    dealer, hands = run.hands["dealer"], run.hands
    assert ((hands["declarer"] - dealer) % 4 == 3).all()
    assert set(hands["bid"]) == {6}
    assert set(hands["bids"]) == {3}
    for hand in range(8):
        turned = [(int(dealer[hand]) + place) % 4 for place in range(4)]
        assert list(by_seat(run, "last_bid")[hand][turned]) == [2, 4, 0, 6]
        assert list(by_seat(run, "traitor")[hand][turned]) == [0, 0, 0, 1]


def test_j21_the_auction_ends_as_soon_as_one_bidder_is_unchallenged():
    assert auctions(traitor(), Bids((5, 9)))[0] == [(0, 5), (1, 0), (2, 0), (3, 0)]
    assert auctions(traitor(), Bids((), (5, 9)))[0] == [(0, 0), (1, 5), (2, 0), (3, 0)]
    said = auctions(traitor(), Bids((3,), (4,), (5, 9)))[0]
    assert said == [(0, 3), (1, 4), (2, 5), (3, 0), (0, 0), (1, 0)]


def test_j21_who_drops_is_out_for_good():
    # Seat 1 drops, and would bid 9 if it were asked again.
    says = Says(3, 0, 4, 5, 6, 7, 8, 0, 9, 0)
    table = finished(traitor(), says, hands=1)
    assert [seat for seat, _, _ in says.asked] == [0, 1, 2, 3, 0, 2, 3, 0, 2, 3]
    assert (table.declarer[0], table.bidding.high[0]) == (2, 9)


def test_j21_the_first_to_speak_may_drop_and_is_out():
    says = Says(0, 2, 3, 0, 4, 0)
    table = finished(traitor(), says, hands=1)
    assert [seat for seat, _, _ in says.asked] == [0, 1, 2, 3, 1, 2]
    assert (table.declarer[0], table.bidding.high[0]) == (1, 4)


def test_j21_those_who_bid_see_who_dropped_and_what_was_bid():
    class Looks(Says):
        def bid(self, view):
            seen.append((int(view.high_bid[0]), int(view.dropped[0]), list(view.last_bids[0])))
            return super().bid(view)

    seen = []
    finished(traitor(), Looks(0, 2, 5, 0, 0), hands=1)
    assert seen == [
        (0, 0b0000, [0, 0, 0, 0]),
        (0, 0b0001, [0, 0, 0, 0]),
        (2, 0b0001, [0, 2, 0, 0]),
        (5, 0b0001, [0, 2, 5, 0]),
        (5, 0b1001, [0, 2, 5, 0]),
    ]


@pytest.mark.parametrize("low", [1, 4, 5])
def test_j21_a_later_bid_is_higher_than_the_highest(low):
    message = refused(traitor(), 5, low)
    for part in ("Says", "hand 0", "seat 1", "decision bid", f"answered {low};", "J21"):
        assert part in message
    assert "0 to drop out, or a bid from 6 to 19" in message


def test_j21_a_turn_may_raise_by_more_than_the_least():
    assert auctions(traitor(), Bids((2,), (17,)))[0] == [(0, 2), (1, 17), (2, 0), (3, 0), (0, 0)]


def test_j21_bid_step_is_the_least_raise():
    game = traitor(bid_step=3)
    assert "a bid from 8 to 19" in refused(game, 5, 7)
    says = Says(5, 8, 0, 0, 12, 0)
    table = finished(game, says, hands=1)
    assert [least for _, least, _ in says.asked] == [1, 8, 11, 11, 11, 15]
    assert (table.declarer[0], table.bidding.high[0]) == (0, 12)


def test_j21_where_no_raise_is_left_others_can_only_drop():
    game = traitor(bid_step=10)
    assert "allowed: 0 to drop out (J21)" in refused(game, 10, 19)
    assert auctions(game, Bids((10,), (19,)))[0] == [(0, 10), (1, 0), (2, 0), (3, 0)]


def test_j21_min_bid_is_the_least_first_bid():
    game = traitor(min_bid=6)
    assert "a bid from 6 to 19" in refused(game, 5)
    assert "a bid from 6 to 19" in refused(game, 0, 0, 5)
    says = Says(0, 6, 7, 0, 0)
    finished(game, says, hands=1)
    assert [least for _, least, _ in says.asked] == [6, 6, 7, 8, 8]


def test_j21_min_bid_does_not_bind_the_raises():
    assert "a bid from 8 to 19" in refused(traitor(min_bid=6), 7, 7)
    table = finished(traitor(min_bid=6), Says(7, 8, 0, 0, 0), hands=1)
    assert table.bidding.high[0] == 8


@pytest.mark.parametrize(("players", "most"), [(3, 25), (4, 19), (5, 15), (6, 12)])
def test_j21_at_most_the_tricks_of_the_hand_are_bid(players, most):
    game = traitor(players)
    assert f"a bid from 1 to {most} " in refused(game, most + 1)
    run = simulate(game, Bids((most,)), hands=4)
    assert set(run.hands["bid"]) == {most}
    with pytest.raises(tl.SwitchError, match="J21"):
        traitor(players, min_bid=most + 1)


@pytest.mark.parametrize(
    ("players", "scoring", "most"),
    [
        # Tricks of the hand; in the whole pack 5 Sages, 5 Rooks, 5 Aces and 4 barbarians.
        (3, "dead_reckoning", 25 + 5 * (5 + 3 + 1) + 4 * 5),
        (4, "dead_reckoning", 19 + 5 * (5 + 3 + 1) + 4 * 5),
        (5, "dead_reckoning", 15 + 5 * (5 + 3 + 1) + 4 * 5),
        (6, "dead_reckoning", 12 + 5 * (5 + 3 + 1) + 4 * 5),
        (4, "flat", 80),
        (3, "flat", 80),
        (4, "trump_heavy", 14 * 2 + 2 * 5 + 5 * (3 + 2) + 4 * 2),
    ],
)
def test_j21_with_a_table_a_score_is_bid_up_to_all_points_and_those_of_the_spare(
    players, scoring, most
):
    game = traitor(players, scoring=scoring)
    assert f"a bid from 1 to {most} " in refused(game, most + 1)
    says = Says(most, *[0] * (players - 1))
    table = finished(game, says, hands=1)
    assert {limit for _, _, limit in says.asked} == {most}
    assert table.bidding.high[0] == most


@pytest.mark.parametrize("bid", [-1, -2, 32_767, 70_000])
def test_j21_nonsense_is_not_bid(bid):
    assert "decision bid" in refused(traitor(), bid)


def test_j21_if_all_drop_the_hand_is_passed_out():
    run = simulate(traitor(), Bids(), hands=6, record="plays")
    assert set(run.hands["declarer"]) == {-1}
    assert set(run.hands["made"]) == {-1}
    for column in ("bid", "taken", "bids", "winners"):
        assert set(run.hands[column]) == {0}
    for column in ("score", "win", "tricks", "points", "traitor", "last_bid"):
        assert not by_seat(run, column).any()
    assert len(run.tricks) == len(run.plays) == 0


def test_j21_hands_passed_out_stand_among_hands_played():
    class FourthDeal(Bids):
        def bid(self, view):
            return np.where(view.dealer == 3, super().bid(view), PASS)

    run = simulate(traitor(), FourthDeal((4,)), hands=12, record="plays")
    passed = run.hands["dealer"] != 3
    assert list(run.hands["declarer"]) == [-1, -1, -1, 3] * 3
    assert list(run.hands["bid"]) == [0, 0, 0, 4] * 3
    assert (run.hands.loc[passed, "made"] == -1).all()
    assert (run.hands.loc[~passed, "made"] >= 0).all()
    assert not by_seat(run, "score")[passed].any()
    assert (by_seat(run, "tricks").sum(axis=1) == np.where(passed, 0, 19)).all()
    assert set(run.tricks["hand"]) == set(run.plays["hand"]) == {3, 7, 11}
    assert len(run.tricks) == 3 * 19
    assert len(run.plays) == 3 * 76
    # What is dealt and played in the others is what it would have been.
    alone = simulate(traitor(), Bids((4,)), hands=12, record="plays")
    same = alone.plays[alone.plays["hand"].isin([3, 7, 11])].reset_index(drop=True)
    assert same.equals(run.plays.reset_index(drop=True))


def test_j21_the_cards_of_a_hand_passed_out_are_dealt_as_ever():
    passed = finished(traitor(), Bids(), hands=6)
    played = finished(traitor(), Bids((4,)), hands=6)
    assert passed.over.all()
    assert not played.over.any()
    assert (passed.dealt == played.dealt).all()
    assert (passed.pack == played.pack).all()


@pytest.mark.parametrize(
    "switches",
    [
        {"shriving": True},
        {"shriving": True, "shriving_before_bidding": False},
        {"spare_to": "traitor"},
    ],
)
def test_j21_hands_passed_out_leave_what_was_dealt_in_the_others(switches):
    game = traitor(**switches)
    deals = tl.deal(game, hands=12, seed=1)
    table = finished(game, ThirdDeal((4,)), hands=12)
    assert list(table.over) == [True, True, False, True] * 3
    assert (table.dealt == deals.hold).all()
    # So what is told of the holdings as dealt is what a run without such hands tells.
    some, every = (simulate(game, bids, hands=12) for bids in (ThirdDeal((4,)), Bids((4,))))
    for column in ("trumps", "barbarians", "sages", "longest_suit", "voids"):
        assert (by_seat(some, column) == by_seat(every, column)).all()


def test_j21_all_drop_dealer_minimum_makes_the_dealer_the_traitor():
    game = traitor(all_drop="dealer_minimum", min_bid=3)
    run = simulate(game, Bids(), hands=8, record="tricks")
    assert list(run.hands["declarer"]) == list(run.hands["dealer"])
    assert set(run.hands["bid"]) == {3}
    assert set(run.hands["bids"]) == {0}
    taken = by_seat(run, "tricks")[np.arange(8), run.hands["dealer"]]
    assert list(run.hands["made"]) == list((taken >= 3).astype(int))
    assert len(run.tricks) == 8 * 19


def test_j21_all_drop_dealer_minimum_changes_nothing_where_somebody_bids():
    bids = Bids((), (), (4,))
    free, forced = (
        simulate(traitor(all_drop=all_drop), bids, hands=8)
        for all_drop in ("pass_out", "dealer_minimum")
    )
    assert free.seats.equals(forced.seats)
    assert ((forced.hands["declarer"] - forced.hands["dealer"]) % 4 == 2).all()


def test_j21_the_last_to_speak_may_bid_after_three_drops_or_drop_too():
    said, table = auctions(traitor(), Bids((), (), (), (2, 9)))
    assert said == [(0, 0), (1, 0), (2, 0), (3, 2)]
    assert ((table.declarer - table.dealer) % 4 == 3).all()
    said, table = auctions(traitor(), Bids())
    assert said == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert (table.declarer == -1).all()


def test_j21_after_the_highest_bid_there_is_the_others_drops_are_asked_for():
    assert "allowed: 0 to drop out (J21)" in refused(traitor(), 19, 19)
    assert "allowed: 0 to drop out (J21)" in refused(traitor(), 18, 19, 0, 0, 20)
    said, table = auctions(traitor(), Bids((3, 19), (19, 19), (19, 19)))
    assert said == [(0, 3), (1, 19), (2, 0), (3, 0), (0, 0)]
    assert ((table.declarer - table.dealer) % 4 == 1).all()


def test_j21_two_bidders_raise_one_by_one_to_the_top():
    every = range(1, 20)
    said, table = auctions(traitor(), Bids((), every, (), every))
    # The seats beside the dealer take turns; 19, an odd number, falls to the first of them.
    expected = [(0, 0), (1, 1), (2, 0), (3, 2)]
    expected += [(1 if bid % 2 else 3, bid) for bid in range(3, 20)]
    assert said == [*expected, (3, 0)]
    assert ((table.declarer - table.dealer) % 4 == 1).all()
    assert (table.bidding.high == 19).all()
    assert (table.bidding.last.max(axis=1) == 19).all()
    assert (np.sort(table.bidding.last, axis=1)[:, -2] == 18).all()


@pytest.mark.parametrize("players", [3, 5, 6])
def test_j21_all_bid_on_to_the_top_at_other_tables(players):
    game = traitor(players)
    top = game.n_tricks
    said, table = auctions(game, Bids(*[range(1, top + 1)] * players), hands=6)
    last = (top - 1) % players
    assert said[:top] == [((bid - 1) % players, bid) for bid in range(1, top + 1)]
    assert said[top:] == [((last + step) % players, 0) for step in range(1, players)]
    assert ((table.declarer - table.dealer) % players == last).all()


def test_j21_with_a_table_the_bid_is_compared_with_points():
    run = simulate(
        traitor(scoring="dead_reckoning"), Bids((), (21,)), hands=60, record="plays", seed=4
    )
    declarer = run.hands["declarer"].to_numpy()
    points = by_seat(run, "points")
    for hand in range(60):
        assert list(points[hand]) == reckoned(run, hand)
    taken = points[np.arange(60), declarer]
    assert list(run.hands["taken"]) == list(taken)
    assert list(run.hands["made"]) == list((taken >= 21).astype(int))
    assert set(run.hands["made"]) == {0, 1}
    # By tricks nobody would have taken so many.
    assert by_seat(run, "tricks").max() < 20


# ----------------------------------------------------------------------- the bid is scored


def scored(bid: int = 5, hands: int = 120, **switches):
    """A run in which the seat left of the dealer bids, and what that seat took."""
    run = simulate(traitor(**switches), Bids((), (bid,)), hands=hands, record="tricks")
    declarer = (run.hands["dealer"].to_numpy() + 1) % run.game.players
    taken = np.zeros(hands, int)
    for hand, winner in zip(run.tricks["hand"], run.tricks["winner"], strict=True):
        taken[hand] += winner == declarer[hand]
    alone = np.arange(run.game.players) == declarer[:, None]
    return run, taken, alone


@pytest.mark.parametrize(("players", "bid"), [(3, 9), (4, 5), (5, 4), (6, 3)])
def test_j22_made_the_traitor_scores_the_bid_failed_each_other_does(players, bid):
    run, taken, alone = scored(bid, players=players)
    made = taken >= bid
    assert list(run.hands["taken"]) == list(taken)
    assert list(run.hands["made"]) == list(made.astype(int))
    assert made.any()
    assert not made.all()
    assert (by_seat(run, "score") == bid * (alone == made[:, None])).all()


def test_j22_exactly_the_bid_is_made_and_one_less_is_not():
    run, taken, _ = scored(5)
    made = run.hands["made"].to_numpy()
    assert (taken == 5).any()
    assert (taken == 4).any()
    assert (made[taken == 5] == 1).all()
    assert (made[taken == 4] == 0).all()


def test_j22_no_tricks_of_the_others_are_scored():
    run, taken, alone = scored(1)
    made = taken >= 1
    others = np.where(alone, 0, by_seat(run, "score"))
    assert not others[made].any()
    assert by_seat(run, "tricks")[made][~alone[made]].any()


def test_j22_made_scores_taken_scores_what_the_traitor_took():
    run, taken, alone = scored(4, made_scores="taken")
    made = (taken >= 4)[:, None]
    assert (taken > 4).any()
    assert (by_seat(run, "score") == np.where(made, alone * taken[:, None], ~alone * 4)).all()


def test_j22_made_scores_taken_with_a_table_scores_points():
    run, _, alone = scored(15, made_scores="taken", scoring="dead_reckoning")
    taken = (by_seat(run, "points") * alone).sum(axis=1)
    made = (taken >= 15)[:, None]
    assert made.any()
    assert not made.all()
    assert (by_seat(run, "score") == np.where(made, alone * taken[:, None], ~alone * 15)).all()


def test_j22_the_win_goes_to_the_traitor_or_to_all_others():
    run, taken, alone = scored(5)
    made = (taken >= 5)[:, None]
    assert (by_seat(run, "win") == (alone == made)).all()
    assert set(run.hands["winners"]) == {1}


def test_j22_an_unknown_made_scores_is_refused():
    with pytest.raises(tl.SwitchError, match="J22"):
        traitor(made_scores="tricks")


# ---------------------------------------------------------------------- who gets the Spare


def test_j23_by_default_the_spare_stays_out_of_play():
    game = traitor()
    run = simulate(game, Bids((4,)), hands=10, record="plays")
    deals = tl.deal(game, hands=10, seed=1)
    cards = run.plays["card"].astype(str)
    for hand in range(10):
        played = list(cards[run.plays["hand"] == hand])
        held = [card for holding in deals.holdings(hand) for card in holding]
        assert sorted(played) == sorted(held)
        assert not set(played) & set(deals.set_aside(hand))


def test_j23_by_default_nobody_is_asked_to_discard():
    notes = Notes((4,))
    finished(traitor(), notes, hands=4)
    assert {decision for decision, _, _ in notes.notes} == {"bid", "play"}


@pytest.mark.parametrize(("players", "spare", "each"), [(3, 5, 25), (4, 4, 19), (6, 8, 12)])
def test_j23_the_traitor_holds_the_spare_too_and_discards_as_many(players, spare, each):
    game = traitor(players, spare_to="traitor")
    notes = Notes((), (4,))
    table = finished(game, notes, hands=1)
    cards_in = game.deck.cards_in
    stock = {game.deck.cards[card] for card in table.stock[0]}
    discards = [(seat, held) for decision, seat, held in notes.notes if decision == "discard"]
    (seat, held), *more = discards
    assert (seat, more) == (1, [])
    assert held == set(cards_in(table.dealt[0, 1])) | stock
    assert len(held) == each + spare
    gone = set(cards_in(table.discarded[0, 1]))
    assert len(gone) == spare
    assert gone <= held
    assert set(cards_in(table.start[0, 1])) == held - gone
    for other in set(range(players)) - {1}:
        assert not table.discarded[0, other].any()
        assert (table.start[0, other] == table.dealt[0, other]).all()


def test_j23_discards_are_not_played():
    game = traitor(spare_to="traitor")
    run = simulate(game, Bids((), (), (4,)), hands=10, record="plays")
    table = finished(game, Bids((), (), (4,)), hands=10)
    cards = run.plays["card"].astype(str)
    for hand in range(10):
        seat = int(table.declarer[hand])
        gone = set(game.deck.cards_in(table.discarded[hand, seat]))
        played = set(cards[run.plays["hand"] == hand])
        assert len(gone) == 4
        assert played == set(game.deck.cards) - gone


@pytest.mark.parametrize("spare_to", ["nobody", "traitor"])
def test_j23_what_is_not_played_counts_for_nobody(spare_to):
    class Lavish(Bids):
        def discard(self, view):
            worths = np.array([worth([card]) for card in view.deck.cards])
            order = np.where(view.holds, worths, -1)
            return np.argsort(-order, axis=1, kind="stable")[:, : view.game.discards]

    game = traitor(spare_to=spare_to, scoring="dead_reckoning")
    bids = Lavish((), (4,))
    run = simulate(game, bids, hands=20, record="plays")
    table = finished(game, bids, hands=20)
    lost = []
    for hand in range(20):
        unplayed = [game.deck.cards[card] for card in table.stock[hand]]
        if spare_to == "traitor":
            unplayed = game.deck.cards_in(table.discarded[hand, int(table.declarer[hand])])
        lost.append(worth(unplayed))
        assert list(by_seat(run, "points")[hand]) == reckoned(run, hand)
    assert list(by_seat(run, "points").sum(axis=1)) == [84 - gone for gone in lost]
    assert max(lost) >= 5


def test_j23_only_cards_held_are_discarded_each_once():
    class Discards(Bids):
        def __init__(self, choose):
            super().__init__((4,))
            self.choose = choose

        def discard(self, view):
            return self.choose(view)

    game = traitor(spare_to="traitor")
    wrong = [
        lambda view: np.argsort(view.holds, axis=1)[:, :4],  # not held
        lambda view: np.repeat(view.holds.argmax(axis=1)[:, None], 4, axis=1),
        lambda view: np.argsort(~view.holds, axis=1)[:, :3],
    ]
    for choose in wrong:
        with pytest.raises(tl.IllegalAnswer, match="seat 0, decision discard"):
            finished(game, Discards(choose), hands=1)
    finished(game, Discards(lambda view: np.argsort(~view.holds, axis=1)[:, :4]), hands=1)


def test_j23_the_traitor_may_discard_barbarians_and_trumps():
    class Humble(Bids):
        def discard(self, view):
            return np.argsort(~view.holds[:, ::-1], axis=1, kind="stable")[:, :4] * -1 + 79

    game = traitor(spare_to="traitor")
    table = finished(game, Humble((4,)), hands=20)
    gone = {
        suit(card)
        for hand in range(20)
        for card in game.deck.cards_in(table.discarded[hand, int(table.declarer[hand])])
    }
    assert gone >= {"X", "T"}


def test_j23_a_hand_passed_out_has_no_discard():
    game = traitor(spare_to="traitor")
    notes = Notes()
    table = finished(game, notes, hands=4)
    assert {decision for decision, _, _ in notes.notes} == {"bid"}
    assert not table.discarded.any()


def test_j23_without_a_spare_there_is_nothing_to_discard():
    notes = Notes((4,))
    finished(traitor(spare=0, spare_to="traitor"), notes, hands=1)
    assert {decision for decision, _, _ in notes.notes} == {"bid", "play"}


def test_j23_with_three_players_the_whole_spare_is_taken_up():
    game = traitor(3, spare=0, spare_to="traitor")
    assert (game.set_aside, game.discards) == (2, 2)


def steps(notes):
    """Kinds of decisions in the order in which they were first and last asked for."""
    kinds = [decision for decision, _, _ in notes]
    return [kind for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] != kind]


@pytest.mark.parametrize(
    ("before", "order"),
    [(True, ["give", "bid", "discard", "play"]), (False, ["bid", "give", "discard", "play"])],
)
def test_j23_the_order_of_bid_gift_and_spare(before, order):
    game = traitor(spare_to="traitor", shriving=True, shriving_before_bidding=before)
    notes = Notes((), (4,))
    table = finished(game, notes, hands=1)
    assert steps(notes.notes) == order
    cards_in = game.deck.cards_in
    gifts = [set(cards_in(table.given[0, seat])) for seat in range(4)]
    deal = [set(cards_in(table.dealt[0, seat])) for seat in range(4)]
    stock = {game.deck.cards[card] for card in table.stock[0]}
    # The Spare comes last: no card of it was there to be given.
    for seat in range(4):
        assert len(gifts[seat]) == 4
        assert gifts[seat] <= deal[seat]
    [held] = [held for decision, _, held in notes.notes if decision == "discard"]
    assert held == (deal[1] - gifts[1]) | gifts[0] | stock


def test_j23_an_unknown_spare_to_is_refused():
    with pytest.raises(tl.SwitchError, match="J23"):
        traitor(spare_to="dealer")


# ---------------------------------------------------------------- the Traitor and partners


@pytest.mark.parametrize("players", [4, 6])
def test_j24_the_traitor_plays_alone_against_the_partner_too(players):
    run, taken, alone = scored(5, players=players, partners=True)
    made = (taken >= 5)[:, None]
    assert made.any()
    assert not made.all()
    assert (by_seat(run, "score") == 5 * (alone == made)).all()
    assert (by_seat(run, "win") == (alone == made)).all()
    # Nothing that the partner takes counts for the bid.
    assert list(run.hands["taken"]) == list(taken)


def test_j24_in_play_the_others_are_allies_and_the_traitor_is_alone():
    class Allies(Bids):
        def play(self, view):
            seen.update(zip(view.seat.tolist(), view.allies.tolist(), strict=True))
            return super().play(view)

    seen = {}
    finished(traitor(partners=True), Allies((), (4,)), hands=1)
    assert seen == {0: 0b1101, 1: 0b0010, 2: 0b1101, 3: 0b1101}


def totals(run, match: int):
    """Each seat's score after each hand of a match."""
    rows = np.flatnonzero(run.hands["match"] == match)
    return np.cumsum(by_seat(run, "score")[rows].astype(int), axis=0)


def test_j24_partnerships_apply_to_the_score_of_a_campaign_with_a_traitor():
    run = matches(traitor(partners=True, campaign_target=40), Bids((), (4,)), count=40)
    standing = run.standings["win"].to_numpy().reshape(-1, 4)
    ended_by_team_alone = 0
    for match in range(40):
        after = totals(run, match)
        teams = after[:, :2] + after[:, 2:]
        assert (teams[:-1] < 40).all()
        assert teams[-1].max() >= 40
        ended_by_team_alone += after[-1].max() < 40
        best = teams[-1] == teams[-1].max()
        assert list(standing[match]) == list(np.tile(best / best.sum(), 2))
    assert ended_by_team_alone > 20


# ------------------------------------------------------------------- gifts and the auction


@pytest.mark.parametrize("before", [True, False])
def test_j14_who_bids_sees_the_holding_after_or_before_the_gifts(before):
    game = traitor(shriving=True, shriving_before_bidding=before)
    notes = Notes((), (4,))
    table = finished(game, notes, hands=1)
    cards_in = game.deck.cards_in
    seen = {seat: held for decision, seat, held in notes.notes if decision == "bid"}
    for seat in range(4):
        had = set(cards_in(table.dealt[0, seat]))
        gave = set(cards_in(table.given[0, seat]))
        got = set(cards_in(table.given[0, (seat - 1) % 4]))
        after = (had - gave) | got
        assert after != had
        assert seen[seat] == (after if before else had)
        assert set(cards_in(table.start[0, seat])) == after


def test_j14_gifts_come_before_the_bids_by_default():
    notes = Notes((4,))
    finished(traitor(shriving=True), notes, hands=1)
    assert steps(notes.notes) == ["give", "bid", "play"]


def test_j14_gifts_after_the_bids_are_not_made_in_a_hand_passed_out():
    notes = Notes()
    finished(traitor(shriving=True, shriving_before_bidding=False), notes, hands=4)
    assert steps(notes.notes) == ["bid"]
    notes = Notes()
    finished(traitor(shriving=True), notes, hands=4)
    assert steps(notes.notes) == ["give", "bid"]


def test_j14_all_give_at_the_same_moment_after_the_bids_too():
    notes = Notes((4,))
    game = traitor(shriving=True, shriving_before_bidding=False)
    table = finished(game, notes, hands=1)
    for decision, seat, held in notes.notes:
        if decision == "give":
            assert held == set(game.deck.cards_in(table.dealt[0, seat]))


@pytest.mark.parametrize("count", [1, 8])
def test_j14_shriving_cards_says_how_many(count):
    game = traitor(shriving=True, shriving_cards=count, shriving_before_bidding=False)
    table = finished(game, Bids((4,)), hands=6)
    assert (np.bitwise_count(table.given).sum(axis=2) == count).all()


# ------------------------------------------------------------------------------ campaigns


@pytest.mark.parametrize("players", [3, 4])
def test_j15_a_campaign_ends_with_the_hand_in_which_a_player_has_the_points(players):
    run = matches(junni(players, campaign=True), "random")
    assert set(run.matches["finished"]) == {1}
    for match in range(12):
        after = totals(run, match)
        assert (after[:-1] < 150).all()
        assert after[-1].max() >= 150
        final = run.matches.iloc[match]
        assert final["hands"] == len(after)
        assert [final[f"score_{seat}"] for seat in range(players)] == list(after[-1])
        assert final["best"] == after[-1].max()


def test_j15_exactly_the_target_is_enough():
    # Every bid is 5 and 15 takes three of them, neither more nor less.
    run = matches(traitor(campaign_target=15), Bids((), (5,)), count=30)
    assert set(run.matches["best"]) == {15}
    run = matches(traitor(campaign_target=16), Bids((), (5,)), count=30)
    assert set(run.matches["best"]) == {20}


def test_j15_most_points_win_and_ties_are_shared():
    run = matches(junni(campaign=True, campaign_target=1), "random", count=60)
    score = run.standings["score"].to_numpy().reshape(-1, 4)
    best = score == score.max(axis=1, keepdims=True)
    assert set(run.matches["hands"]) == {1}
    assert set(best.sum(axis=1)) >= {1, 2}
    win = run.standings["win"].to_numpy().reshape(-1, 4)
    np.testing.assert_allclose(win, best / best.sum(axis=1, keepdims=True), rtol=1e-6)
    assert list(run.matches["winners"]) == list(best.sum(axis=1))


def test_j15_a_team_counts_as_a_player():
    run = matches(junni(partners=True, campaign=True, campaign_target=60), "random", count=40)
    win = run.standings["win"].to_numpy().reshape(-1, 4)
    for match in range(40):
        after = totals(run, match)
        teams = after[:, :2] + after[:, 2:]
        assert after[-1].max() < 60
        assert (teams[:-1] < 60).all()
        assert teams[-1].max() >= 60
        best = teams[-1] == teams[-1].max()
        assert list(win[match]) == list(np.tile(best / best.sum(), 2))


def test_j15_without_a_team_one_players_points_count():
    run = matches(junni(campaign=True, campaign_target=60), "random", count=10)
    for match in range(10):
        assert totals(run, match)[-1].max() >= 60


def test_j15_hands_passed_out_count_score_nothing_and_move_the_deal():
    run = matches(traitor(campaign_target=20), ThirdDeal((5,)), count=10)
    assert set(run.matches["finished"]) == {1}
    for match in range(10):
        hands = run.hands[run.hands["match"] == match]
        number = len(hands)
        assert list(hands["round"]) == list(range(1, number + 1))
        assert list(hands["dealer"]) == [r % 4 for r in range(number)]
        assert list(hands["declarer"]) == [2 if r % 4 == 2 else -1 for r in range(number)]
        assert run.matches["hands"][match] == number
        after = totals(run, match)
        assert after[-1].max() == 20
        for r in range(number):
            if r % 4 != 2:
                before = after[r - 1] if r else np.zeros(4, int)
                assert (after[r] == before).all()
        assert number % 4 == 3  # it ends with a hand that was played


def test_j15_the_first_dealer_is_seat_0_unless_asked_otherwise():
    for asked, first in (({}, 0), ({"first_dealer": 3}, 3)):
        run = matches(traitor(campaign_target=20), Bids((5,)), count=4, **asked)
        dealers = run.hands["dealer"].to_numpy()
        assert list(dealers) == [(first + r - 1) % 4 for r in run.hands["round"]]


def test_j15_a_campaign_in_which_nobody_ever_bids_is_stopped_unfinished():
    run = matches(traitor(), Bids(), count=3, limit=7)
    assert set(run.matches["finished"]) == {0}
    assert set(run.matches["hands"]) == {7}
    assert not run.standings["win"].any()
    assert not run.standings["score"].any()


def test_j15_who_plays_sees_the_score_so_far():
    class Reads(Bids):
        def bid(self, view):
            seen.append(view.standing.copy())
            return super().bid(view)

    seen = []
    run = matches(traitor(campaign_target=15), Reads((5,)), count=1)
    after = [[0] * 4, *totals(run, 0).tolist()[:-1]]
    # Four turns an auction.
    assert [standing[0].tolist() for standing in seen[::4]] == after


# ------------------------------------------------------------------- breaking the rules


VARIANTS = {
    "plain": {},
    "five": {"players": 5},
    "dice": {"dice": True},
    "rotate": {"next_leader": "rotate", "first_leader": "left_of_dealer"},
    "arete": {"arete_court": True},
    "arete_dice": {"arete_court": True, "dice": True},
}


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("policy", [Cheat(), Wild()], ids=["cheat", "wild"])
def test_j16_revokes_are_the_cards_that_break_j6_to_j10_and_no_others(name, policy):
    game = brazen(**VARIANTS[name], detection=0)
    run = simulate(game, policy, hands=25, record="plays")
    again = replayed(run, dealt(game, 25))
    counted = by_seat(run, "revokes")
    for hand, (winners, revokes, breaking) in enumerate(again):
        seats = [seat for _, seat in revokes]
        assert [seats.count(seat) for seat in range(game.players)] == list(counted[hand])
        assert (breaking or [0])[0] == run.hands["broken_trick"][hand]
        if not game.arete_court:
            tricks = run.tricks[run.tricks["hand"] == hand]
            assert list(tricks["winner"]) == winners
    assert counted.sum() > 25


def test_j16_any_card_held_may_be_played():
    # All try to play the very first card of their holding.
    class First(tl.Policy):
        def revoke(self, view):
            return view.holds.argmax(axis=1)

    game = brazen(detection=0)
    run = simulate(game, First(), hands=10, record="plays")
    plays = run.plays.assign(code=run.plays["card"].cat.codes)
    for _, codes in plays.groupby(["hand", "seat"])["code"]:
        assert (np.diff(codes) > 0).all()
    assert by_seat(run, "revokes").any(axis=1).all()


def test_j16_without_brazen_nobody_is_asked_to_revoke():
    run = simulate(junni(), Cheat(), hands=10, record="plays")
    assert not any(revokes for _, revokes, _ in replayed(run, dealt(junni(), 10)))
    assert "revokes" not in run.seats


def test_j16_without_brazen_an_illegal_card_is_refused():
    class Illegal(tl.Policy):
        def play(self, view):
            return (view.holds & ~view.may_play).argmax(axis=1)

    for game in (junni(), brazen()):
        with pytest.raises(tl.IllegalAnswer, match="decision play"):
            simulate(game, Illegal(), hands=4)


@pytest.mark.parametrize("card", ["not held", -2, 80])
def test_j16_a_card_not_held_is_not_played(card):
    class Conjures(tl.Policy):
        def revoke(self, view):
            if card == "not held":
                return view.holds.argmin(axis=1)
            return np.full(len(view), card)

    with pytest.raises(tl.IllegalAnswer, match="hand 0, seat 0, decision revoke"):
        simulate(brazen(), Conjures(), hands=4)


def test_j16_a_card_already_played_is_not_held():
    class Again(tl.Policy):
        def revoke(self, view):
            if view.trick == 1:
                return view.holds.argmax(axis=1)
            mine = view.past_cards[0][np.arange(len(view)), view.seat]
            return mine.astype(int)

    with pytest.raises(tl.IllegalAnswer, match="decision revoke"):
        simulate(brazen(), Again(), hands=4)


def test_j16_a_trump_led_unbroken_is_a_revoke_and_breaks_trumps():
    # The dealer leads a trump in the first trick wherever it holds one.
    cheat = Cheat(tricks=1, wants=of_suit("T"), where=lambda view: view.leader == view.seat)
    game = brazen(detection=0)
    run = simulate(game, cheat, hands=20, record="plays")
    plays = run.plays
    first = plays[(plays["trick"] == 1) & (plays["position"] == 0)]
    led = first["card"].astype(str).map(suit).to_numpy() == "T"
    assert led.sum() > 10
    revokes = by_seat(run, "revokes")
    dealer = run.hands["dealer"].to_numpy()
    assert list(revokes[np.arange(20), dealer]) == list(led.astype(int))
    assert revokes.sum() == led.sum()
    assert (run.hands.loc[led, "broken_trick"] == 1).all()


def test_j16_a_barbarian_led_early_is_a_revoke_and_names_the_suit():
    cheat = Cheat(tricks=1, wants=of_suit("X"), where=lambda view: view.leader == view.seat)
    game = brazen(detection=0)
    run = simulate(game, cheat, hands=40, record="plays")
    plays, deals = run.plays, dealt(game, 40)
    first = plays[plays["trick"] == 1].assign(
        suit=plays["card"].astype(str).map(suit), named=plays["as_suit"].astype(str)
    )
    led = 0
    for hand, cards in first.groupby("hand"):
        leader = cards.iloc[0]
        if leader["suit"] != "X":
            continue
        led += 1
        assert leader["named"] == "B"
        assert by_seat(run, "revokes")[hand][leader["seat"]] == 1
        for _, follower in cards.iloc[1:].iterrows():
            if "B" in {suit(card) for card in deals[hand][follower["seat"]]}:
                assert follower["suit"] in ("B", "X")
        assert run.tricks[run.tricks["hand"] == hand]["lead"].iloc[0] == "B"
    assert led > 10
    assert by_seat(run, "revokes").sum() == led


def test_j16_a_follower_who_revokes_with_a_trump_takes_the_trick():
    last = Cheat(tricks=1, wants=of_suit("T"), where=lambda view: view.position == 3)
    game = brazen(detection=0)
    run = simulate(game, last, hands=20, record="plays")
    again = replayed(run, dealt(game, 20))
    first = run.tricks[run.tricks["trick"] == 1]["winner"].to_numpy()
    takes = [
        seat == winner for (_, rev, _), winner in zip(again, first, strict=True) for _, seat in rev
    ]
    assert len(takes) > 10
    assert sum(takes) > 10
    assert list(first) == [winners[0] for winners, _, _ in again]


def test_j16_a_card_that_may_be_played_anyway_is_no_revoke():
    class Free(tl.Policy):
        """Answers a legal card when asked whether to revoke."""

        def revoke(self, view):
            cards = view.may_play.argmax(axis=1)
            named = np.full(len(view), AS_PRINTED)
            barbarian = view.names > 0
            named[barbarian] = view.deck.suit_index("K")
            return cards, np.where(view.deck.suit_of[cards] == view.deck.excuse, named, AS_PRINTED)

    run = simulate(brazen(detection=1, audit=True), Free(), hands=20, record="plays")
    for column in ("revokes", "revokes_risked", "revokes_caught", "forfeit"):
        assert not by_seat(run, column).any()
    assert not any(rev for _, rev, _ in replayed(run, dealt(brazen(), 20)))


@pytest.mark.parametrize("policy", ["random", "simple", "careful", "brazen:temptation=0"])
def test_j16_honest_players_never_revoke_and_play_as_ever(policy):
    honest = simulate(brazen(detection=1, audit=True), policy, hands=30, record="plays")
    for column in ("revokes", "revokes_risked", "revokes_caught", "forfeit"):
        assert not by_seat(honest, column).any()
    checked = simulate(
        junni(), policy.replace("brazen:temptation=0", "careful"), 30, record="plays"
    )
    assert honest.plays.equals(checked.plays)
    shared = list(checked.seats.columns)
    assert honest.seats[shared].equals(checked.seats)


# ------------------------------------------------------------------------- being caught


def first_revokes(game, run, hands: int):
    """Trick of each seat's first revoke, 0 where it made none, a row a hand."""
    out = np.zeros((hands, game.players), int)
    for hand, (_, revokes, _) in enumerate(replayed(run, dealt(game, hands))):
        for trick, seat in reversed(revokes):
            out[hand, seat] = trick
    return out


def test_j16_detection_1_catches_every_seat_at_the_end_of_the_trick_of_its_first_revoke():
    game = brazen(detection=1)
    cheat = Cheat(where=at(0, 2))
    run = simulate(game, cheat, hands=20, record="plays")
    table = finished(game, cheat, hands=20)
    first = first_revokes(game, run, 20)
    assert (first[:, [0, 2]] > 0).any(axis=0).all()
    assert (first[:, [1, 3]] == 0).all()
    assert (table.caught == first).all()
    for column in ("forfeit", "revokes_caught", "revokes_risked"):
        assert (by_seat(run, column) == (first > 0)).all()
    assert (by_seat(run, "revokes") > 1).any()


def test_j16_detection_0_catches_nobody():
    game = brazen(detection=0)
    run = simulate(game, Cheat(), hands=20)
    assert by_seat(run, "revokes").all(axis=1).any()
    assert not by_seat(run, "revokes_caught").any()
    assert not by_seat(run, "forfeit").any()
    assert (by_seat(run, "revokes_risked") == by_seat(run, "revokes")).all()
    assert (by_seat(run, "score") == by_seat(run, "tricks")).all()


def test_j16_detection_is_a_half_by_default():
    game = brazen()
    assert game.detection == 0.5
    run = simulate(game, Cheat(tricks=1), hands=1000)
    risked, caught = by_seat(run, "revokes_risked").sum(), by_seat(run, "revokes_caught").sum()
    assert risked > 500
    assert abs(caught - 0.5 * risked) < 5 * (0.25 * risked) ** 0.5


@pytest.mark.parametrize("detection", [0.1, 0.8])
def test_j16_each_revoke_not_yet_caught_is_called_with_the_chance_of_detection(detection):
    run = simulate(brazen(detection=detection), Cheat(), hands=400)
    risked, caught = by_seat(run, "revokes_risked").sum(), by_seat(run, "revokes_caught").sum()
    spread = (risked * detection * (1 - detection)) ** 0.5
    assert abs(caught - detection * risked) < 5 * spread


def test_j16_a_seat_is_caught_once_and_for_a_revoke_of_that_trick():
    game = brazen(detection=0.3)
    run = simulate(game, Cheat(), hands=60, record="plays")
    table = finished(game, Cheat(), hands=60)
    assert by_seat(run, "revokes_caught").max() == 1
    again = replayed(run, dealt(game, 60))
    for hand, (_, revokes, _) in enumerate(again):
        for seat in range(4):
            made = [trick for trick, who in revokes if who == seat]
            caught = int(table.caught[hand, seat])
            assert caught == 0 or caught in made
            risked = [trick for trick in made if not caught or trick <= caught]
            assert by_seat(run, "revokes_risked")[hand, seat] == len(risked)
    assert (by_seat(run, "revokes") > by_seat(run, "revokes_risked")).any()


def test_j16_it_is_called_at_the_end_of_the_trick_not_before():
    class Watches(Cheat):
        def play(self, view):
            assert (view.caught < view.trick).all()
            seen.append(((view.caught == view.trick - 1) & (view.caught > 0)).any())
            return super().play(view)

    seen = []
    finished(brazen(detection=1), [Watches(where=at(0)), *[Watches(tricks=0)] * 3], hands=20)
    assert any(seen)


@pytest.mark.parametrize("detection", [0, 0.5])
def test_j16_audit_catches_every_revoke(detection):
    game = brazen(detection=detection, audit=True)
    run = simulate(game, Cheat(where=at(1, 2)), hands=30)
    revokes = by_seat(run, "revokes")
    assert revokes.any()
    assert (by_seat(run, "forfeit") == (revokes > 0)).all()
    assert (by_seat(run, "revokes_caught") == revokes).all()
    assert not by_seat(run, "score")[revokes > 0].any()


def test_j16_audit_leaves_play_as_it_would_be():
    plain, audited = (
        simulate(brazen(detection=0.4, audit=audit), Cheat(), hands=10, record="plays")
        for audit in (False, True)
    )
    assert plain.plays.equals(audited.plays)


@pytest.mark.parametrize("scoring", ["tricks", "dead_reckoning"])
def test_j16_who_forfeits_scores_0_and_the_best_of_the_others_wins(scoring):
    game = brazen(detection=1, scoring=scoring)
    run = simulate(game, Cheat(where=at(0, 3), wants=of_suit("T")), hands=150)
    out = by_seat(run, "forfeit") == 1
    took = by_seat(run, "tricks" if scoring == "tricks" else "points")
    assert (by_seat(run, "score") == np.where(out, 0, took)).all()
    assert set(out.sum(axis=1)) >= {1, 2}
    best = np.where(out, -1, took)
    best = (best == best.max(axis=1, keepdims=True)) & ~out
    np.testing.assert_allclose(
        by_seat(run, "win"), best / best.sum(axis=1, keepdims=True), rtol=1e-6
    )
    assert list(run.hands["winners"]) == list(best.sum(axis=1))
    # Often enough the one who forfeited had the most.
    assert (took.argmax(axis=1)[:, None] == np.arange(4))[out].sum() > 10


def test_j16_play_goes_on_after_a_forfeit():
    game = brazen(detection=1)
    run = simulate(game, Cheat(), hands=20, record="plays")
    assert by_seat(run, "forfeit").any(axis=1).all()
    assert len(run.tricks) == 20 * 20
    assert len(run.plays) == 20 * 80
    assert (by_seat(run, "tricks").sum(axis=1) == 20).all()
    # Who was caught still takes tricks, and may revoke again.
    assert by_seat(run, "tricks")[by_seat(run, "forfeit") == 1].sum() > 0
    assert (by_seat(run, "revokes") > 1).any()


def test_j16_if_all_forfeit_nobody_wins():
    run = simulate(brazen(audit=True), Cheat(), hands=20)
    everybody = by_seat(run, "forfeit").all(axis=1)
    assert everybody.sum() > 10
    assert not by_seat(run, "win")[everybody].any()
    assert not by_seat(run, "score")[everybody].any()
    assert not run.hands.loc[everybody, "winners"].any()


def test_j16_those_who_took_nothing_share_the_win_if_only_they_are_left():
    # One honest seat against three who forfeit always wins, whatever it took.
    run = simulate(brazen(audit=True), Cheat(where=at(0, 1, 2)), hands=60)
    three = by_seat(run, "forfeit")[:, :3].all(axis=1)
    assert three.sum() > 20
    assert (by_seat(run, "win")[three] == [0, 0, 0, 1]).all()


@pytest.mark.parametrize("players", [4, 6])
def test_j16_a_team_forfeits_as_a_whole(players):
    game = brazen(players, partners=True, detection=1)
    run = simulate(game, Cheat(where=at(1), tricks=6), hands=40)
    half = players // 2
    caught = by_seat(run, "revokes_caught")[:, 1] == 1
    assert caught.sum() > 20
    assert not by_seat(run, "score")[caught][:, [1, 1 + half]].any()
    took = by_seat(run, "tricks")[:, :half] + by_seat(run, "tricks")[:, half:]
    took[caught, 1] = -1
    best = took == took.max(axis=1, keepdims=True)
    win = np.tile(best / best.sum(axis=1, keepdims=True), 2)
    np.testing.assert_allclose(by_seat(run, "win"), win, rtol=1e-6)
    assert list(run.hands["winners"]) == list(best.sum(axis=1))
    others = [seat for seat in range(players) if seat % half != 1]
    assert (by_seat(run, "score")[:, others] == by_seat(run, "tricks")[:, others]).all()


def test_j16_if_both_teams_forfeit_nobody_wins():
    run = simulate(brazen(partners=True, audit=True), Cheat(where=at(0, 3)), hands=40)
    revokes = by_seat(run, "revokes") > 0
    both = revokes[:, 0] & revokes[:, 3]
    assert both.sum() > 10
    assert not by_seat(run, "win")[both].any()
    assert not by_seat(run, "score")[both].any()


# ------------------------------------------------------------- the Traitor and being caught


def test_j16_a_traitor_who_is_caught_fails_the_bid():
    cheat = Cheat((), (1,), where=lambda view: view.seat == view.declarer)
    run = simulate(brazen(traitor=True, detection=1), cheat, hands=60)
    alone = by_seat(run, "traitor") == 1
    caught = (by_seat(run, "forfeit") == alone).all(axis=1)
    assert caught.sum() > 40
    assert (run.hands["taken"][caught] >= 1).any()
    made = ~caught & (run.hands["taken"].to_numpy() >= 1)
    assert list(run.hands["made"]) == list(made.astype(int))
    assert (by_seat(run, "score") == (alone == made[:, None])).all()
    assert (by_seat(run, "win") == (alone == made[:, None])).all()


@pytest.mark.parametrize("made_scores", ["bid", "taken"])
def test_j16_a_caught_traitor_costs_the_bid_not_what_was_taken(made_scores):
    cheat = Cheat((), (2,), where=lambda view: view.seat == view.declarer)
    game = brazen(traitor=True, audit=True, made_scores=made_scores)
    run = simulate(game, cheat, hands=60)
    alone = by_seat(run, "traitor") == 1
    caught = (by_seat(run, "forfeit") == 1).any(axis=1)
    assert caught.sum() > 40
    assert (by_seat(run, "score")[caught] == 2 * ~alone[caught]).all()


@pytest.mark.parametrize("players", [4, 5])
def test_j16_a_caught_opponent_scores_0_and_the_rest_stands(players):
    most = 19 if players == 4 else 15

    def opponents(view):
        return ((view.seat - view.declarer) % players == 1) & (view.declarer >= 0)

    game = brazen(players, traitor=True, detection=1)
    run = simulate(game, Cheat((), (most,), where=opponents), hands=60)
    alone = by_seat(run, "traitor") == 1
    out = by_seat(run, "forfeit") == 1
    assert set(run.hands["made"]) == {0}
    assert out.any(axis=1).sum() > 30
    assert not (out & alone).any()
    assert (by_seat(run, "score") == most * (~alone & ~out)).all()
    assert (by_seat(run, "win") == (~alone & ~out)).all()


def test_j16_a_caught_opponent_does_not_make_the_bid_fail_or_made():
    def opponents(view):
        return (view.seat != view.declarer) & (view.declarer >= 0)

    game = brazen(traitor=True, audit=True)
    run = simulate(game, Cheat((), (8,), tricks=2, where=opponents), hands=100)
    taken = run.hands["taken"].to_numpy()
    made = taken >= 8
    assert made.any()
    assert not made.all()
    assert list(run.hands["made"]) == list(made.astype(int))
    alone = by_seat(run, "traitor") == 1
    out = by_seat(run, "forfeit") == 1
    assert (by_seat(run, "score") == 8 * np.where(made[:, None], alone, ~alone & ~out)).all()


def test_j16_the_opponents_left_share_no_win_with_the_caught_but_win_as_one_side():
    # Two of three opponents are caught: the third has won, and one side is one winner.
    def two(view):
        return (view.seat - view.declarer) % 4 > 1

    game = brazen(traitor=True, audit=True)
    run = simulate(game, Cheat((), (19,), where=two), hands=60)
    left = by_seat(run, "forfeit").sum(axis=1) == 2
    assert left.sum() > 20
    assert (by_seat(run, "win")[left].sum(axis=1) == 1).all()
    assert set(run.hands.loc[left, "winners"]) == {1}


def test_j16_if_all_at_the_table_forfeit_nobody_wins_against_the_traitor_either():
    run = simulate(brazen(traitor=True, audit=True), Cheat((), (3,)), hands=40)
    everybody = by_seat(run, "forfeit").all(axis=1)
    assert everybody.sum() > 10
    assert not by_seat(run, "win")[everybody].any()
    assert not by_seat(run, "score")[everybody].any()
    assert set(run.hands.loc[everybody, "made"]) == {0}
    assert set(run.hands.loc[everybody, "winners"]) == {0}


def test_j16_with_a_traitor_a_caught_partner_forfeits_alone():
    def partner(view):
        return (view.seat - view.declarer) % 4 == 2

    game = brazen(traitor=True, partners=True, audit=True)
    run = simulate(game, Cheat((), (2,), where=partner), hands=60)
    alone = by_seat(run, "traitor") == 1
    out = by_seat(run, "forfeit") == 1
    made = run.hands["taken"].to_numpy() >= 2
    assert list(run.hands["made"]) == list(made.astype(int))
    assert (out & np.roll(alone, 2, axis=1)).sum() > 30
    # The Traitor keeps the bid, and an opponent's partner what the failed bid brings.
    assert (by_seat(run, "score") == 2 * np.where(made[:, None], alone, ~alone & ~out)).all()
    assert by_seat(run, "score")[made & out.any(axis=1)].any()


def test_j16_forfeits_count_in_a_campaign():
    game = brazen(campaign=True, campaign_target=60, audit=True)
    run = matches(game, Cheat(where=at(0)), count=10)
    out = by_seat(run, "forfeit") == 1
    assert out.any()
    assert (by_seat(run, "score") == np.where(out, 0, by_seat(run, "tricks"))).all()
    for match in range(10):
        after = totals(run, match)
        assert (after[:-1] < 60).all()
        assert after[-1].max() >= 60


def test_j16_who_is_called_in_a_match_is_drawn_anew_each_hand():
    game = brazen(campaign=True, campaign_target=100, detection=0.5)
    run = matches(game, Cheat(tricks=1), count=100)
    risked, caught = by_seat(run, "revokes_risked").sum(), by_seat(run, "revokes_caught").sum()
    assert risked > 400
    assert abs(caught - 0.5 * risked) < 5 * (0.25 * risked) ** 0.5
    # The same match and seat is caught in some rounds and not in others.
    seats = run.seats.merge(run.hands[["hand", "match"]], on="hand")
    at_risk = seats[seats["revokes_risked"] > 0]
    assert (at_risk.groupby(["match", "seat"])["revokes_caught"].nunique() > 1).mean() > 0.3


# ------------------------------------------------------------------ all of it, told and read


@pytest.mark.parametrize(
    "switches",
    [
        {"traitor": True, "spare_to": "traitor", "shriving": True, "scoring": "dead_reckoning"},
        {
            "traitor": True,
            "spare_to": "traitor",
            "shriving": True,
            "shriving_before_bidding": False,
        },
        {"traitor": True, "partners": True, "made_scores": "taken", "bid_step": 2},
        {"traitor": True, "players": 6, "dice": True, "all_drop": "dealer_minimum"},
        {"players": 5, "audit": True, "arete_court": True},
    ],
)
def test_j16_and_the_rest_replay_to_the_same_result(switches, tmp_path):
    class OneDealPasses(Cheat):
        def bid(self, view):
            return np.where(view.dealer == 0, PASS, super().bid(view))

    game = brazen(**switches)
    path = tmp_path / "hands.jsonl"
    run = tl.simulate(
        game, 12, OneDealPasses((2, 7), (4,), (9,)), 5, n_jobs=1, histories=path, progress=False
    )
    faults = [check.in_words() for check in tl.check_histories(path) if check.fault]
    assert faults == []
    again = tl.read_histories(path)
    assert (by_seat(again, "score") == by_seat(run, "score")).all()
    assert (by_seat(again, "win") == by_seat(run, "win")).all()
    assert (by_seat(again, "revokes") == by_seat(run, "revokes")).all()
    assert (by_seat(again, "forfeit") == by_seat(run, "forfeit")).all()
