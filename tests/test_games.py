"""What every game must be."""

import itertools
import json
import pickle
import re

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab import options
from tricklab.policies import seated
from tricklab.simulation import run_block

GAMES = list(tl.GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_switches_state_meaning_and_clause_of_the_sheet(name):
    cls = tl.GAMES[name]
    clauses = set(re.findall(r"\*\*([A-Z]\d+)", cls.sheet()))
    for spec in options.specs(cls).values():
        assert spec.meaning
        assert spec.clause in clauses


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_frozen_and_known_by_its_switches(name):
    game = tl.game(name)
    assert game == tl.game(name, **game.switches)
    assert hash(game) == hash(tl.game(name))
    with pytest.raises(AttributeError):
        game.players = 3
    for switch, spec in options.specs(game).items():
        for choice in spec.choices:
            changed = game.replace(**{switch: choice})
            assert changed.plain_switch(switch) == choice
            assert (changed == game) == (choice == game.plain_switch(switch))


def test_switches_read_from_text():
    game = tl.game("junni", players="5", shriving="yes", shriving_cards="3", dice="off")
    assert (game.players, game.shriving, game.shriving_cards, game.dice) == (5, True, 3, False)
    assert game.switches == {"players": 5, "shriving": True, "shriving_cards": 3}


def test_a_variant_is_known_by_its_switches(variant):
    assert variant == tl.game(variant.name, **variant.switches)
    assert pickle.loads(pickle.dumps(variant)) == variant
    through_json = json.loads(json.dumps(variant.switches))
    assert tl.game(variant.name, **through_json) == variant
    words = dict(part.split("=") for part in variant.label.split()[1:])
    assert tl.game(variant.label.split()[0], **words) == variant


def test_variants_are_all_different(every_variant):
    assert len(set(every_variant)) == len(every_variant)
    assert len({game.label for game in every_variant}) == len(every_variant)


def test_every_two_switches_are_tried_together(every_variant):
    """What the other suites rest on: the variants they play hold every pair that is allowed."""
    for name, cls in tl.GAMES.items():
        known = options.specs(cls)
        seen = {
            frozenset({(a, game.plain_switch(a)), (b, game.plain_switch(b))})
            for game in every_variant
            if game.name == name
            for a, b in itertools.combinations(known, 2)
        }
        flags = [switch for switch, spec in known.items() if isinstance(spec.default, bool)]
        for a, b in itertools.combinations(flags, 2):
            for x, y in itertools.product([False, True], repeat=2):
                assert frozenset({(a, x), (b, y)}) in seen


def test_cards_add_up(variant):
    game = variant
    assert game.cards_each * game.players + game.set_aside == game.deck.n_cards
    assert 0 <= game.set_aside < game.deck.n_cards
    assert 1 <= game.n_tricks <= game.cards_each
    assert 0 <= game.gives <= game.cards_each


def test_sides_part_the_table(variant):
    members = variant.sides[:, None] >> np.arange(variant.players) & 1
    assert (np.diag(members) == 1).all()
    assert (members == members.T).all()
    assert len({tuple(row) for row in members}) == variant.players / members[0].sum()


def test_the_first_leader_is_a_seat_and_the_array_is_new(variant):
    dealer = np.arange(variant.players, dtype=np.int8)
    first = variant.first_seat(dealer)
    assert sorted(first) == sorted(dealer)
    assert first.dtype == np.int8
    first[:] = 0
    assert dealer.tolist() == list(range(variant.players))


def finished(table, first):
    return table


def test_every_hand_is_played_to_its_last_card(variant, named):
    table = run_block(variant, seated(named, variant.players), 2, 0, 40, finished, choices=True)
    deck = variant.deck
    assert (table.trick, table.position) == (variant.n_tricks, 0)
    assert not table.state.hold[~table.over].any()
    received = np.roll(table.given, 1, axis=1)
    if not variant.discards:
        assert (table.start == table.dealt & ~table.given | received).all()
    discarded = np.bitwise_count(table.discarded).sum(axis=2)[~table.over].max(axis=1)
    assert (discarded <= variant.discards).all()
    assert (discarded >= variant.fewest_discards).all()
    for h in np.flatnonzero(~table.over):
        for seat in range(variant.players):
            played = deck.masks(table.cards[:, h, seat])
            assert (played == table.start[h, seat]).all()
    assert (np.bitwise_count(table.given).sum(axis=2) == variant.gives).all()
    # Leaders and winners are seats, and the first leader is the game's.
    leader = variant.opening_leader(table)
    assert (table.leaders[0] == leader)[~table.over].all()
    assert (variant.first_seat(table.dealer) == leader)[table.over].all()
    for seats in (table.leaders, table.winners):
        assert 0 <= seats.min() <= seats.max() < variant.players


def test_scores_are_sums_over_what_is_recorded(variant):
    table = run_block(variant, seated("random", variant.players), 2, 0, 40, finished)
    scored = variant.score(table)
    for values in (scored.points, scored.score, scored.win):
        assert values.shape == (40, variant.players)
    assert scored.points.sum() >= variant.trick_points(table).sum() >= 0
    assert (scored.win >= 0).all()
    # One win a hand that was played, which every seat of the winning side is credited with.
    one = (scored.win / np.bitwise_count(table.sides)).sum(axis=1)
    assert np.allclose(one, ~table.over)
    if variant.bonuses:
        # They score whoever wins: a side wins that makes or breaks the contract (E20).
        made = scored.made[:, None] == 1
        declares = (table.sides >> table.declarer.clip(0)[:, None] & 1) > 0
        assert ((scored.win > 0) == (declares == made) & ~table.over[:, None]).all()
        return
    # Exactly the seats on the sides with most win.
    member = table.sides[:, :, None] >> np.arange(variant.players) & 1
    total = (scored.score[:, None, :] * member).sum(axis=2)
    best = (total == total.max(axis=1, keepdims=True)) & ~table.over[:, None]
    assert ((scored.win > 0) == best).all()


def test_features_fit_their_columns(variant):
    table = run_block(variant, seated("random", variant.players), 2, 0, 40, finished)
    features = variant.seat_features(table)
    assert features.keys() == variant.seat_columns.keys()
    assert all(values.shape == (40, variant.players) for values in features.values())
    features = variant.hand_features(table, variant.score(table))
    assert features.keys() == variant.hand_columns.keys()
    assert all(values.shape == (40,) for values in features.values())


@pytest.mark.parametrize("name", GAMES)
def test_the_sheet_and_what_ships_are_in_the_package(name):
    cls = tl.GAMES[name]
    assert cls.name == name
    assert cls.title in cls.sheet()
    assert isinstance(cls.version, int)
    for switch, spec in options.specs(cls).items():
        for choice in spec.choices:
            assert tl.game(name, **{switch: choice}).plain_switch(switch) == choice


@pytest.mark.parametrize("name", GAMES)
def test_switches_of_matches_change_no_hand(name):
    game = tl.game(name)
    kept = tl.simulate(game, 200, "simple", 3, progress=False)
    for switch, spec in options.specs(game).items():
        if not spec.of_matches:
            continue
        other = not spec.default if isinstance(spec.default, bool) else spec.low
        other = next((c for c in spec.choices if c != spec.default), other)
        again = tl.simulate(game.replace(**{switch: other}), 200, "simple", 3, progress=False)
        for frame in kept.frames:
            assert_frame_equal(again.frames[frame], kept.frames[frame])
