"""Nobody but the partner knows who the partner is, before the card called shows it (E13)."""

import numpy as np
import pytest

import tricklab as tl
from conftest import GAMES
from test_information import moments, reachable
from tricklab.bidding import NO_SEAT
from tricklab.games.emperor.pack import FIRST_TRUMP, TRUMP
from tricklab.games.emperor.sides import learn

VARIANTS = [game for game in GAMES if game.name == "emperor"]
HIDDEN_FROM = ("announce", "contra", "play")


def called_bit(table):
    return np.uint32(1) << (table.called - FIRST_TRUMP).astype(np.uint32)


def open_to_all(table):
    """Where all know the sides: the card called has been played, or was discarded openly."""
    bit = called_bit(table)
    shown = np.bitwise_or.reduce(table.extra.shown, axis=1)
    return (table.state.played[:, TRUMP] | shown) & bit > 0


def move_the_called_card(table, rng):
    """The same table for all but those concerned: others hold the card called, or nobody does.

    It goes from its holder to another seat that does not decide now, or to the stock, for a card
    that comes from there; what the seats know is then worked out anew.
    """
    other, moved = table.copy(), np.zeros(table.hands, bool)
    deck, facts = table.game.deck, table.extra
    hidden = ~open_to_all(table)
    for h in np.flatnonzero(hidden):
        me, declarer = int(table.state.seat[h]), int(table.declarer[h])
        card, hold = int(table.called[h]), other.state.hold[h]
        bit = called_bit(table)[h]
        places = [seat for seat in range(4) if seat not in (me, declarer)]
        at = [seat for seat in range(4) if hold[seat, TRUMP] & bit]
        # Who says Contra does not hold it, and all know that.
        places = [seat for seat in places if not facts.said[h, 0, seat]]
        stock = table.pack[h, 40 + facts.drawn[h] :]
        if me in at or declarer in at or (me == declarer and not at):
            continue
        places = [seat for seat in places if seat not in at and hold[seat].any()]
        if not places:
            continue
        to = int(rng.choice(places))
        given = deck.parse(deck.cards_in(hold[to]))[0]
        source = at[0] if at else None
        if source is None and card not in stock:
            continue
        hold[to] ^= deck.masks([given]) | deck.masks([card])
        if source is not None:
            hold[source] ^= deck.masks([given]) | deck.masks([card])
        else:
            other.pack[h, 40:][other.pack[h, 40:] == card] = given
        other.extra.holder[h] = to
        moved[h] = True
    # What each seat knows is worked out from the new holdings, as when the card was called; where
    # the cards stay, it stays what it was, also where this trick has just shown the sides.
    other.sides[:] = other.game.sides
    other.partner[:] = NO_SEAT
    learn(other)
    other.sides[~moved], other.partner[~moved] = table.sides[~moved], table.partner[~moved]
    return other, moved


@pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.label.replace(" ", ","))
def test_who_holds_the_card_called_is_not_reachable(game):
    """A declarer, or a defender, sees the same whoever the partner is."""
    rng = np.random.default_rng(3)
    declarers = defenders = 0
    for moment in moments(game):
        if moment.decision not in HIDDEN_FROM:
            continue
        other, moved = move_the_called_card(moment.table, rng)
        rows = moment.rows[moved[moment.rows]]
        if not len(rows):
            continue
        one, two = (reachable(moment.view(table, rows)) for table in (None, other))
        assert one.keys() == two.keys()
        # Arrays of whole tables are public; their other rows are other hands.
        assert [way for way in one if not np.array_equal(one[way], two[way])] == []
        mine = moment.table.state.seat[rows] == moment.table.declarer[rows]
        declarers += int(mine.sum())
        defenders += int((~mine).sum())
    assert min(declarers, defenders) > 20


@pytest.mark.parametrize("game", VARIANTS[:2], ids=lambda game: game.label.replace(" ", ","))
def test_what_each_seat_knows_of_the_sides(game):
    """The partner knows both; others know themselves and those who said Contra (E13, E16)."""
    seen = set()
    for moment in moments(game):
        if moment.decision != "play":
            continue
        table, view = moment.table, moment.view()
        known = open_to_all(table)
        for i, h in enumerate(moment.rows):
            seat, declarer = int(view.seat[i]), int(table.declarer[h])
            holder = int(table.extra.holder[h])
            ours = {declarer} | ({holder} - {NO_SEAT})
            allies = {s for s in range(4) if view.allies[i] >> s & 1}
            if known[h] and table.position == 0:
                assert view.partner[i] == holder
                assert allies == (ours if seat in ours else set(range(4)) - ours)
                seen.add("known")
                continue
            if known[h]:
                continue
            assert view.partner[i] == NO_SEAT
            if seat == declarer:
                assert allies == {seat}
                seen.add("declarer")
            elif seat == holder:
                assert allies == ours
                seen.add("partner")
            else:
                speakers = {s for s in range(4) if table.extra.said[h, 0, s]}
                assert allies == {seat} | speakers
                seen.add("defender")
    assert seen == {"known", "declarer", "partner", "defender"}


def test_seats_asked_for_a_contra_are_the_defenders_by_what_they_hold():
    """Who may speak follows from a seat's own cards alone (E16)."""
    game = tl.game("emperor")
    for moment in moments(game):
        if moment.decision != "contra":
            continue
        table, view = moment.table, moment.view()
        if view.offers["contra_round"][0] > 0:
            continue
        seat = table.state.seat[moment.rows]
        held = table.state.hold[moment.rows, seat, TRUMP] & called_bit(table)[moment.rows]
        assert (held == 0).all()
        assert (seat != table.declarer[moment.rows]).all()
