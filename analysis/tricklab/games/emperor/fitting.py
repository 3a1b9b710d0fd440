"""Fits the estimates of what holdings bring at Emperor by simulation; see :mod:`.strength`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.bits import scaled_words
from tricklab.desk import Desk
from tricklab.games.calibration import Bent, fit_file
from tricklab.games.emperor import Emperor
from tricklab.games.emperor.bonuses import BONUSES, RUNS, WINS
from tricklab.games.emperor.features import role as role_of
from tricklab.games.emperor.judging import thinkable
from tricklab.games.emperor.pack import (
    CARD_POINTS,
    DECK,
    FIRST_TRUMP,
    HONOURS,
    PLAYERS,
    TRUMP,
    TRUMPS,
    WITHOUT,
)
from tricklab.games.emperor.partner import SHAPE, tell
from tricklab.games.emperor.scoring import DECLARER, Settled
from tricklab.games.emperor.strength import (
    DEFENDS,
    FEATURES,
    KIND_OF,
    KINDS,
    OF_BONUS,
    ROLES,
    Fit,
    bonus_features,
    features,
)
from tricklab.play import Action, Phase
from tricklab.policies.careful import Careful
from tricklab.simulation import BLOCK, run_block
from tricklab.table import Table
from tricklab.tricks import kernel
from tricklab.view import View

BLOCKS = 4
"""Blocks of deals for each of the bids, and four times as many for the bonuses."""

FIT_SEED = 20_002
"""Seed of the deals fitted; studies of the fit use others."""

OFTEN = 2_000
"""Defenders' hands against an announced bonus from which its chance is fitted."""

FEWEST = 150
"""Hands of which a chance is the share."""

SMOOTH = 20.0
"""Plays of each kind that are thought to have been seen of partners and of others alike."""


PLANNED = sum(1 << b for b, bonus in enumerate(BONUSES) if bonus.condition.kind in (RUNS, WINS))
"""Bonuses that cards are kept for, as bits."""


@dataclass(frozen=True)
class Appoint:
    """In place of an auction: eldest declares at a bid fixed beforehand.

    Attributes
    ----------
    level : int
        The bid.
    bound : bool
        Whether another player who holds the 19 and an honour is taken to have invited.
    """

    level: int
    bound: bool = False

    def run(self, table: Table, desk: Desk) -> None:
        """Make eldest the declarer."""
        eldest = table.state.seat.copy()
        table.bidding.open[:] = False
        table.bidding.high[:] = self.level
        table.bidding.bidder[:] = eldest
        table.declarer[:] = eldest
        table.state.leader[:] = eldest
        if not self.bound:
            return
        rank = TRUMPS.index("19")
        trumps = table.state.hold[:, :, TRUMP]
        able = (trumps >> np.uint32(rank) & 1 > 0) & (trumps & np.uint32(HONOURS) > 0)
        able[np.arange(table.hands), eldest] = False
        facts = table.extra
        rows = np.flatnonzero(able.any(axis=1))
        facts.inviter[rows] = able[rows].argmax(axis=1)
        facts.invited[rows] = FIRST_TRUMP + rank
        facts.bound[rows] = True

    def actions(self, table: Table, row: int) -> list[Action]:
        """Nothing is said."""
        return []


@dataclass(frozen=True, eq=False)
class Trial(Emperor):
    """Emperor played by a fit that is still in the making, with an auction or without."""

    trial: Fit | None = None
    appoint: Appoint | None = None

    @property
    def fit_used(self) -> Fit:
        """The fit in the making."""
        assert self.trial is not None
        return self.trial

    @property
    def phases(self) -> tuple[Phase, ...]:  # type: ignore[override]
        """Those of the game, without annulment where declarers are appointed."""
        usual = Emperor().phases
        if self.appoint is None:
            return usual
        return (self.appoint, usual[1], *usual[3:])


@dataclass(frozen=True)
class Quiet(Careful):
    """Plays as ``careful`` does, but announces and doubles nothing."""

    name = ""

    def announce(self, view: View) -> NDArray[Any]:
        """Nothing."""
        return np.zeros(len(view), np.int64)

    def contra(self, view: View) -> NDArray[Any]:
        """What must be."""
        return view.offers["must_contra"]


@dataclass(frozen=True)
class Announcing(Careful):
    """Plays and announces as ``careful`` does, but doubles nothing."""

    name = ""

    def contra(self, view: View) -> NDArray[Any]:
        """What must be."""
        return view.offers["must_contra"]


@dataclass(frozen=True)
class Eager(Quiet):
    """Announces one of the bonuses that it can play for, each equally likely."""

    name = ""

    def announce(self, view: View) -> NDArray[Any]:
        """One of them."""
        open_to = view.offers["may_announce"] & PLANNED
        may = thinkable(view.holding) & (open_to[:, None] >> np.arange(len(BONUSES)) & 1 > 0)
        which = scaled_words(view.words(), 1 << 16) * may.sum(axis=1) >> 16
        ahead = np.cumsum(may, axis=1) - 1
        chosen = may & (ahead == which[:, None])
        return np.where(chosen, 1 << np.arange(len(BONUSES)), 0).sum(axis=1)


def settings() -> Iterator[int]:
    """One fit serves all settings of the switches."""
    yield 0


@dataclass(frozen=True)
class Sample:
    """Hands that were played to an end, a row a seat.

    Attributes
    ----------
    dealt, held, discarded : uint32 (n, n_suits)
        Cards as dealt, with which play began, and put away.
    role, bid : int64 (n,), bound : bool (n,)
        Number in ``ROLES``, the bid, whether the declarer was bound.
    points : float (n,), made : bool (n,)
        Card points of the declarer's side, and whether it won.
    announced, happened : int64 (n,)
        Bonuses that the seat announced, and that its side made, as bits.
    claimed, came : int64 (n,)
        Bonuses that the declarer's side announced and made.
    """

    dealt: NDArray[np.uint32]
    held: NDArray[np.uint32]
    discarded: NDArray[np.uint32]
    role: NDArray[np.int64]
    bid: NDArray[np.int64]
    bound: NDArray[np.bool_]
    points: NDArray[np.float64]
    made: NDArray[np.bool_]
    announced: NDArray[np.int64]
    happened: NDArray[np.int64]
    claimed: NDArray[np.int64]
    came: NDArray[np.int64]

    def features(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Features once the card is called."""
        return features(self.held[rows], self.discarded[rows], self.bid[rows], self.bound[rows])


def observe(table: Table, first: int) -> Sample:
    """What a finished table tells."""
    scored = table.game.score(table)
    assert isinstance(scored, Settled)
    played = np.flatnonzero(table.declarer != NO_SEAT)
    role = 2 - role_of(table)[played].astype(np.int64)

    def each(values: NDArray[Any]) -> NDArray[Any]:
        return np.repeat(values[played], PLAYERS)

    side = np.where(role.ravel() == len(ROLES) - 1, 1 - DECLARER, DECLARER)
    happened = scored.happened[np.repeat(played, PLAYERS), side]
    suits = DECK.n_suits
    return Sample(
        table.dealt[played].reshape(-1, suits),
        table.start[played].reshape(-1, suits),
        table.discarded[played].reshape(-1, suits),
        role.ravel(),
        each(table.bidding.high.astype(np.int64)),
        each(table.extra.bound),
        each(scored.card_points[:, DECLARER].astype(np.float64)),
        each(scored.made == 1),
        table.extra.announced[played].ravel(),
        happened,
        each(scored.announced[:, DECLARER]),
        each(scored.happened[:, DECLARER]),
    )


def joined(parts: list[Sample]) -> Sample:
    """Several samples as one."""
    return Sample(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in Sample.__annotations__
        )
    )


def sample(game: Emperor, policy: Careful, blocks: range) -> Sample:
    """Hands of some blocks."""
    at = (policy,) * PLAYERS
    return joined([run_block(game, at, FIT_SEED, block, BLOCK, observe) for block in blocks])


def count_plays(table: Table, first: int) -> NDArray[np.float64]:
    """How often partners (0) and others (1) have played in each way, (2, *SHAPE).

    Until the card called has been played.
    """
    out = np.zeros((2, *SHAPE))
    count(
        table.cards,
        table.leaders,
        table.declarer,
        table.called,
        table.extra.holder,
        DECK.suit_of,
        CARD_POINTS,
        np.empty((PLAYERS, 3), np.int64),
        out,
    )
    return out


@kernel
def count(
    cards: NDArray[np.uint8],
    leaders: NDArray[np.int8],
    declarer: NDArray[np.int8],
    called: NDArray[np.int16],
    holder: NDArray[np.int8],
    suit_of: NDArray[np.int8],
    points: NDArray[np.int16],
    seen: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add what each seat has played to ``out``; see :func:`count_plays`."""
    for h in range(declarer.size):
        if declarer[h] < 0 or holder[h] < 0:
            continue
        for t in range(cards.shape[0]):
            tell(cards[t, h], suit_of, points, leaders[t, h], declarer[h], seen)
            shows = False
            for s in range(cards.shape[2]):
                shows |= cards[t, h, s] == called[h]
            if shows:
                break
            for s in range(cards.shape[2]):
                if seen[s, 0] >= 0:
                    out[0 if s == holder[h] else 1, seen[s, 0], seen[s, 1], seen[s, 2]] += 1.0


def weigh(game: Emperor, policy: Careful, blocks: range) -> NDArray[np.float64]:
    """Log odds that each kind of play brings."""
    at = (policy,) * PLAYERS
    counts = [run_block(game, at, FIT_SEED, block, BLOCK, count_plays) for block in blocks]
    seen = np.sum(counts, axis=0)
    share = (seen + SMOOTH * (seen.sum(axis=0) / seen.sum())) / (
        seen.sum(axis=(1, 2, 3), keepdims=True) + SMOOTH
    )
    some = share > 0
    ratio = np.where(some[0], share[0], 1.0) / np.where(some[1], share[1], 1.0)
    out: NDArray[np.float64] = np.log(ratio)
    return out


def nothing_yet() -> Fit:
    """A fit by which nothing is bid or announced and no play tells anything."""
    none = Bent(np.zeros(len(FEATURES)), np.array([[0.0, 1.0], [0.0, 1.0]]))
    never = Bent(np.zeros(len(FEATURES) + len(OF_BONUS)), none.knots)
    bonuses = ((never,) * len(KINDS),) * len(ROLES)
    return Fit((none,) * WITHOUT, 0.0, (none,) * len(ROLES), bonuses, {}, np.zeros(SHAPE))


def fit(setting: int = 0) -> Fit:
    """Fit the estimates.

    What plays tell of the partner from hands in which all declare who sit at the dealer's left,
    twice over, as who reads it plays by it; card points at each bid from such hands, of those with
    an honour; then, from hands with auctions by these, in which all announce bonuses at random,
    the chances to win and of the bonuses; and, from hands in which they are announced by these,
    what a defender's holding tells of them.
    """
    now = nothing_yet()
    for _ in range(2):
        trial = Trial(trial=now, appoint=Appoint(1))
        evidence = weigh(trial, Quiet(), range(BLOCKS))
        now = Fit(now.levels, now.bound, now.wins, now.bonuses, {}, evidence)
    levels, gains = [], []
    for level in range(1, WITHOUT + 1):
        at = {bound: Trial(trial=now, appoint=Appoint(level, bound)) for bound in (False, True)}
        apart = {bound: sample(game, Quiet(), range(BLOCKS)) for bound, game in at.items()}
        mine = {b: (s.role == 0) & (s.dealt[:, TRUMP] & HONOURS > 0) for b, s in apart.items()}
        plain, invited = apart[False], apart[True]
        rows = np.flatnonzero(mine[False])
        bent = Bent.fit(features(plain.dealt[rows]), plain.points[rows])
        levels.append(bent)
        rows = np.flatnonzero(mine[True] & invited.bound)
        gains.append((invited.points[rows] - bent.estimate(features(invited.dealt[rows]))).mean())
    now = Fit(tuple(levels), float(np.mean(gains)), now.wins, now.bonuses, {}, evidence)
    hands = sample(Trial(trial=now), Eager(), range(BLOCKS, 9 * BLOCKS))
    wins, bonuses = [], []
    for number in range(len(ROLES)):
        rows = np.flatnonzero(hands.role == number)
        wins.append(Bent.fit(hands.features(rows), hands.made[rows].astype(np.float64)))
        bonuses.append(tuple(bonus_chance(hands, number, kind) for kind in range(len(KINDS))))
    now = Fit(now.levels, now.bound, tuple(wins), tuple(bonuses), {}, evidence)
    hands = sample(Trial(trial=now), Announcing(), range(9 * BLOCKS, 13 * BLOCKS))
    return Fit(now.levels, now.bound, now.wins, now.bonuses, opposed(hands), evidence)


def opposed(hands: Sample) -> dict[str, Bent]:
    """The chances of bonuses that the declarer's side announced, by a defender's holding."""
    out = {}
    for b in range(len(BONUSES)):
        rows = np.flatnonzero((hands.role == DEFENDS) & (hands.claimed >> b & 1 > 0))
        if len(rows) >= OFTEN:
            values = bonus_features(hands.features(rows), hands.held[rows], b)
            came = (hands.came[rows] >> b & 1).astype(np.float64)
            out[KINDS[KIND_OF[b]]] = Bent.fit(values, came)
    return out


def bonus_chance(hands: Sample, role: int, kind: int) -> Bent:
    """The chance of a kind of bonus for a role, from hands in which it was announced."""
    values, happened = [], []
    for b in np.flatnonzero(np.array(KIND_OF) == kind):
        # To announce a bonus for which nothing is kept changes nothing: every hand tells of it.
        said = (hands.announced >> b & 1 > 0) | (PLANNED >> b & 1 == 0)
        rows = np.flatnonzero((hands.role == role) & said)
        values.append(bonus_features(hands.features(rows), hands.held[rows], int(b)))
        happened.append((hands.happened[rows] >> b & 1).astype(np.float64))
    seen, made = np.concatenate(values), np.concatenate(happened)
    return calibrated(seen, made)


def calibrated(values: NDArray[np.float64], made: NDArray[np.float64]) -> Bent:
    """A linear predictor of chances, and what was seen from the middle of its range to its top.

    Most bonuses are hopeless with most holdings: each part has half the hands of the one before,
    and the last at least :data:`FEWEST`.
    """
    weights = np.linalg.lstsq(values, made, rcond=None)[0].astype(np.float64)
    raw = values @ weights
    order = np.argsort(raw, kind="stable")
    knots: list[tuple[float, float]] = []
    while len(order):
        size = len(order) - len(order) // 2 if len(order) >= 2 * FEWEST else len(order)
        part, order = order[:size], order[size:]
        x, y = float(raw[part].mean()), float(made[part].mean())
        if not knots or (x > knots[-1][0] and y > knots[-1][1]):
            knots.append((x, y))
    if len(knots) < 2:
        mean = float(made.mean())
        return Bent(np.zeros(values.shape[1]), np.array([[0.0, 1.0], [mean, mean]]))
    return Bent(weights, np.array(knots).T)


def fit_all(n_jobs: int | None = None, done: Callable[[int], object] = lambda count: None) -> str:
    """Fit every setting; see :func:`~tricklab.games.calibration.fit_file`."""
    names = (*FEATURES, *OF_BONUS)
    return fit_file(fit, settings(), names, FIT_SEED, BLOCKS * BLOCK, n_jobs, done)
