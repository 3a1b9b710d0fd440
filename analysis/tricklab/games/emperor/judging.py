"""What careful players of Emperor decide before play, by the estimates of :mod:`.strength`."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT, PASS
from tricklab.games.emperor.bonuses import (
    BONUSES,
    GAME,
    NOT_WITH_SLAM,
    RUNS,
    SLAM,
    WINS,
)
from tricklab.games.emperor.pack import (
    FIRST_TRUMP,
    HIGHEST_CALLED,
    HOLD,
    STEPS_WITH_18,
    STEPS_WITH_19,
    TRUMP,
    TRUMPS,
    WITHOUT,
)
from tricklab.games.emperor.strength import (
    BONUS_CARDS,
    DECLARES,
    DEFENDS,
    HELPS,
    KIND_OF,
    KINDS,
    ROLES,
    Fit,
    bonus_features,
    chance,
    features,
)
from tricklab.view import View

POINTS_A_TRICK = 9.4
"""Card points in an average trick (E2)."""

ENOUGH = (0.0, 40.0, 64.0, 48.0, 46.0)
"""Card points expected from which each bid is worth its risk.

To lose costs but the bid's own points and to win pays more than ten times as much (E20), so that
nearly anything is good for Three.  The step from there costs a card of the three that make most
Threes (E9), and is worth it to the strong only; who has gone so far goes on with less.
"""

PAID = 55
"""What a hand that was won pays, about (E20)."""


def named_bid(view: View, fit: Fit, margin: float) -> NDArray[np.int64]:
    """The next bid, an invitation that is good for its level, to hold, or to pass (E4-E7)."""
    may = view.offers["may_bid"]
    rows = np.arange(len(view))
    high = view.high_bid.astype(np.int64)
    inviter = view.of_game["inviter"]
    bound = (inviter != NO_SEAT) & (inviter != view.seat)
    seen = features(view.holding)
    expected = np.stack(
        [np.full(len(view), -np.inf), *(bent.estimate(seen) for bent in fit.levels)]
    )
    expected += np.where(bound, fit.bound, 0.0) + margin * POINTS_A_TRICK
    worth = (expected >= np.array(ENOUGH)[:, None]).T
    out = np.full(len(view), PASS, np.int64)
    step = np.minimum(high + 1, WITHOUT)
    raises = may[rows, step] & worth[rows, step] & (high < WITHOUT)
    out[raises] = step[raises]
    # Over another's bid, who is not to be called anyway makes sure to be on the declarer's side,
    # whoever that will be.  Where nobody has bid, Three for oneself is worth more.
    holds_20 = view.holding[:, TRUMP] >> np.uint32(TRUMPS.index(HIGHEST_CALLED)) & 1 > 0
    for steps in (STEPS_WITH_18, STEPS_WITH_19):
        jump = np.minimum(high + steps, WITHOUT)
        good = (high > 0) & (high + steps <= WITHOUT) & may[rows, jump] & worth[rows, jump]
        good &= ~holds_20
        out[good] = jump[good]
    # To hold takes the bid over and leaves it as low as it is.
    holds = may[:, HOLD] & worth[rows, high]
    out[holds] = HOLD
    return out


def call_worth(view: View, n_cards: int) -> NDArray[np.float64]:
    """What calling each card is worth: the highest that another may hold; never oneself."""
    gone = view.holding[:, TRUMP] | view.discards[:, TRUMP]
    gone = gone | np.bitwise_or.reduce(view.of_game["shown"], axis=1)
    ranks = np.arange(len(TRUMPS), dtype=np.uint32)
    away = (gone[:, None] >> ranks & 1) > 0
    out = np.full((len(view), n_cards + 1), -np.inf)
    out[:, FIRST_TRUMP:n_cards] = ranks - np.where(away, len(TRUMPS), 0)
    return out


def roles(view: View) -> NDArray[np.int64]:
    """The number in ``ROLES`` of each seat once the card is called."""
    declares = view.seat == view.declarer
    helps = ~declares & (view.allies >> view.declarer & 1 > 0)
    return np.where(declares, DECLARES, np.where(helps, HELPS, DEFENDS))


def at_call(view: View) -> NDArray[np.float64]:
    """Features of what seats hold once the stock has been drawn."""
    return features(view.holding, view.discards, view.high_bid, view.of_game["bound"])


def win_chance(fit: Fit, seen: NDArray[np.float64], role: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance that the declarer's side wins, (n,)."""
    out = np.zeros(len(seen))
    for number in range(len(ROLES)):
        of = role == number
        if of.any():
            out[of] = fit.wins[number].estimate(seen[of])
    return out.clip(0.0, 1.0)


def bonus_chances(
    fit: Fit, holding: NDArray[np.uint32], seen: NDArray[np.float64], role: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The chance that each seat's side makes each bonus if it announces it, (n, bonuses)."""
    out = np.zeros((len(seen), len(BONUSES)))
    for b in range(len(BONUSES)):
        values = bonus_features(seen, holding, b)
        for number in range(len(ROLES)):
            of = role == number
            if of.any():
                out[of, b] = chance(fit.bonuses[number][KIND_OF[b]], values[of])
    out[~thinkable(holding)] = 0.0
    return out.clip(0.0, 1.0)


def thinkable(holding: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which bonuses a seat would think of: it holds a card for it, or most of several, (n, b)."""
    out = np.ones((len(holding), len(BONUSES)), np.bool_)
    for b, bonus in enumerate(BONUSES):
        rule = bonus.condition
        held = np.bitwise_count(holding & BONUS_CARDS[b]).sum(axis=1)
        if rule.kind == RUNS and b != SLAM:
            out[:, b] = held >= rule.last - rule.winning + 1
        elif rule.kind == WINS:
            out[:, b] = held > 0
    return out


def impossible(view: View) -> NDArray[np.bool_]:
    """Which bonuses the others cannot make, by the cards that the seat knows of, (n, bonuses)."""
    known = view.holding | view.discards
    shown = np.bitwise_or.reduce(view.of_game["shown"], axis=1)
    known[:, TRUMP] |= shown
    out = np.zeros((len(view), len(BONUSES)), np.bool_)
    for b, bonus in enumerate(BONUSES):
        rule = bonus.condition
        cards = BONUS_CARDS[b]
        left = np.bitwise_count(cards & ~known).sum(axis=1)
        if rule.kind == RUNS and b != SLAM:
            out[:, b] = left < rule.last - rule.winning + 1
        elif rule.kind == WINS:
            out[:, b] = left == 0
    return out


def announcements(view: View, fit: Fit, assurance: float) -> NDArray[np.int64]:
    """Bonuses that come with at least such a chance and do not get in each other's way (E15)."""
    seen, role = at_call(view), roles(view)
    chances = bonus_chances(fit, view.holding, seen, role)
    may = view.offers["may_announce"]
    friendly = view.game.friendly(view)
    said = view.of_game["announced"]
    ours = np.bitwise_or.reduce(np.where(friendly > 0.5, said, 0), axis=1)
    return choose(chances, may & ~ours, ours, assurance)


def choose(
    chances: NDArray[np.float64],
    may: NDArray[np.int64],
    ours: NDArray[np.int64],
    assurance: float,
) -> NDArray[np.int64]:
    """Of what may be announced and is likely enough, what does not exclude the rest.

    Those that pay most come first; ``ours`` are bonuses that the side has announced already.
    """
    out = np.zeros(len(chances), np.int64)
    order = sorted(range(len(BONUSES)), key=lambda b: -BONUSES[b].announced)
    for b in order:
        bar = _excluding(b)
        good = (chances[:, b] >= assurance) & (may >> b & 1 > 0) & ((out | ours) & bar == 0)
        out[good] |= 1 << b
    return out


@cache
def _excluding(b: int) -> int:
    """Bonuses beside which one is not announced: those that want the same tricks or card (E21)."""

    def wants(number: int) -> tuple[set[int], set[str]]:
        rule = BONUSES[number].condition
        if rule.kind != RUNS or number == SLAM:
            return set(), set()
        cards = rule.cards.split()
        return set(range(rule.winning, rule.last + 1)), set(cards if len(cards) == 1 else ())

    out = 1 << SLAM if NOT_WITH_SLAM >> b & 1 else NOT_WITH_SLAM if b == SLAM else 0
    for other in range(len(BONUSES)):
        (tricks, cards), (taken, used) = wants(b), wants(other)
        if other != b and (tricks & taken or cards & used):
            out |= 1 << other
    return out


def annul_worth(view: View, fit: Fit) -> NDArray[np.float64]:
    """What another deal, in which all are alike, is worth above this one (E12).

    What a side wins it wins of the other: of the four seats' scores only the differences count.
    """
    facts = view.of_game
    own = view.holding[:, TRUMP]
    to_call = np.uint32(1) << np.uint32(TRUMPS.index(HIGHEST_CALLED))
    called = np.where(facts["bound"], facts["inviter"] == view.seat, own & to_call > 0)
    declares = view.seat == view.declarer
    role = np.where(declares, DECLARES, np.where(called, HELPS, DEFENDS))
    seen = at_call(view)
    gain = _gain(view, win_chance(fit, seen, role))
    return np.where(role == DEFENDS, gain, -gain)


def doublings(view: View, fit: Fit, assurance: float) -> NDArray[np.int64]:
    """Claims that it pays to double (E16).

    The hand, and what multiplies its payment, by what is at stake: the bid's points against what a
    hand won pays.  Other bonuses of the others where they are more likely to fail than not, or
    cannot come at all; one's own, once they are doubled, where they are surer than was asked for.
    """
    may = view.offers["may_contra"]
    seen, role = at_call(view), roles(view)
    gain = _gain(view, win_chance(fit, seen, role))
    out = np.where(np.where(role == DEFENDS, -gain, gain) > 0, 1 << GAME, 0)
    announced = view.of_game["announced"]
    friendly = view.game.friendly(view)
    sure = friendly[:, :, None] > 0.5
    bits = np.asarray(announced[:, :, None] >> np.arange(len(BONUSES)) & 1, np.bool_)
    ours = np.asarray((bits & sure).any(axis=1))
    theirs = np.asarray((bits & ~sure).any(axis=1)) & ~ours
    wanted = theirs & impossible(view)
    first = view.offers["contra_round"] == 0
    for b, bonus in enumerate(BONUSES):
        bent = fit.against.get(KINDS[KIND_OF[b]])
        rows = np.flatnonzero(theirs[:, b] & (role == DEFENDS) & first)
        if bent is None or not len(rows):
            continue
        comes = chance(bent, bonus_features(seen[rows], view.holding[rows], b))
        fails = comes < 0.5
        if bonus.multiplies:
            fails = comes * PAID < (1.0 - comes) * view.high_bid[rows]
        wanted[rows, b] |= fails
    mine = np.flatnonzero(ours.any(axis=1) & ~first)
    if len(mine):
        # Who doubled it holds something against it: the more so, the surer this must be.
        doubt = (1.0 - assurance) / 2.0 ** view.offers["contra_round"][mine]
        chances = bonus_chances(fit, view.holding[mine], seen[mine], role[mine])
        wanted[mine] |= ours[mine] & (chances >= 1.0 - doubt[:, None])
    out |= (wanted.astype(np.int64) << (1 + np.arange(len(BONUSES)))).sum(axis=1)
    return out & may


def _gain(view: View, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the declarer's side may expect of the hand, less what the defenders may (E20)."""
    return chance * PAID - (1.0 - chance) * view.high_bid
