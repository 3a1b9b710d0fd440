"""Revokes: who makes them, and how often they are caught (J16)."""

import numpy as np
import pytest

import tricklab as tl
from tricklab.policies.base import HONEST

TEMPTED = "brazen:temptation=100"


@pytest.mark.parametrize("policy", ["random", "simple", "careful"])
@pytest.mark.parametrize("switches", [{}, {"traitor": True}, {"arete_court": True, "dice": True}])
def test_honest_policies_never_revoke(policy, switches):
    game = tl.game("junni", brazen=True, audit=True, **switches)
    seats = tl.simulate(game, 5_000, policy, 4).seats
    assert (seats[["revokes", "revokes_risked", "revokes_caught", "forfeit"]] == 0).all(axis=None)


@pytest.mark.parametrize("detection", [0.1, 0.5, 0.9])
def test_revokes_are_caught_as_often_as_stated(detection):
    game = tl.game("junni", brazen=True, detection=detection)
    seats = tl.simulate(game, 8_000, TEMPTED, 4).seats
    risked, caught = seats["revokes_risked"].sum(), seats["revokes_caught"].sum()
    assert risked > 5_000
    found = tl.proportion(int(caught), int(risked), level=0.999)
    assert found.low <= detection <= found.high
    assert (seats["forfeit"] == seats["revokes_caught"]).all()
    assert (seats["revokes_caught"] <= 1).all()


def test_an_audit_catches_all():
    game = tl.game("junni", brazen=True, detection=0, audit=True)
    seats = tl.simulate(game, 3_000, TEMPTED, 4).seats
    assert seats["revokes"].sum() > 1_000
    assert (seats["revokes_caught"] == seats["revokes"]).all()
    assert (seats["forfeit"] == (seats["revokes"] > 0)).all()
    assert (seats.loc[seats["forfeit"] == 1, ["score", "win"]] == 0).all(axis=None)


def test_more_temptation_makes_more_revokes():
    game = tl.game("junni", brazen=True, detection=0.2)
    revokes = [
        tl.simulate(game, 1_500, f"brazen:temptation={t}", 4).seats["revokes"].sum()
        for t in (0, 2, 10)
    ]
    assert revokes[0] == 0
    assert 0 < revokes[1] < revokes[2]


def test_revoking_pays_where_nobody_calls_and_costs_where_everybody_does():
    for detection, better in ((0, True), (1, False)):
        game = tl.game("junni", brazen=True, detection=detection)
        policies = [TEMPTED, "careful", "careful", "careful"]
        wins = [
            tl.simulate(game, 3_000, who, 6).seats.query("seat == 0")["win"].to_numpy()
            for who in (policies, "careful")
        ]
        gain = tl.paired_difference(*wins, level=0.99)
        assert (gain.low > 0) if better else (gain.high < 0)


def test_brazen_plays_as_careful_where_play_is_checked():
    game = tl.game("junni", traitor=True, shriving=True)
    plays = [tl.simulate(game, 200, who, 6, record="plays").plays for who in ("brazen", "careful")]
    assert plays[0].equals(plays[1])


class Always(tl.Random):
    """Plays any card it holds, always as if it were a revoke."""

    uniform = False

    def revoke(self, view):
        order = view.words()[:, None] ^ np.arange(view.deck.n_cards, dtype=np.uint32) * 2654435761
        return np.where(view.holds, order.astype(np.int64), -1).argmax(axis=1)


def test_a_card_that_may_be_played_anyway_is_no_revoke():
    game = tl.game("junni", brazen=True, detection=0)
    run = tl.simulate(game, 500, Always(), 6, record="plays")
    assert run.seats["tricks"].sum() == 500 * game.n_tricks
    forced = run.seats["revokes"].sum()
    # The last card of each seat is never one; some of the others are.
    assert 0.2 < forced / len(run.plays) < 0.95
    honest = tl.simulate(game, 500, "random", 6).seats
    assert honest["revokes"].sum() == 0


def test_a_seat_that_plays_a_suit_after_all_is_no_longer_void_of_it():
    voids = []

    class Watches(Always):
        def play(self, view):
            return super().play(view)

        def revoke(self, view):
            out = super().revoke(view)
            rows = np.arange(len(view))
            suit = view.deck.suit_of[out]
            voids.append((view.voids[rows, view.seat] >> suit & 1).mean())
            return out

    tl.simulate(tl.game("junni", brazen=True), 200, Watches(), 6)
    # Now and then a card is played of a suit that had been taken to be held no more.
    assert max(voids) > 0
    game = tl.game("junni", brazen=True, detection=0)
    seen = []

    class Checks(Always):
        def revoke(self, view):
            if view.trick > 1:
                last, _ = view.past_cards[-1], None
                rows = np.arange(len(view))
                suit = view.deck.suit_of[last[rows, view.seat]]
                plain = suit != view.deck.excuse
                seen.append((view.voids[rows, view.seat] >> suit & 1)[plain].mean())
            return super().revoke(view)

    tl.simulate(game, 200, Checks(), 6)
    assert max(seen) == 0


def test_a_policy_that_says_honest_is_asked_to_play():
    class Honest(tl.Policy):
        def revoke(self, view):
            return np.full(len(view), HONEST)

    game = tl.game("junni", brazen=True)
    runs = [tl.simulate(game, 200, who, 6).seats for who in (Honest(), "simple")]
    assert runs[0].equals(runs[1])


@pytest.mark.parametrize("card", [99, -2])
def test_a_card_that_is_not_held_is_refused_even_where_nobody_checks(card):
    class Wrong(tl.Policy):
        def revoke(self, view):
            return np.full(len(view), card)

    with pytest.raises(tl.IllegalAnswer, match="decision revoke: answered card number"):
        tl.simulate(tl.game("junni", brazen=True), 5, Wrong())
