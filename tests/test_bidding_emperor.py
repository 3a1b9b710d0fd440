"""How policies bid, discard, annul, call, announce, double and play at Emperor."""

from dataclasses import dataclass

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import NO_SEAT, PASS
from tricklab.games.emperor import fitting, judging, partner, plans, strength
from tricklab.games.emperor.bonuses import BONUSES, NAMES
from tricklab.games.emperor.features import role as role_of
from tricklab.games.emperor.pack import (
    CARD_POINTS,
    FIRST_TRUMP,
    HOLD,
    HONOURS,
    TRUMP,
    TRUMPS,
    WITHOUT,
)
from tricklab.policies import seated
from tricklab.policies.base import Policy
from tricklab.simulation import run_blocks

GAME = tl.game("emperor")

FRESH = 4_242
"""A seed that nothing was fitted or tuned on."""


def finished(table, first):
    return table


def tables(game, policies, hands=4_096, seed=FRESH):
    return list(run_blocks(game, hands, policies, seed, finished, n_jobs=1))


def match_scores(policies, matches):
    run = tl.simulate_matches(GAME, matches, policies, FRESH, progress=False)
    return run.frames["standings"]["score"].to_numpy(float).reshape(matches, 4)


def per_match(policy, among, matches=600):
    """What a policy alone among others scores above the mean of its match, less what they do."""
    own = []
    for seat in range(4):
        score = match_scores([policy if s == seat else among for s in range(4)], matches)
        own.append(score[:, seat] - score.mean(axis=1))
    # Among equals, each seat's share of that is nothing on average over the seats.
    return tl.mean(np.mean(own, axis=0), level=0.99)


@pytest.mark.parametrize(("weak", "strong"), [("random", "simple"), ("simple", "careful")])
def test_each_policy_wins_more_per_match_than_the_one_before_it(weak, strong):
    assert per_match(strong, weak).low > 0
    assert per_match(weak, strong).high < 0


@dataclass(frozen=True)
class Sides(tl.Policy):
    """Plays as one policy on the declarer's side, and as another against it."""

    declarer: Policy
    others: Policy
    name = ""

    def _either(self, view, decision):
        with_declarer = (view.seat == view.declarer) | (view.allies >> view.declarer & 1 > 0)
        answers = [getattr(each, decision)(view) for each in (self.declarer, self.others)]
        answers = [each[0] if isinstance(each, tuple) else each for each in answers]
        if answers[0].ndim > 1:
            with_declarer = with_declarer[:, None]
        return np.where(with_declarer, *answers)

    def discard(self, view):
        return self._either(view, "discard")

    def call(self, view):
        return self._either(view, "call")

    def announce(self, view):
        return self._either(view, "announce")

    def contra(self, view):
        return self._either(view, "contra") | view.offers["must_contra"]

    def play(self, view):
        return self._either(view, "play")


def declarers_gain(declarer, others):
    """What a member of the declarer's side scores above a defender, with the bid fixed."""
    game = fitting.Trial(trial=strength.shipped(), appoint=fitting.Appoint(1))
    policies = seated(Sides(tl.policy(declarer), tl.policy(others)), 4)
    out = []
    for table in tables(game, policies, 8_192):
        score = game.score(table).score.astype(float)
        ours = role_of(table) > 0
        means = [np.where(side, score, 0).sum(axis=1) / side.sum(axis=1) for side in (ours, ~ours)]
        out.append(means[0] - means[1])
    return np.concatenate(out)


@pytest.mark.parametrize(("weak", "strong"), [("random", "simple"), ("simple", "careful")])
def test_each_policy_is_better_on_either_side(weak, strong):
    best = declarers_gain(strong, strong)
    assert tl.paired_difference(declarers_gain(weak, strong), best, level=0.99).high < 0
    assert tl.paired_difference(declarers_gain(strong, weak), best, level=0.99).low > 0


@pytest.fixture(scope="module")
def played():
    return tl.simulate(GAME, 24_000, "careful", FRESH, progress=False)


def test_careful_plays_every_bid_and_makes_three_as_often_as_it_should(played):
    levels = played.hands.query("bid > 0").groupby("bid")["made"].agg(["size", "mean"])
    assert list(levels.index) == list(range(1, WITHOUT + 1))
    assert (levels["size"] > 0.01 * 24_000).all()
    assert 0.45 < levels["mean"][1] < 0.9
    assert (levels["mean"] > 0.5).all()


def test_what_careful_announces_is_made_more_often_than_not(played):
    said = played.frames["bonuses"].query("announced == 1")
    assert len(said) > 8_000
    assert tl.mean(said["made"], level=0.99).low > 0.5
    kinds = said.groupby("bonus", observed=True)["made"].agg(["size", "mean"])
    often = kinds[kinds["size"] >= 100]
    assert {"honours", "high_game", "sparrow", "last_owl"} <= set(often.index)
    assert (often["mean"] > 0.5).all(), kinds


def test_careful_invites_accepts_annuls_and_doubles(played):
    hands = played.hands
    assert set(hands["invited"]) == {0, 18, 19}
    assert 0.05 < hands["bound"].mean() < 0.5
    assert hands["annulments"].sum() > 50
    # What a hand won pays is so much more than what is lost with it that hardly any is doubled.
    assert (hands["contra"] > 0).mean() < 0.02
    doubled = played.frames["bonuses"].query("level > 0")
    assert len(doubled) > 50
    assert doubled["made"].mean() < 0.5


def test_card_points_expected_in_the_auction_are_those_taken_on_fresh_deals():
    fit = strength.shipped()
    for level, bent in enumerate(fit.levels, 1):
        game = fitting.Trial(trial=fit, appoint=fitting.Appoint(level))
        predicted, seen = [], []
        for table in tables(game, seated(fitting.Quiet(), 4), 12_288):
            hand = fitting.observe(table, 0)
            may_bid = hand.dealt[:, TRUMP] & np.uint32(HONOURS) > 0
            rows = np.flatnonzero((hand.role == strength.DECLARES) & may_bid)
            predicted.append(bent.estimate(strength.features(hand.dealt[rows])))
            seen.append(hand.points[rows])
        predicted, seen = np.concatenate(predicted), np.concatenate(seen)
        for cut in np.array_split(np.argsort(predicted), 6):
            off = tl.mean(seen[cut] - predicted[cut], level=0.99)
            assert off.low < 0.7
            assert off.high > -0.7


def test_the_chance_to_win_is_calibrated_on_fresh_deals():
    fit = strength.shipped()
    hands = fitting.joined(
        [fitting.observe(t, 0) for t in tables(GAME, seated("careful", 4), 16_384)]
    )
    for number in range(len(strength.ROLES)):
        rows = np.flatnonzero(hands.role == number)
        predicted = fit.wins[number].estimate(hands.features(rows)).clip(0, 1)
        for cut in np.array_split(np.argsort(predicted), 5):
            off = tl.mean(hands.made[rows[cut]] - predicted[cut], level=0.99)
            assert off.low < 0.03
            assert off.high > -0.03


def test_the_fit_that_ships_is_the_one_the_code_makes():
    assert fitting.fit().plain() == strength.shipped().plain()
    assert tl.GAMES["emperor"].fits() == 1


def test_what_is_guessed_of_the_partner_is_right_on_average():
    """For the declarer the chances of the others add up to one at most, and come true as stated."""
    guesses = []

    class Watched(tl.Careful):
        name = ""

        def play(self, view):
            weights = view.game.friendly(view)
            assert ((weights >= 0) & (weights <= 1)).all()
            assert (weights[np.arange(len(view)), view.seat] == 1).all()
            hidden = (view.partner == NO_SEAT) & (view.seat == view.declarer)
            rows = np.flatnonzero(hidden)
            guesses.append((view._origin[rows], view.seat[rows], weights[rows]))
            return super().play(view)

    chances, came = [], []
    (table,) = tables(GAME, seated(Watched(), 4))
    for hands, seats, weights in guesses:
        assert (weights.sum(axis=1) < 2 + 1e-9).all()
        others = np.arange(4) != seats[:, None]
        chances.append(weights[others])
        came.append((np.arange(4) == table.extra.holder[hands][:, None])[others])
    chances, came = np.concatenate(chances), np.concatenate(came)
    assert (came[chances == 1]).mean() > 0.99
    assert not came[chances == 0].any()
    for low, high in ((0, 0.25), (0.25, 0.4), (0.4, 0.6), (0.6, 1)):
        here = (chances > low) & (chances < high)
        assert here.sum() > 500
        assert chances[here].mean() == pytest.approx(came[here].mean(), abs=0.06)


@dataclass(frozen=True)
class Otherwise(tl.Careful):
    """Plays as ``careful`` does but decides one thing another way."""

    what: str = ""
    name = ""

    def bid(self, view):
        bids = super().bid(view)
        if self.what == "never bids":
            return np.full(len(view), PASS)
        if self.what == "never invites":
            return np.where((bids != HOLD) & (bids > view.high_bid + 1), PASS, bids)
        return bids

    def discard(self, view):
        return tl.Simple().discard(view) if self.what == "discards low" else super().discard(view)

    def annul(self, view):
        if self.what == "never annuls":
            return np.zeros(len(view), np.int64)
        return super().annul(view)

    def announce(self, view):
        if self.what == "announces nothing":
            return np.zeros(len(view), np.int64)
        return super().announce(view)


def seats_scores(policies, hands=8_192):
    out = []
    for table in tables(GAME, policies, hands):
        score = GAME.score(table).score
        out.append(score - score.mean(axis=1, keepdims=True))
    return np.concatenate(out)


def loss(policy, hands=8_192):
    """What ``careful`` scores more than another policy alone among ``careful`` ones."""
    careful = tl.policy("careful")
    base = seats_scores([careful] * 4, hands)
    own = [
        seats_scores([policy if s == seat else careful for s in range(4)], hands)[:, seat]
        for seat in range(4)
    ]
    return tl.paired_difference(base.mean(axis=1), np.mean(own, axis=0), level=0.99)


@pytest.mark.parametrize(
    "what",
    ["never bids", "never invites", "discards low", "announces nothing", "never annuls"],
)
def test_each_choice_of_careful_pays(what):
    hands = 32_768 if what == "never annuls" else 8_192
    assert loss(Otherwise(what=what), hands).low > 0


@pytest.mark.parametrize("what", ["friendly", "plans"])
def test_careful_plays_by_what_it_guesses_and_plans(what, monkeypatch):
    """Who takes every seat not known to be a friend for an enemy, or plans nothing, loses."""
    known, planned = partner.friendly, plans.plans

    def bits(view, evidence):
        return (view.allies[:, None] >> np.arange(4) & 1).astype(np.float64)

    def nothing(view, friendly):
        return np.zeros((2, 0, view.deck.n_cards))

    @dataclass(frozen=True)
    class Without(tl.Careful):
        name = ""

        def play(self, view):
            with monkeypatch.context() as patch:
                patch.setattr(
                    *(
                        (partner, "friendly", bits)
                        if what == "friendly"
                        else (plans, "plans", nothing)
                    )
                )
                return super().play(view)

    assert loss(Without()).low > 0
    assert (partner.friendly, plans.plans) == (known, planned)


@dataclass(frozen=True)
class Asked(tl.Careful):
    """Keeps what it was shown and what it answered."""

    decision: str = ""
    seen: list = None
    name = ""

    def __post_init__(self):
        def keep(view):
            answer = getattr(tl.Careful(), self.decision)(view)
            self.seen.append((view, answer))
            return answer

        object.__setattr__(self, self.decision, keep)

    __hash__ = object.__hash__


def asked(decision, hands=8_192):
    seen = []
    tables(GAME, seated(Asked(decision=decision, seen=seen), 4), hands)
    return seen


def test_careful_annuls_unless_it_declares_or_will_be_called():
    answers = set()
    for view, said in asked("annul", 16_384):
        called = view.holding[:, TRUMP] >> np.uint32(TRUMPS.index("20")) & 1 > 0
        called = np.where(view.of_game["bound"], view.of_game["inviter"] == view.seat, called)
        good = (view.seat == view.declarer) | called
        assert (said == ~good).all()
        answers |= set(said.tolist())
    assert answers == {0, 1}


def test_careful_calls_the_highest_trump_that_another_may_hold():
    choices = 0
    for view, said in asked("call"):
        shown = np.bitwise_or.reduce(view.of_game["shown"], axis=1)
        gone = shown | view.holding[:, TRUMP] | view.discards[:, TRUMP]
        for i in np.flatnonzero(view.may_call.sum(axis=1) > 1):
            rank = max(r for r in range(1, 20) if not gone[i] >> r & 1)
            assert said[i] == FIRST_TRUMP + rank
            choices += 1
    assert choices > 0


def test_careful_discards_points_and_makes_voids():
    points = voids = lost = 0
    simple = {"points": 0, "voids": 0}
    for view, said in asked("discard"):
        low = tl.Simple().discard(view)
        for cards, of in ((said, "mine"), (low, "simple")):
            left = view.holding & ~view.deck.masks_of_rows(cards)
            worth = np.where(cards >= 0, CARD_POINTS[cards], 0).sum()
            made = int(((left == 0) & (view.holding > 0))[:, :TRUMP].sum())
            if of == "mine":
                points, voids = points + worth, voids + made
                trumps = view.deck.suit_of[cards] == TRUMP
                lost += int((trumps & (cards >= 0)).sum())
            else:
                simple["points"] += worth
                simple["voids"] += made
    assert points > 1.5 * simple["points"]
    assert voids > 1.5 * simple["voids"]
    assert lost < 0.01 * points


def test_the_chance_asked_for_is_a_parameter():
    shares = []
    for assurance in (0.5, 0.6, 0.8):
        run = tl.simulate(GAME, 8_192, f"careful:assurance={assurance}", FRESH, progress=False)
        said = run.frames["bonuses"].query("announced == 1")
        shares.append((len(said), said["made"].mean()))
    sizes, made = zip(*shares, strict=True)
    assert sizes[0] > sizes[1] > sizes[2]
    assert made[0] < made[1] < made[2]


def test_bonuses_that_want_the_same_trick_or_card_are_not_announced_together():
    chances = np.ones((1, len(BONUSES)))
    everything = np.array([(1 << len(BONUSES)) - 1])
    nothing = np.zeros(1, np.int64)
    said = int(judging.choose(chances, everything, nothing, 0.6)[0])
    names = {NAMES[b] for b in range(len(BONUSES)) if said >> b & 1}
    assert len({"family:S", "family:B", "flock", "bethlehem", "sparrow", "last_owl"} & names) == 1
    assert not ("slam" in names and {"honours", "kings"} & names)
    assert not {"owl", "last_owl"} <= names
    # What the side has announced already keeps out what goes against it.
    owl = np.array([1 << NAMES.index("owl")])
    said = int(judging.choose(chances, everything & ~owl, owl, 0.6)[0])
    assert not said >> NAMES.index("last_owl") & 1


def test_a_seat_sees_which_bonuses_of_others_cannot_come():
    for view, said in asked("contra"):
        never = judging.impossible(view)
        juggler = (view.holding | view.discards)[:, TRUMP] & 1 > 0
        assert (never[juggler][:, NAMES.index("sparrow")]).all()
        assert not never[:, NAMES.index("slam")].any()
        assert (said & ~view.offers["may_contra"] == 0).all()


def test_the_juggler_is_kept_for_a_sparrow_and_the_fool_for_the_world():
    kept = {"sparrow": 0, "world": 0, "fool": 0}

    class Watched(tl.Careful):
        name = ""

        def play(self, view):
            win, keep = view.game.plans(view, view.game.friendly(view))
            assert win.shape == keep.shape == (len(view), view.deck.n_cards)
            assert (keep[~view.holds] == 0).all()
            mine = view.of_game["announced"][np.arange(len(view)), view.seat]
            sparrow = mine >> NAMES.index("sparrow") & 1 > 0
            if view.trick < 10:
                has = view.holds[:, FIRST_TRUMP] & sparrow
                assert (keep[has, FIRST_TRUMP] > 0.5).all()
                kept["sparrow"] += int(has.sum())
            world, fool = plans.WORLD, plans.FOOL
            out = (view.unseen[:, TRUMP] >> np.uint32(20) & 1) > 0
            hunts = view.holds[:, fool] & out
            assert (keep[hunts, fool] > 0).all()
            kept["fool"] += int(hunts.sum())
            on_table = (view.table_cards == world).any(axis=1)
            by_foe = on_table & (
                view.game.friendly(view)[np.arange(len(view)), view.best_seat] == 0
            )
            hit = by_foe & (view.best_strength == 2 * 20 + 1)
            assert (win[hit] > 0).all()
            kept["world"] += int(hit.sum())
            return super().play(view)

    tables(GAME, seated(Watched(), 4), 2_048)
    assert min(kept.values()) > 20, kept
