"""Emperor up to the last trick, clause by clause (E1-E19); see the other modules for the score.

Every test is named after the clause of the rule sheet.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tricklab as tl
from emperor_table import (
    SEATS,
    THEM,
    TRICKS,
    US,
    acted,
    begun,
    bids,
    composed,
    fault,
    finished,
    hand_of,
    history,
    outcome,
    replayed,
)
from reference import emperor as reference
from tricklab.bidding import NO_SEAT
from tricklab.policies import seated
from tricklab.simulation import run_block

HONOURS_EACH = {0: "FT", 1: "21T", 2: "1T"}
"""One honour for each of three seats; seat 3 has none."""

NUMBERED = {"three": 1, "two": 2, "one": 3, "without": 4}


def after(holdings, *said, stock="", **more):
    """A hand in which so was bid from seat 0, the eldest, on; it stops there."""
    return begun(holdings, stock, bids(*said), **more)


def played(one, *more):
    """The finished hand of a history whose rest does not matter."""
    return replayed(finished(one, *more))


def legal(one):
    """Whether the last action of a history that stops is the first that is at fault, or none."""
    found = fault(one)
    last = len(one["actions"]) - 1
    assert found in (("turn", last + 1), (found[0], last))
    return None if found == ("turn", last + 1) else found[0]


# ------------------------------------------------------------------------------------ E1-E3


def test_e1_pack():
    deck = tl.game("emperor").deck
    suits = [f"{rank}{suit}" for suit in "SBCD" for rank in ("A", "2", "V", "C", "Q", "K")]
    trumps = [*(f"{number}T" for number in range(1, 22)), "FT"]
    assert list(deck.cards) == suits + trumps
    assert len(deck.cards) == 46
    assert [suit.name for suit in deck.suits] == ["Swords", "Batons", "Cups", "Coins", "Trumps"]


@pytest.mark.parametrize("suit", "SBCDT")
def test_e1_order(suit):
    ranks = ["A", "2", "V", "C", "Q", "K"]
    if suit == "T":
        ranks = [*(str(number) for number in range(1, 22)), "F"]
    for low, high in itertools.pairwise(ranks):
        fillers = ["KB", "KD"] if suit in "SC" else ["KS", "KC"]
        for first, second in ((low, high), (high, low)):
            table = tl.Position(
                tl.game("emperor"), [[first + suit], [second + suit], *[[f] for f in fillers]]
            )
            winner = table.play(first + suit, second + suit, *fillers).winner
            assert winner == (first, second).index(high)


def test_e2_card_points():
    worth = {"1T": 5, "21T": 5, "FT": 5}
    worth |= {
        rank + suit: n
        for rank, n in zip("KQCVA2", (5, 4, 3, 2, 1, 0), strict=True)
        for suit in "SBCD"
    }
    game = tl.game("emperor")
    points = {card: worth.get(card, 1) for card in game.deck.cards}
    assert sum(points.values()) == 94
    # By play: a trick of one suit or of trumps, and what its cards are worth.
    for cards in (["KS", "QS", "CS", "VS"], ["AS", "2S", "KB", "AB"], ["1T", "20T", "21T", "FT"]):
        position = tl.Position(game, [[card] for card in cards])
        position.play(*cards)
        table = position.table
        found = int(game.trick_points(table)[0, 0])
        assert found == sum(points[card] for card in cards)


def test_e3_deal():
    game = tl.game("emperor")
    assert (game.players, game.cards_each, game.set_aside, game.n_tricks) == (4, 10, 6, 10)
    dealt = tl.deal(game, 3)
    for hand in range(3):
        cards = [*(dealt.holdings(hand)), dealt.set_aside(hand)]
        assert [len(each) for each in cards] == [10, 10, 10, 10, 6]
        assert sorted(card for each in cards for card in each) == sorted(game.deck.cards)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_e3_four_players_only(players):
    with pytest.raises(tl.SwitchError, match="E3"):
        tl.game("emperor", players=players)


def test_e3_a_match_is_four_hands_and_the_deal_moves_to_the_left():
    run = tl.simulate_matches(
        tl.game("emperor"), 30, "random", 1, first_dealer=2, n_jobs=1, progress=False
    )
    assert (run.matches["hands"] == 4).all()
    assert (run.hands["dealer"].to_numpy().reshape(-1, 4) == [2, 3, 0, 1]).all()


# ------------------------------------------------------------------------------------ E4-E8


@pytest.mark.parametrize("dealer", SEATS)
def test_e4_eldest_bids_first_and_each_in_turn(dealer):
    first = (dealer + 1) % 4
    one = begun({first: "FT"}, "", bids("three", "pass", "pass", "pass", first=first))
    assert legal({**one, "dealer": dealer}) is None
    other = {**one, "dealer": (dealer + 1) % 4}
    assert fault(other) == ("turn", 0)


@pytest.mark.parametrize(
    ("said", "declarer", "level"),
    [
        (("three", "pass", "pass", "pass"), 0, 1),
        (("pass", "three", "pass", "pass"), 1, 1),
        (("three", "two", "pass", "pass", "pass"), 1, 2),
        (("three", "two", "one", "pass", "pass", "pass"), 2, 3),
        (("three", "two", "one", "pass", "without", "pass", "pass"), 0, 4),
        (("three", "two", "pass", "pass", "one", "without", "pass"), 1, 4),
        (("three", "pass", "two", "pass", "pass"), 2, 2),
        # Without may be held, too.
        (("three", "two", "one", "pass", "without", "hold", "hold", "pass", "pass"), 2, 4),
    ],
)
def test_e4_the_highest_bid_declares(said, declarer, level):
    table, _, row = played(after(HONOURS_EACH, *said))
    assert table.declarer[row] == declarer
    assert table.bidding.high[row] == level
    assert NUMBERED[tl.game("emperor").bids[level]] == level


@pytest.mark.parametrize("bid", ["four", "Three", "Pass", "", "3"])
def test_e4_no_other_bids(bid):
    assert legal(after(HONOURS_EACH, bid)) == "E4"


def test_e4_who_has_passed_is_out():
    one = after(HONOURS_EACH, "pass", "three", "two", "pass")
    assert legal(acted(one, 1, "bid", bid="one")) is None
    assert fault(acted(one, 0, "bid", bid="one")) == ("turn", 4)


@pytest.mark.parametrize("honour", ["1T", "21T", "FT"])
def test_e5_any_honour_lets_bid(honour):
    assert legal(after({0: honour}, "three")) is None
    assert legal(after({1: honour}, "three")) == "E5"


@pytest.mark.parametrize("said", [("three",), ("two",), ("one",), ("without",)])
def test_e5_no_bid_without_an_honour(said):
    """Not even with every other trump that allows a bid (E7)."""
    assert legal(after({0: "20T 19T 18T 17T", 1: "FT"}, *said)) == "E5"


def test_e5_passing_needs_no_honour():
    assert legal(after({1: "FT"}, "pass")) is None


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (("three",), None),
        (("two",), "E5"),
        (("one",), "E5"),
        (("without",), "E5"),
        (("three", "three"), "E5"),
        (("three", "two"), None),
        (("three", "one"), "E5"),
        (("three", "without"), "E5"),
        (("three", "two", "two"), "E5"),
        (("three", "two", "three"), "E5"),
        (("three", "two", "one"), None),
        (("three", "two", "without"), "E5"),
        (("pass", "three", "two"), None),
        (("pass", "two"), "E5"),
        (("three", "two", "one", "pass", "without"), None),
        (("three", "two", "one", "pass", "one"), "E5"),
    ],
)
def test_e5_one_step_at_most(said, wrong):
    assert legal(after(HONOURS_EACH, *said)) == wrong


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        # Who never bid.
        (("hold",), "E6"),
        (("three", "hold"), "E6"),
        (("three", "two", "hold"), "E6"),
        # Who bid and was outbid.
        (("three", "two", "pass", "pass", "hold"), None),
        (("three", "two", "one", "pass", "hold"), None),
        (("three", "two", "one", "pass", "hold", "hold"), None),
        (("three", "two", "one", "pass", "hold", "hold", "hold"), "E6"),
        # Who was held against, at a level that was already their own.
        (("three", "two", "pass", "pass", "hold", "hold"), "E6"),
        (("three", "two", "pass", "pass", "hold", "one"), None),
        (("three", "two", "pass", "pass", "hold", "pass"), None),
        (("three", "two", "pass", "pass", "hold", "one", "hold"), None),
        (("three", "two", "pass", "pass", "hold", "one", "hold", "hold"), "E6"),
        (("three", "two", "pass", "pass", "hold", "one", "hold", "without", "hold"), None),
        # Who raises again may hold against nobody.
        (("three", "two", "pass", "pass", "one", "hold"), None),
    ],
)
def test_e6_holding(said, wrong):
    one = after(HONOURS_EACH, *said)
    if wrong is None and (hand := hand_of(one)).step != "bid":
        # The auction is over: the hand goes on.
        assert hand.declarer is not None
        assert played(one)[0].declarer[0] == hand.declarer
    else:
        assert legal(one) == wrong


def test_e6_who_holds_has_the_bid():
    table, _, row = played(after(HONOURS_EACH, "three", "two", "pass", "pass", "hold", "pass"))
    assert (table.declarer[row], table.bidding.high[row]) == (0, 2)


def test_e6_holding_needs_no_honour_of_its_own():
    """Only who has bid may hold, and who has bid has an honour; a discard comes later."""
    one = after({0: "FT 21T 1T", 1: "20T"}, "three", "two")
    assert legal(one) == "E5"


JUMPS = [
    # What stood, what is bid, how many steps.
    ((), "three", 1),
    ((), "two", 2),
    ((), "one", 3),
    ((), "without", 4),
    (("three",), "two", 1),
    (("three",), "one", 2),
    (("three",), "without", 3),
    (("three", "two"), "one", 1),
    (("three", "two"), "without", 2),
]


@pytest.mark.parametrize(("before", "bid", "steps"), JUMPS)
@pytest.mark.parametrize("honour", [True, False])
@pytest.mark.parametrize("trumps", ["", "19T", "18T", "18T 19T", "20T 17T"])
def test_e7_invitations(before, bid, steps, honour, trumps):
    """With the 19 one step higher than allowed, with the 18 two; each needs an honour, too."""
    seat = len(before)
    # Those before have an honour each, and the one who bids now another.
    others = {s: h for s, h in zip(SEATS, ("21T", "1T", ""), strict=False) if s < seat}
    one = after({**others, seat: f"{'FT' if honour else ''} {trumps}"}, *before, bid)
    allowed = {1} | ({2} if "19T" in trumps else set()) | ({3} if "18T" in trumps else set())
    assert legal(one) == (None if honour and steps in allowed else "E5")


INVITES = {0: "FT 19T", 1: "21T", 2: "1T", 3: "20T"}


@pytest.mark.parametrize(
    ("said", "bound"),
    [
        # The inviter ends up as declarer: as normal.
        (("two", "pass", "pass", "pass"), None),
        (("two", "one", "pass", "pass", "hold", "pass"), None),
        (("two", "one", "pass", "pass", "without", "pass"), None),
        # Another outbids: bound.
        (("two", "one", "pass", "pass", "pass"), "19T"),
        # Another outbids, and a third outbids that one or holds: bound as well.
        (("two", "one", "without", "pass", "pass", "pass"), "19T"),
        (("two", "one", "without", "pass", "pass", "hold", "pass"), "19T"),
        (("two", "one", "pass", "pass", "hold", "without", "pass"), "19T"),
        # No invitation.
        (("three", "two", "pass", "pass", "pass"), None),
    ],
)
def test_e7_the_acceptance_binds_whoever_declares(said, bound):
    one = finished(after(INVITES, *said), until="call")
    hand = hand_of(one)
    table, _, row = played(one)
    assert table.extra.bound[row] == (bound is not None)
    declarer = hand.declarer
    if bound is None:
        # 20 lies with seat 3, and any trump may be called where another discarded one.
        assert legal(acted(one, declarer, "call", card="20T")) is None
    else:
        assert table.game.deck.cards[table.called[row]] == bound
        assert table.extra.holder[row] == 0
        for card in ("20T", "18T", "2T"):
            assert legal(acted(one, declarer, "call", card=card)) == "E7"


@pytest.mark.parametrize(
    ("invited", "said"), [("19T", ("two", "one")), ("18T", ("one", "without"))]
)
def test_e7_what_is_invited_by_is_seen_from_the_bid(invited, said):
    """Holding both: the step says which."""
    one = after({0: "FT 18T 19T", 1: "21T"}, *said, "pass", "pass", "pass")
    table, _, row = played(one)
    assert table.game.deck.cards[table.extra.invited[row]] == invited
    assert table.extra.inviter[row] == 0
    assert table.game.deck.cards[table.called[row]] == invited


def test_e7_a_bound_declarer_may_not_call_freely_though_a_trump_was_discarded():
    one = after(INVITES, "two", "one", "pass", "pass", "pass", stock="2S 5T 2B 2C AS AB")
    one = finished(one, {"seat": 1, "do": "discard", "cards": ["2S"]}, until="discard")
    seat, _ = hand_of(one).turn()
    one = finished(acted(one, seat, "discard", cards=["5T"]), until="call")
    assert legal(acted(one, 1, "call", card="20T")) == "E7"
    assert legal(acted(one, 1, "call", card="19T")) is None


@pytest.mark.parametrize("dealer", SEATS)
def test_e8_all_pass_and_nobody_scores(dealer):
    one = begun({}, "", bids(*["pass"] * 4, first=(dealer + 1) % 4), dealer=dealer)
    assert outcome(one) == {
        "tricks": [0] * 4,
        "score": [0] * 4,
        "win": [0] * 4,
        "declarer": None,
        "partner": None,
        "made": None,
        "bonuses": [],
    }


def test_e8_the_deal_moves_on():
    """A hand passed out is one of the four (E12)."""

    class Passes(tl.Random):
        name = ""

        def bid(self, view):
            return np.zeros(len(view), np.int64)

    run = tl.simulate_matches(tl.game("emperor"), 5, Passes(), 1, n_jobs=1, progress=False)
    assert (run.matches["hands"] == 4).all()
    assert (run.hands["declarer"] == -1).all()
    dealers = run.hands["dealer"].to_numpy().reshape(-1, 4).astype(int)
    assert (np.diff(dealers, axis=1) % 4 == 1).all()
    assert not run.standings["score"].any()


# ----------------------------------------------------------------------------------- E9-E12

AUCTIONS = {
    "three": ("three", "pass", "pass", "pass"),
    "two": ("three", "two", "pass", "pass", "hold", "pass"),
    "one": ("three", "two", "pass", "pass", "one", "pass"),
    "without": ("three", "two", "pass", "pass", "one", "without", "hold", "pass"),
}
"""Auctions that leave seat 0 with each bid."""


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("bid", "counts"),
    [
        ("three", [3, 1, 1, 0]),
        ("two", [2, 1, 1, 1]),
        ("one", [1, 1, 1, 1]),
        ("without", [0, 2, 2, 2]),
    ],
)
def test_e9_who_draws_how_many(bid, counts, last):
    """From the top, each seeing what it drew; under Three the last only with the switch."""
    counts = [3, 1, 1, 1] if last and bid == "three" else counts
    switches = {"last_draws_on_three": True} if last else {}
    stock = "QS VS CS 2B VB CB"
    one = after(HONOURS_EACH, *AUCTIONS[bid], stock=stock, switches=switches)
    cards = stock.split()
    for seat, count in enumerate(counts):
        own, cards = cards[:count], cards[count:]
        if count:
            # What has just been drawn may be discarded, so it was drawn; the next card was not.
            if cards:
                early = acted(one, seat, "discard", cards=[*own[:-1], cards[0]])
                assert legal(early) == "holding"
            for wrong in (own[1:], own + one["deal"][seat][:1]):
                assert legal(acted(one, seat, "discard", cards=wrong)) == "E9"
            one = acted(one, seat, "discard", cards=own)
            assert legal(one) is None
    table, _, row = played(one)
    assert table.extra.drawn[row] == sum(counts)
    away = [table.game.deck.cards_in(masks) for masks in table.discarded[row]]
    assert [len(each) for each in away] == counts


def test_e9_the_declarer_comes_first():
    one = after(HONOURS_EACH, *AUCTIONS["two"], stock="QS VS CS 2B VB CB")
    assert fault(acted(one, 1, "discard", cards=["QS"])) == ("turn", 6)


@pytest.mark.parametrize("count", [0, 1])
def test_e9_who_draws_nothing_discards_nothing(count):
    """Seat 3 under Three: an empty discard is accepted, and a card is not."""
    one = finished(after(HONOURS_EACH, *AUCTIONS["three"]))
    third = [n for n, a in enumerate(one["actions"]) if a["do"] == "discard"][2]
    cards = one["deal"][3][:count]
    one["actions"].insert(third + 1, {"seat": 3, "do": "discard", "cards": cards})
    assert fault(one) == (("E9", third + 1) if count else None)


@pytest.mark.parametrize("card", ["KS", "KB", "KC", "KD", "1T", "21T", "FT"])
def test_e10_kings_and_honours_are_kept(card):
    """Whoever holds one, or draws it."""
    one = after({0: f"FT {card}" if card != "FT" else "FT"}, "three", "pass", "pass", "pass")
    others = [c for c in one["deal"][0] if reference.suit(c) == "S" and c != "KS"][:2]
    assert len(others) == 2
    assert legal(acted(one, 0, "discard", cards=[*others, card])) == "E10"
    if card != "FT":
        stock = f"{card} QD VD CD 2D AD"
        one = after({0: "FT"}, "three", "pass", "pass", "pass", stock=stock)
        assert legal(acted(one, 0, "discard", cards=[card, "QD", "VD"])) == "E10"
        assert legal(acted(one, 0, "discard", cards=["2S", "QD", "VD"])) is None


def test_e10_other_trumps_may_be_discarded_and_are_shown():
    one = after({0: "FT 5T 6T QS"}, "three", "pass", "pass", "pass")
    table, _, row = played(acted(one, 0, "discard", cards=["5T", "6T", "QS"]))
    shown = table.extra.shown[row]
    assert shown[0] == 0b110000
    others = finished(acted(one, 0, "discard", cards=["5T", "6T", "QS"]))
    for seat, number in ((1, 1), (2, 2)):
        cards = [a["cards"] for a in others["actions"] if a["do"] == "discard"][number]
        trumps = [card for card in cards if reference.is_trump(card)]
        assert bool(shown[seat]) == bool(trumps)


TRUMPLESS = {0: "FT 2T 3T", 1: "KS QS VS CS AS KB QB VB CB AB", 2: "5T 6T", 3: "7T 8T"}
"""Seat 1 has no trump and, whatever it draws here, may annul."""

KINGS = {0: "FT", 2: "KS KB KC KD 5T"}
"""Seat 2 has all Kings."""


@pytest.mark.parametrize(("holdings", "seat"), [(TRUMPLESS, 1), (KINGS, 2)])
def test_e12_without_trumps_or_with_all_kings_one_may_annul(holdings, seat):
    one = after(holdings, "three", "pass", "pass", "pass", stock="2S 2B 2C 2D AD QD")
    one = finished(one, until="annul")
    assert hand_of(one).turn() == (seat, "annul")
    for other in SEATS:
        said = acted(one, other, "annul", annul=True)
        assert (fault(said) is None) == (other == seat)
    assert legal(acted(one, seat, "annul", annul=False)) is None
    annulled = outcome(acted(one, seat, "annul", annul=True))
    assert annulled["score"] == [0] * 4
    assert (annulled["declarer"], annulled["made"]) == (0, None)
    never = {**one, "switches": {"annul": "never"}}
    assert legal(acted(never, seat, "annul", annul=True)) == "E12"
    assert hand_of(never).turn() == (0, "call")


def test_e12_not_with_trumps_and_three_kings():
    one = after({0: "FT", 2: "KS KB KC 5T", 3: "KD"}, "three", "pass", "pass", "pass")
    one = finished(one, until="call")
    for seat in SEATS:
        found = fault(acted(one, seat, "annul", annul=True))
        assert found is not None
        assert found[0] == "E12"


def test_e12_only_after_the_discards():
    """Who drew its only trump may not annul, and who discarded it may."""
    holdings = {0: "FT 2T", 1: "KS QS VS CS AS KB QB VB CB AB"}
    drawn = after(holdings, *AUCTIONS["three"], stock="2S 2B 2C 9T AD QD")
    drawn = finished(drawn, until="discard")
    drawn = acted(drawn, 0, "discard", cards=["2S", "2B", "2C"])
    kept = finished(acted(drawn, 1, "discard", cards=["QS"]), until="call")
    assert hand_of(kept).turn() == (0, "call")
    gone = finished(acted(drawn, 1, "discard", cards=["9T"]), until="annul")
    assert hand_of(gone).turn() == (1, "annul")


def test_e12_the_first_that_annuls_ends_it_and_all_are_asked_from_the_declarer():
    holdings = {0: "FT KS KB KC KD", 1: "QS VS CS AS QB VB CB AB QC VC"}
    one = after(holdings, *AUCTIONS["three"], stock="2S 2B 2C 2D AD QD")
    one = finished(one, until="annul")
    assert hand_of(one).turn() == (0, "annul")
    declined = acted(one, 0, "annul", annul=False)
    assert legal(declined) is None
    assert hand_of(declined).turn() == (1, "annul")
    assert fault(acted(declined, 1, "annul", annul=True)) is None
    assert legal(acted(one, 1, "annul", annul=True)) == "E12"
    assert legal(acted(declined, 0, "annul", annul=True)) == "E12"
    # Before and after it is nobody's turn to annul.
    assert legal(acted(acted(one, 0, "annul", annul=True), 1, "annul", annul=True)) == "turn"
    assert legal(acted(after(holdings), 0, "annul", annul=True)) == "turn"


@pytest.mark.parametrize("doubling", [1, 2, 4, 8])
def test_e12_doubling_holds_for_all_scores(doubling):
    tricks, stock = composed(won={10: (2,)}, cards={10: ["1T"]}, seed=4)
    more = {"announced": {1: ["owl"], 2: ["sparrow"]}, "said": [(3, "contra", ["game"])]}
    plain = outcome(history(tricks, stock, **more))["score"]
    doubled = outcome(history(tricks, stock, doubling=doubling, **more))["score"]
    assert doubled == [doubling * points for points in plain]


def test_e12_dealt_again_by_the_same_dealer_and_doubled_again():
    """By hand-made policy: all annul what they may; see also the reference's suite."""

    class Annuls(tl.Random):
        name = ""

        def annul(self, view):
            return np.ones(len(view), np.int64)

    game = tl.game("emperor")
    table = run_block(game, seated(Annuls(), 4), 2, 0, 4096, lambda t, _: t)
    facts = table.extra
    again = facts.annulments > 0
    assert again.any()
    assert (facts.doubling == 2**facts.annulments).all()
    # A new hand that is passed out scores nothing, and its doubling goes with it.
    out = again & (table.declarer == NO_SEAT)
    assert not game.score(table).score[out].any()
    never = run_block(
        tl.game("emperor", annul="never"), seated(Annuls(), 4), 2, 0, 4096, lambda t, _: t
    )
    assert not never.extra.annulments.any()
    assert (never.dealer == table.dealer).all()


# ---------------------------------------------------------------------------------- E13, E14


@pytest.mark.parametrize(
    ("own", "discards", "called"),
    [
        ("FT", "2S 2B 2C", "20T"),
        ("FT 20T", "2S 2B 2C", "19T"),
        ("FT 20T 19T 18T", "2S 2B 2C", "17T"),
        ("FT 20T 18T", "2S 2B 2C", "19T"),
        ("FT 20T", "20T 2B 2C", "19T"),
        ("FT 20T 19T", "20T 19T 2C", "18T"),
    ],
)
def test_e13_the_declarer_calls_20_or_the_next_that_it_does_not_have(own, discards, called):
    stock = "2S 2B 2C 2D AD QD"
    one = after({0: own, 1: "QS VS", 2: "QB VB", 3: "QC VC"}, *AUCTIONS["three"], stock=stock)
    one = finished(acted(one, 0, "discard", cards=discards.split()), until="call")
    for card in reference.pack():
        expected = None if card == called else "E13"
        assert legal(acted(one, 0, "call", card=card)) == expected
    table, _, row = played(acted(one, 0, "call", card=called))
    holder = [seat for seat in SEATS if called in one["deal"][seat]]
    assert table.extra.holder[row] == holder[0]
    assert table.partner[row] == holder[0]


def test_e13_alone_is_not_a_call_and_the_call_must_come():
    one = finished(after({0: "FT"}, *AUCTIONS["three"]), until="call")
    assert legal(acted(one, 0, "call", card="alone")) == "E13"
    assert fault(acted(one, 0, "announce", bonuses=[]))[0] == "turn"


def discarded_trump(card, seat=1, own="FT"):
    """Under Three seat 1 or 2 draws a trump and discards it; the declarer is to call."""
    stock = ["2S", "2B", "2C", "AD", "2D", "QD"]
    stock[2 + seat] = card
    holdings = {0: own, 1: "QS VS", 2: "QB VB", 3: "QC VC"}
    one = after(holdings, *AUCTIONS["three"], stock=" ".join(stock))
    one = acted(one, 0, "discard", cards=stock[:3])
    one = acted(one, 1, "discard", cards=[stock[3]])
    return finished(acted(one, 2, "discard", cards=[stock[4]]), until="call")


@pytest.mark.parametrize("seat", [1, 2])
def test_e13_any_trump_but_an_honour_where_another_discarded_one(seat):
    one = discarded_trump("5T", seat)
    for card in reference.pack():
        may = reference.is_trump(card) and card not in reference.HONOURS
        assert legal(acted(one, 0, "call", card=card)) == (None if may else "E13")


def test_e13_the_declarer_s_own_discarded_trump_frees_nothing():
    stock = "5T 2B 2C 2D AD QD"
    one = after({0: "FT", 1: "QS VS", 2: "QB VB"}, *AUCTIONS["three"], stock=stock)
    one = finished(acted(one, 0, "discard", cards=["5T", "2B", "2C"]), until="call")
    assert legal(acted(one, 0, "call", card="19T")) == "E13"


def test_e13_one_of_their_own_and_then_the_declarer_plays_alone():
    one = discarded_trump("5T", own="FT 4T")
    table, scored, row = played(acted(one, 0, "call", card="4T"))
    assert table.extra.holder[row] == NO_SEAT
    assert table.partner[row] == NO_SEAT
    assert scored.win[row].tolist() in ([1, 0, 0, 0], [0, 1, 1, 1])
    # Nothing was discarded of it, so no contra is forced.
    assert not table.extra.said[row].any()


def test_e13_the_partner_comes_out_in_play():
    """Public knowledge of the partner begins with the card called."""
    tricks, _ = composed(played={"20T": ((2,), (5,))}, seed=3)
    game = tl.game("emperor", annul="never")
    position = tl.Position(game, [[trick[seat] for trick in tricks] for seat in SEATS], declarer=0)
    table = position.table
    table.called[0] = game.deck.index("20T")
    table.extra.holder[0] = 2
    game.learn(table)
    for number, trick in enumerate(tricks, 1):
        for card in trick.values():
            position.play(card)
        assert table.partner[0] == (2 if number >= 5 else NO_SEAT)
        known = 0b0101 if number >= 5 else 0b0001
        assert table.sides[0, 0] == known
        assert table.sides[0, 2] == 0b0101


def test_e14_a_called_card_in_another_s_discard_forces_contra_to_the_hand():
    one = acted(discarded_trump("5T"), 0, "call", card="5T")
    for seat in SEATS:
        one = acted(one, seat, "announce", bonuses=["owl"] if seat == 0 else [])
    assert legal(one) is None
    start = len(one["actions"])
    lead = {"seat": 0, "do": "play", "card": hand_of(one).holdings[0][0]}
    silent = {**one, "actions": [*one["actions"], lead]}
    assert fault(silent) == ("E14", start)
    assert fault(acted(one, 1, "contra", claims=["owl"])) == ("E14", start)
    assert fault(acted(one, 2, "contra", claims=["owl"])) == ("E14", start)
    assert legal(acted(one, 1, "contra", claims=["game"])) is None
    assert legal(acted(one, 1, "contra", claims=["owl", "game"])) is None
    table, _, row = played(acted(one, 1, "contra", claims=["game"]))
    assert table.extra.holder[row] == NO_SEAT


def test_e14_a_contra_that_another_defender_has_said_serves():
    one = acted(discarded_trump("5T", seat=2), 0, "call", card="5T")
    for seat in SEATS:
        one = acted(one, seat, "announce", bonuses=[])
    said = acted(one, 1, "contra", claims=["game"])
    table, _, row = played(said)
    assert table.extra.said[row, 0].tolist() == [0, 1, 0, 0]
    # Nobody says it a second time (E16), and a later one does not serve.
    assert legal(acted(said, 2, "contra", claims=["game"])) == "E16"
    assert fault(acted(one, 3, "contra", claims=["game"]))[0] == "E14"


def test_e14_in_the_stock_the_declarer_plays_alone_without_a_contra():
    one = after({0: "FT", 1: "QS VS", 2: "QB VB"}, *AUCTIONS["three"], stock="2S 2B 2C 2D AD 20T")
    one = acted(one, 0, "discard", cards=["2S", "2B", "2C"])
    table, scored, row = played(finished(one, until="call"))
    assert table.game.deck.cards[table.called[row]] == "20T"
    assert table.extra.holder[row] == NO_SEAT
    assert not table.extra.said[row].any()
    assert scored.win[row].sum() in (1, 3)


def test_e14_a_bound_declarer_whose_invited_card_was_discarded():
    """The inviter discards the 19: the declarer is alone, and the inviter must say Contra."""
    said = ("two", "one", "pass", "pass", "pass")
    one = after({0: "FT 19T", 1: "21T", 2: "1T"}, *said, stock="2S 2B 2C 2D AD AS")
    for seat, card in ((1, "2S"), (2, "2B"), (3, "2C"), (0, "19T")):
        one = acted(one, seat, "discard", cards=[card])
    one = finished(one, until="call")
    assert legal(acted(one, 1, "call", card="20T")) == "E7"
    one = acted(one, 1, "call", card="19T")
    for seat in (1, 2, 3, 0):
        one = acted(one, seat, "announce", bonuses=[])
    lead = {"seat": 1, "do": "play", "card": hand_of(one).holdings[1][0]}
    assert legal({**one, "actions": [*one["actions"], lead]}) == "E14"
    table, _, row = played(acted(one, 0, "contra", claims=["game"]))
    assert table.extra.holder[row] == NO_SEAT


# ---------------------------------------------------------------------------------- E15, E16


def announcing(**seats):
    """A hand of seat 0 with seat 2 after announcements, such as ``s1=["owl"]``."""
    tricks, stock = composed(seed=7)
    one = history(tricks, stock, announced={int(k[1:]): v for k, v in seats.items()})
    start = next(n for n, a in enumerate(one["actions"]) if a["do"] == "play")
    return {**one, "actions": one["actions"][:start]}


def test_e15_each_once_from_the_declarer_on():
    one = announcing()
    said = [n for n, a in enumerate(one["actions"]) if a["do"] == "announce"]
    assert [one["actions"][n]["seat"] for n in said] == [0, 1, 2, 3]
    one["actions"][said[1]]["seat"] = 2
    assert fault(one) == ("turn", said[1])


@pytest.mark.parametrize(("names", "clause"), [(["owl", "owl"], "E15"), (["eagle"], "E22")])
def test_e15_a_bonus_is_there_and_announced_once(names, clause):
    one = announcing(s1=names)
    found = fault(one)
    assert found is not None
    assert found[0] == clause


def test_e15_both_sides_and_both_partners_may_announce_the_same():
    assert legal(announcing(s0=["owl"], s1=["owl"], s2=["owl"], s3=["owl"])) is None


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("claim", ["game", "owl"])
def test_e16_only_a_defender_says_contra(seat, claim):
    """The declarer and its partner may not; the others may."""
    one = acted(announcing(s0=["owl"]), seat, "contra", claims=[claim])
    found = legal(one)
    assert found is None if seat in THEM else found in ("E16", "turn")


def test_e16_contra_to_what_another_announced_only():
    one = announcing(s1=["owl"], s3=["last_owl"])
    assert legal(acted(one, 1, "contra", claims=["owl"])) == "E16"
    assert legal(acted(one, 3, "contra", claims=["owl"])) is None
    assert legal(acted(one, 1, "contra", claims=["last_owl"])) is None
    assert legal(acted(one, 1, "contra", claims=["flock"])) == "E16"
    assert legal(acted(one, 1, "contra", claims=["eagle"])) == "E16"
    # What both have announced is another's, too.
    both = announcing(s1=["owl"], s3=["owl"])
    assert legal(acted(both, 1, "contra", claims=["owl"])) is None


@pytest.mark.parametrize("second", SEATS)
@pytest.mark.parametrize("third", SEATS)
def test_e16_anybody_says_re_contra_and_sub_contra(second, third):
    one = acted(announcing(), 1, "contra", claims=["game"])
    assert legal(acted(one, third, "subcontra", claims=["game"])) in ("E16", "turn")
    one = acted(one, second, "recontra", claims=["game"])
    assert legal(one) is None
    one = acted(one, third, "subcontra", claims=["game"])
    assert legal(one) is None
    _, scored, row = played(one)
    game = 1 + min(int(scored.card_points[row, 0]), 60) if scored.made[row] else 1
    assert scored.payment[row] == 8 * game


def test_e16_re_contra_only_of_what_was_contra_d():
    one = acted(announcing(s0=["owl"]), 1, "contra", claims=["game"])
    assert legal(acted(one, 0, "recontra", claims=["owl"])) == "E16"
    one = acted(one, 3, "contra", claims=["owl"])
    assert legal(acted(one, 0, "recontra", claims=["owl"])) is None
    assert legal(acted(one, 0, "recontra", claims=["owl", "game"])) is None


def test_e16_a_claim_is_doubled_once_a_round():
    one = acted(announcing(s0=["owl"]), 1, "contra", claims=["game"])
    assert legal(acted(one, 3, "contra", claims=["game"])) == "E16"
    assert legal(acted(one, 3, "contra", claims=["owl", "game"])) == "E16"
    assert legal(acted(one, 3, "contra", claims=["owl", "owl"])) == "E16"
    one = acted(one, 2, "recontra", claims=["game"])
    assert legal(acted(one, 3, "recontra", claims=["game"])) in ("E16", "turn")


def test_e16_who_says_contra_is_known_to_be_a_defender():
    one = acted(announcing(), 3, "contra", claims=["game"])
    # It is seen at the first card, before the card called is played.
    game = tl.game("emperor")
    table, _, row = played(one)
    table = table.take(np.array([row]))
    table.state.played[:] = 0
    table.partner[:] = NO_SEAT
    table.trick = 0
    game.learn(table)
    # The declarer knows itself, seat 1 itself and seat 3, the partner both of its side.
    assert table.sides[0].tolist() == [0b0001, 0b1010, 0b0101, 0b1000]


# --------------------------------------------------------------------------------- E17-E19


def test_e17_the_declarer_leads():
    for declarer in (0, 1, 2):
        said = ["pass"] * declarer + ["three"] + ["pass"] * (3 - declarer)
        one = finished(after(HONOURS_EACH, *said))
        first = next(a for a in one["actions"] if a["do"] == "play")
        assert first["seat"] == declarer
        assert fault(one) is None


def position(*holdings, leader=0):
    return tl.Position(tl.game("emperor"), holdings, leader=leader)


def test_e17_follow_suit_else_trump_else_anything():
    table = position("KS 2B", "AS 5T", "2C 6T", "QD VD")
    assert set(table.legal()) == {"KS", "2B"}
    table.play("KS")
    assert set(table.legal()) == {"AS"}
    table.play("AS")
    assert set(table.legal()) == {"6T"}
    table.play("6T")
    assert set(table.legal()) == {"QD", "VD"}


def test_e17_no_duty_to_beat():
    table = position("20T 2B", "5T FT", "2C 6T", "QD VD")
    table.play("20T")
    assert set(table.legal()) == {"5T", "FT"}


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (("AS", "2S", "KD", "QD"), 1),
        (("2S", "KB", "KC", "KD"), 0),
        (("KS", "2T", "AS", "3T"), 3),
        (("KS", "1T", "AS", "2S"), 1),
        (("21T", "FT", "20T", "2T"), 1),
        # Two honours are not three.
        (("21T", "FT", "2T", "3T"), 1),
        (("1T", "21T", "2T", "3T"), 1),
        (("1T", "FT", "2T", "3T"), 1),
    ],
)
def test_e17_the_highest_trump_wins_else_the_highest_of_the_suit_led(cards, winner):
    assert position(*[[card] for card in cards]).play(*cards).winner == winner


def test_e17_the_winner_leads_next():
    table = position("AS 2B", "KS 5T", "2S 6T", "QS VD")
    assert table.play("AS", "KS", "2S", "QS").leader == 1


@pytest.mark.parametrize(
    "order", list(itertools.permutations(("1T", "21T", "FT", "20T"))), ids=" ".join
)
def test_e18_all_honours_in_one_trick_and_the_juggler_wins(order):
    assert position(*[[card] for card in order]).play(*order).winner == order.index("1T")


@pytest.mark.parametrize("led", ["KS", "2S"])
def test_e18_also_where_a_suit_was_led(led):
    cards = [led, "21T", "1T", "FT"]
    assert position(*[[card] for card in cards]).play(*cards).winner == 2


def juggler_played(trick, seat, only, announced):
    """A hand in which a seat plays the Juggler to a trick, freely or for want of other cards."""

    def fits(tricks, _):
        own = [each[seat] for each in tricks]
        order = list(tricks[trick - 1].items())
        place = [who for who, _ in order].index(seat)
        free = reference.legal_cards(own[trick - 1 :], order[:place])
        return tricks[trick - 1][seat] == "1T" and (len(free) == 1) == only

    tricks, stock = composed(played={"1T": ((seat,), (trick,))}, fits=fits, seed=trick)
    return history(tricks, stock, announced=announced)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("trick", [1, 4, 9])
def test_e19_who_announced_the_sparrow_keeps_the_juggler(seat, trick):
    """Unless no other card is left, and only who announced it."""
    free = juggler_played(trick, seat, False, {seat: ["sparrow"]})
    start = next(n for n, a in enumerate(free["actions"]) if a["do"] == "play")
    found = fault(free)
    assert found is not None
    assert found[0] == "E19"
    number = found[1]
    assert free["actions"][number]["card"] == "1T"
    assert start + 4 * (trick - 1) <= number < start + 4 * trick
    for other in SEATS:
        if other != seat:
            assert fault(juggler_played(trick, seat, False, {other: ["sparrow"]})) is None
    assert fault(juggler_played(trick, seat, False, {seat: ["owl"]})) is None


@pytest.mark.parametrize("trick", [4, 7, 9])
def test_e19_unless_no_other_card_may_be_played(trick):
    assert fault(juggler_played(trick, 1, True, {1: ["sparrow"]})) is None


def test_e19_in_the_last_trick_it_is_played():
    assert fault(juggler_played(10, 0, True, {0: ["sparrow"]})) is None


# ------------------------------------------------------------------- what policies may answer


class Scripted(tl.Random):
    """Answers one kind of decision as told, the rest at random."""

    name = ""

    def __init__(self, decision, answer):
        self.decision, self.answer = decision, answer

    def _say(self, view, decision, otherwise):
        return self.answer(view) if decision == self.decision else otherwise(view)

    def bid(self, view):
        return self._say(view, "bid", super().bid)

    def discard(self, view):
        return self._say(view, "discard", super().discard)

    def annul(self, view):
        return self._say(view, "annul", super().annul)

    def call(self, view):
        return self._say(view, "call", super().call)

    def announce(self, view):
        return self._say(view, "announce", super().announce)

    def contra(self, view):
        return self._say(view, "contra", super().contra)


def constant(value):
    return lambda view: np.full(len(view), value, np.int64)


@pytest.mark.parametrize(
    ("decision", "answer", "clause"),
    [
        ("bid", constant(6), "E4"),
        ("bid", constant(-1), "E4"),
        ("bid", constant(4), "E5"),
        ("bid", constant(5), "E6"),
        ("discard", lambda view: np.full((len(view), 3), -1), "E9"),
        ("discard", lambda view: np.tile([5, 5, 5], (len(view), 1)), "E10"),
        ("annul", constant(2), "E12"),
        ("call", constant(0), "E13"),
        ("call", constant(99), "E13"),
        ("announce", constant(0b1001), "E21"),
        ("announce", constant(1 << 60), "E22"),
        ("announce", constant(-1), "E22"),
        ("contra", constant(1 << 60), "E16"),
    ],
)
def test_illegal_answers_name_the_clause(decision, answer, clause):
    with pytest.raises(tl.IllegalAnswer, match=rf"\b{clause}\b"):
        run_block(
            tl.game("emperor"), seated(Scripted(decision, answer), 4), 1, 0, 2048, lambda t, _: t
        )


def test_us_and_them_are_all():
    assert sorted(US + THEM) == list(SEATS)
    assert len(TRICKS) == 10
