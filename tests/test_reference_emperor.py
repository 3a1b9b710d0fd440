"""Emperor against a slow implementation in plain Python that shares no code with the package."""

import json

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from conftest import GAMES
from reference import emperor as reference
from tricklab.bidding import NO_SEAT
from tricklab.games.emperor.bonuses import BONUSES, NAMES, NEVER_SILENT
from tricklab.games.emperor.facts import ROUNDS
from tricklab.games.emperor.pack import CARD_POINTS, DECK
from tricklab.policies import seated
from tricklab.simulation import run_block

VARIANTS = [game for game in GAMES if game.name == "emperor"]


class Moderate(tl.Random):
    """Plays at random, but announces little, so that bonuses do not drown the rest."""

    name = ""
    uniform = False

    def announce(self, view):
        bits = super().announce(view)
        for _ in range(3):
            bits &= super().announce(view)
        return bits


class Annuls(tl.Random):
    """Plays at random, but annuls whatever it may."""

    name = ""
    uniform = False

    def annul(self, view):
        return np.ones(len(view), np.int64)


def told(game, hands, policy, path, seed=2):
    run = tl.simulate(game, hands, policy, seed, histories=path, n_jobs=1, progress=False)
    return run, [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def game_id(game):
    return game.label.replace(" ", ",")


@pytest.mark.parametrize("policy", ["random", Moderate(), "simple", "careful"], ids=str)
@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_hands_are_scored_as_in_the_reference(game, policy, tmp_path):
    """Scores, bonuses, tricks, declarer, partner: driven by what was done (E4-E24)."""
    made = set()
    for one in told(game, 400, policy, tmp_path / "told.jsonl")[1]:
        expected = reference.replay(one).result()
        assert one["result"] == expected
        made.add(expected["made"])
    assert made >= {False, True}


def test_annulled_deals_are_told_and_doubled(tmp_path):
    """A line a deal, the same dealer and the double each time (E12)."""
    game = tl.game("emperor")
    run, lines = told(game, 3_000, Annuls(), tmp_path / "told.jsonl")
    annulments = run.hands["annulments"]
    assert len(lines) == 3_000 + annulments.sum()
    assert (run.hands["doubling"] == 2**annulments).all()
    by_hand = {}
    for one in lines:
        by_hand.setdefault(one["hand"], []).append(one)
    again = 0
    for number, deals in by_hand.items():
        assert len(deals) == 1 + annulments[number]
        for attempt, one in enumerate(deals):
            assert one.get("doubling", 1) == 2**attempt
            assert one["dealer"] == deals[0]["dealer"]
            hand = reference.replay(one)
            assert one["result"] == hand.result()
            assert (hand.ended == "annulled") == (one is not deals[-1])
        again += len(deals) > 1
        assert len({json.dumps(one["deal"]) for one in deals}) == len(deals)
    assert again >= 5


def test_a_hand_dealt_again_shifts_no_other_hand():
    """With annulment out of the way all else stays as it is (E12)."""

    class Never(tl.Random):
        name = ""

        def annul(self, view):
            return np.zeros(len(view), np.int64)

    game = tl.game("emperor")
    always, never = (
        tl.simulate(game, 4_000, policy, 3, record="plays") for policy in (Annuls(), Never())
    )
    same = always.hands["annulments"] == 0
    assert 5 <= (~same).sum() <= 100
    for name in ("hands", "seats", "tricks", "plays", "bonuses"):
        kept = [run.frames[name] for run in (always, never)]
        kept = [frame[frame["hand"].map(same)].reset_index(drop=True) for frame in kept]
        pd.testing.assert_frame_equal(*kept)


def test_bonuses_and_payments_add_up_to_the_score():
    """Nothing is scored that the frames do not tell (E20-E23)."""
    for game in VARIANTS:
        for run in (
            tl.simulate(game, 500, Moderate(), 4),
            tl.simulate_matches(game, 60, Moderate(), 4, n_jobs=1),
        ):
            hands, seats = run.hands.set_index("hand"), run.seats
            side = np.where(seats["role"] > 0, "declarer", "defenders")
            paid = seats["win"].to_numpy() * hands["payment"].loc[seats["hand"]].to_numpy()
            to = run.bonuses["side"].astype(str)
            other = np.where(to == "declarer", "defenders", "declarer")
            to = np.where(run.bonuses["made"] == 1, to, other)
            gained = run.bonuses["points"].groupby([run.bonuses["hand"], to]).sum()
            where = pd.MultiIndex.from_arrays([seats["hand"], side])
            expected = paid + gained.reindex(where, fill_value=0).to_numpy()
            assert (seats["score"].to_numpy() == expected).all()


def test_the_table_of_bonuses_is_that_of_the_reference():
    assert reference.BONUS_NAMES == NAMES
    for bonus in BONUSES:
        expected = reference.BONUS_OF[bonus.name]
        silent = None if bonus.silent == NEVER_SILENT else bonus.silent
        assert (bonus.announced, silent, bonus.multiplies) == (
            expected.announced,
            expected.silent,
            expected.multiplies,
        )


def test_the_pack_and_its_points_are_those_of_the_reference():
    assert sorted(DECK.cards) == sorted(reference.pack())
    points = [reference.card_points(card) for card in DECK.cards]
    assert points == CARD_POINTS.tolist()
    assert sum(points) == 94


@pytest.mark.parametrize("game", VARIANTS[:3], ids=game_id)
def test_choices_are_those_of_the_reference(game):
    """At every play: how much choice there is, with the ban of the Sparrow (E17, E19)."""
    table = run_block(game, seated("random", 4), 4, 0, 120, lambda t, _: t, choices=True)
    deck, banned = game.deck, 0
    sparrow = NAMES.index("sparrow")
    for h in np.flatnonzero(~table.over):
        holdings = [deck.cards_in(masks) for masks in table.start[h]]
        for t in range(table.tricks):
            leader, trick = int(table.leaders[t, h]), []
            for place in range(4):
                seat = (leader + place) % 4
                card = deck.cards[table.cards[t, h, seat]]
                legal = reference.legal_cards(holdings[seat], trick)
                if table.extra.announced[h, seat] >> sparrow & 1 and t < 9 and len(legal) > 1:
                    banned += "1T" in legal
                    legal -= {"1T"}
                assert card in legal
                assert table.choices[t, h, seat] == len(legal)
                holdings[seat].remove(card)
                trick.append((seat, card))
            assert table.winners[t, h] == reference.winning_play(trick)[0]
    assert banned


def test_every_branch_of_what_is_said_is_reached_at_random():
    """Every bid, invitation, hold, bonus, contra and call (E4-E16)."""
    game = tl.game("emperor")
    table = run_block(game, seated("random", 4), 5, 0, 4096, lambda t, _: t)
    said = np.concatenate([bids for _, bids in table.bids])
    assert set(said) == {-1, *range(6)}
    facts = table.extra
    assert {deck_name(card) for card in facts.invited} == {None, "18T", "19T"}
    assert facts.bound.any()
    everything = (1 << len(NAMES)) - 1
    assert np.bitwise_or.reduce(facts.announced, axis=None) == everything
    for r in range(len(ROUNDS)):
        assert np.bitwise_or.reduce(facts.said[:, r], axis=None) == everything << 1 | 1
    called = {deck_name(card) for card in table.called} - {None}
    assert called == {f"{number}T" for number in range(2, 21)}
    played = ~table.over
    assert ((facts.holder == NO_SEAT) & played).any()
    assert (facts.annulments > 0).any()


def deck_name(card):
    return None if card < 0 else DECK.cards[card]


def test_matches_have_four_hands_and_the_deal_moves_on(tmp_path):
    """Four hands; one that was passed out counts, one that was annulled does not (E3, E12)."""
    game = tl.game("emperor")
    path = tmp_path / "told.jsonl"
    run = tl.simulate_matches(
        game, 200, Annuls(), 3, first_dealer=1, histories=path, n_jobs=1, progress=False
    )
    assert (run.matches["hands"] == 4).all()
    assert run.matches["finished"].all()
    dealers = run.hands.groupby("match")["dealer"].apply(list)
    assert all(each == [1, 2, 3, 0] for each in dealers)
    assert (run.hands["declarer"] < 0).any()
    assert (run.hands["annulments"] > 0).any()
    totals = np.zeros((200, 4), np.int64)
    for line in path.read_text("utf-8").splitlines():
        one = json.loads(line)
        assert one["result"] == reference.replay(one).result()
        totals[one["match"]] += one["result"]["score"]
    assert (run.standings["score"].to_numpy().reshape(200, 4) == totals).all()


def test_random_play_comes_upon_every_bonus_and_every_level_of_contra():
    run = tl.simulate(tl.game("emperor"), 30_000, "random", 7, progress=False)
    told = run.frames["bonuses"]
    announced = told[told["announced"] == 1]
    assert set(announced["bonus"]) == set(tl.game("emperor").bonuses)
    assert set(announced["level"]) == set(run.hands["contra"]) == {0, 1, 2, 3}
    # Twice, with an even chance, one bonus: one a seat, less what is said twice.
    each = run.seats["claimed"][run.seats["hand"].isin(run.hands["hand"][run.hands["bid"] > 0])]
    assert set(each) == {0, 1, 2}
    assert 0.9 < each.mean() < 1


@pytest.mark.parametrize("decision", ["bid", "discard", "annul", "call", "announce", "contra"])
def test_a_subclass_of_random_is_asked_what_it_decides_itself(decision):
    """A kernel answers for `random`, but for nobody who overrides the decision."""
    asked = []

    def answer(self, view):
        asked.append(len(view))
        return getattr(tl.Random, decision)(self, view)

    own = type("Own", (tl.Random,), {decision: answer})()
    game = tl.game("emperor")
    told = tl.simulate(game, 300, own, 5, record="tricks", progress=False)
    assert sum(asked) > 0
    plain = tl.simulate(game, 300, "random", 5, record="tricks", progress=False)
    for name, frame in plain.frames.items():
        assert_frame_equal(told.frames[name], frame)
