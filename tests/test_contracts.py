"""How policies choose contracts, exchange for them, and play them."""

import numpy as np
import pytest

import tricklab as tl
from tricklab.bidding import NOTHING
from tricklab.games.trjamann import KINDS
from tricklab.games.trjamann.fitting import Appointed, sample, settings, worth_later
from tricklab.games.trjamann.strength import FEATURES, MODES, contract_worth, shipped, strength
from tricklab.policies import seated
from tricklab.policies.declares import Declares
from tricklab.simulation import run_blocks

GAME = tl.game("trjamann")
HANDS = 4_000


def score_and_declarer(table, first):
    return table.game.score(table).score, table.declarer, table.contract


def play(policies, game=GAME, hands=HANDS, seed=8):
    """Scores (hands, 3), declarers and contracts."""
    run = list(run_blocks(game, hands, seated(policies, 3), seed, score_and_declarer, n_jobs=1))
    return tuple(np.concatenate(parts) for parts in zip(*run, strict=True))


def gain(strong, weak, role, game=GAME):
    """What a seat gains a hand by playing ``strong`` among ``weak`` on the same deals.

    ``role`` is whether it declares ("declarer") or not ("opponent").
    """
    base, declarer, _ = play(weak, game)
    own = np.empty_like(base)
    for seat in range(3):
        policies = [strong if s == seat else weak for s in range(3)]
        own[:, seat] = play(policies, game)[0][:, seat]
    mine = (np.arange(3) == declarer[:, None]) == (role == "declarer")
    count = mine.sum(axis=1)
    each = [(scores * mine).sum(axis=1) / count for scores in (own, base)]
    return tl.paired_difference(*each, level=0.99)


@pytest.mark.parametrize("role", ["declarer", "opponent"])
@pytest.mark.parametrize(
    "switches",
    [{}, {"deck": "no_twos"}, {"max_exchange": 0}, {"other_may_be_spades": False}],
    ids=str,
)
@pytest.mark.parametrize(("weak", "strong"), [("random", "simple"), ("simple", "careful")])
def test_the_better_policy_gains_as_declarer_and_as_opponent(weak, strong, switches, role):
    game = tl.game("trjamann", **switches)
    assert gain(strong, weak, role, game).low > 0
    assert gain(weak, strong, role, game).high < 0


@pytest.mark.parametrize("contract", KINDS)
@pytest.mark.parametrize("role", ["declarer", "opponent"])
def test_careful_plays_every_contract_better_than_simple(contract, role):
    careful, simple = (Declares(tl.policy(name), contract) for name in ("careful", "simple"))
    assert gain(careful, simple, role).low > 0


def declarers(policies, **more):
    """What each hand's declarer scored, and in which contract."""
    score, declarer, contract = play(policies, **more)
    return score[np.arange(len(score)), declarer], contract


@pytest.mark.parametrize("policy", ["careful", "simple"])
@pytest.mark.parametrize("contract", KINDS)
def test_choosing_a_contract_beats_always_declaring_the_same(policy, contract):
    chosen, fixed = declarers(policy), declarers(Declares(tl.policy(policy), contract))
    assert tl.paired_difference(chosen[0], fixed[0], level=0.99).low > 0


class Leaning(tl.Careful):
    """Thinks better of one contract than ``careful`` does."""

    kind, by = 0, 0.0

    def contract(self, view):
        worth = contract_worth(view)
        worth[:, [c.kind == self.kind for c in view.game.contracts]] += self.by
        return np.where(view.contracts, worth, -np.inf).argmax(axis=1)


def leaning(name, by):
    return type("Leaning", (Leaning,), {"kind": KINDS.index(name), "by": by})()


@pytest.mark.parametrize("by", [-1.0, 1.0])
@pytest.mark.parametrize("contract", ["nullo", "other"])
def test_careful_neither_over_nor_underrates_a_contract(contract, by):
    hands = 16_000
    chosen, other = (declarers(p, hands=hands)[0] for p in ("careful", leaning(contract, by)))
    assert tl.paired_difference(chosen, other, level=0.99).low > 0


def test_grand_is_rare_because_trumps_take_more_for_the_same_target():
    """T9 asks for 8 tricks with trumps and without, and a long suit takes more as trumps."""
    hands = 40_000
    chosen, contract = declarers("careful", hands=hands)
    share = np.bincount([GAME.contracts[k].kind for k in contract], minlength=4) / hands
    assert share[1] < 0.03
    assert (share[[0, 2, 3]] > 0.03).all()
    # Declaring it in the next best hands for it, up to one in thirty or so, loses points.
    more, leaned = declarers(leaning("grand", 0.6), hands=hands)
    differ = contract != leaned
    assert (leaned[differ] == 1).all()
    assert share[1] + differ.mean() > 0.03
    assert tl.paired_difference(chosen[differ], more[differ], level=0.99).low > 0


def test_careful_keeps_contracts_for_later_in_a_match():
    class Greedy(tl.Careful):
        def contract(self, view):
            worth = strength(view.game, view.holding)
            return np.where(view.contracts, worth, -np.inf).argmax(axis=1)

    game = tl.game("trjamann", end="twelve_hands")
    for seat in range(3):
        policies = [Greedy() if s == seat else "careful" for s in range(3)]
        runs = [tl.simulate_matches(game, 1_000, p, 5).standings for p in ("careful", policies)]
        mine = [run.query(f"seat == {seat}")["score"].to_numpy() for run in runs]
        assert tl.paired_difference(*mine, level=0.99).low > 0


def test_in_a_single_hand_nothing_is_kept_for_later():
    seen = []

    class Asks(tl.Careful):
        def contract(self, view):
            offered, estimate = view.contracts, strength(GAME, view.holding)
            worth = np.where(offered, contract_worth(view), estimate)
            seen.append((view.round.copy(), worth, estimate))
            return super().contract(view)

    play(Asks(), hands=100)
    (rounds, worth, estimate) = seen[0]
    assert not rounds.any()
    assert (worth == estimate).all()
    seen.clear()
    tl.simulate_matches(GAME, 20, Asks(), 1)
    for number, (rounds, worth, estimate) in enumerate(seen[:12]):
        assert (rounds == number + 1).all()
        assert (worth != estimate).any() == (number < 9)


# ------------------------------------------------------------------------------ the exchange


class Keeps(tl.Careful):
    """Exchanges nothing."""

    def discard(self, view):
        return np.full((len(view), view.game.discards), NOTHING)


@pytest.mark.parametrize("contract", KINDS)
def test_careful_exchanges_to_its_advantage(contract):
    with_and_without = [declarers(Declares(who, contract))[0] for who in (tl.Careful(), Keeps())]
    assert tl.paired_difference(*with_and_without, level=0.99).low > 0


def discards(policy, contract):
    """Declarers' discards and holdings before them, as flags."""
    seen = []

    class Watched(type(tl.policy(policy))):
        def discard(self, view):
            cards = super().discard(view)
            gone = np.zeros((len(view), view.deck.n_cards + 1), bool)
            gone[np.arange(len(view))[:, None], cards] = True
            seen.append((gone[:, :-1], view.holds, view.trump.copy()))
            return cards

    play(Declares(Watched(), contract), hands=500)
    return seen[0]


@pytest.mark.parametrize("policy", ["simple", "careful"])
def test_what_is_discarded_goes_by_the_contract(policy):
    rank = GAME.deck.rank_of
    gone, held, _ = discards(policy, "nullo")
    assert rank[np.nonzero(gone)[1]].mean() > rank[np.nonzero(held)[1]].mean() + 2
    for contract in ("grand", "spades"):
        gone, held, trumps = discards(policy, contract)
        assert rank[np.nonzero(gone)[1]].mean() < rank[np.nonzero(held)[1]].mean() - 2
        hands, cards = np.nonzero(gone)
        assert (GAME.deck.suit_of[cards] != trumps[hands]).all()


# ---------------------------------------------------------------------------- the estimates


def test_there_is_a_fit_for_every_setting():
    assert len(shipped()) == len(list(settings())) == tl.GAMES["trjamann"].fits()
    for switches in settings():
        worth = strength(tl.game("trjamann", **switches), np.zeros((1, 4), np.uint32))
        assert np.isfinite(worth).all()
    for fit in shipped().values():
        assert all(mode.weights.shape == (len(FEATURES),) for mode in fit.modes)
        assert len(fit.modes) == len(MODES)
        for later in fit.later.values():
            assert later[0] == 0
            # Another contract to choose from is worth having only if it need not be declared.
            assert later.shape == (16,)
        # A contract that may be named with more trumps is worth no less.
        assert (fit.later[True] >= fit.later[False]).all()


@pytest.mark.parametrize("switches", [{}, {"max_exchange": 0}, {"deck": "no_twos"}], ids=str)
@pytest.mark.parametrize("number", [0, 1, 4])
def test_estimates_are_calibrated(switches, number):
    game = tl.game("trjamann", **switches)
    holdings, score = sample(game, number, 77, 3)
    estimate = strength(game, holdings)[:, number]
    parts = np.digitize(estimate, np.quantile(estimate, [0.25, 0.5, 0.75]))
    for part in range(4):
        left = (score - estimate)[parts == part]
        # Three standard errors of chance, and a sixth of a trick for the fit itself.
        assert abs(left.mean()) < 3 * left.std() / len(left) ** 0.5 + 1 / 6
    # How the other cards lie decides most of the rest.
    assert np.corrcoef(score, estimate)[0, 1] > 0.5


def test_what_contracts_are_worth_later_by_hand():
    """Two deals, equally likely; contracts in the order nullo, grand, spades, other C D H S."""
    expected = np.array([[4.0, 0, 1, 1, 0, 0, 1], [0.0, 2, 3, 0, 5, 0, 3]])
    later = worth_later(GAME, expected)
    nullo, grand, spades, other = (1 << kind for kind in range(4))
    assert [later[k] for k in (nullo, grand, spades, other)] == [2, 1, 2, 3]
    # First deal: Nullo and then Grand, 4 + 1, or Grand and then Nullo, 0 + 2; second: 0 + 1 or 4.
    assert later[nullo | grand] == (5 + 4) / 2
    barred = worth_later(GAME.replace(other_may_be_spades=False), expected)
    assert barred[other] == 3


def test_the_fit_is_made_of_hands_in_which_the_contract_was_played():
    for number in (0, 3):
        _, contract = declarers(Appointed(number=number), hands=50)
        assert (contract == number).all()


def test_random_discards_every_set_of_cards_equally_often():
    """Of 16 cards, up to two: 1 + 16 + 120 sets."""
    game = tl.game("trjamann", max_exchange=2)
    counts = np.zeros((16, 16), np.int64)
    none = 0

    def seen(table, first):
        mine = (np.arange(table.hands), table.declarer)
        flags = game.deck.flags
        return flags(table.dealt[mine]), flags(table.discarded[mine])

    for held, gone in run_blocks(game, 137 * 200, seated("random", 3), 3, seen, n_jobs=1):
        places = np.cumsum(held, axis=1) - 1
        for place, out in zip(places, gone, strict=True):
            chosen = place[out]
            none += len(chosen) == 0
            if len(chosen):
                counts[chosen.min(), chosen.max()] += 1
    observed = np.array([none, *counts[np.triu_indices(16)]])
    assert observed.sum() == 137 * 200
    # Chi square with 136 degrees of freedom: beyond 187 once in 400 times.
    assert ((observed - 200) ** 2 / 200).sum() < 187
