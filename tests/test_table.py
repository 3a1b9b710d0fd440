"""Tables can be copied, indexed, widened and played on from any decision."""

import numpy as np

import tricklab as tl
from tricklab.dealing import deal_block
from tricklab.play import Desk, choices, end_trick, play_out
from tricklab.policies import seated
from tricklab.rng import Streams
from tricklab.table import Table


def start(game, hands=40):
    streams = Streams(5, 0)
    table = Table(deal_block(game, streams, 0, hands), game.n_tricks)
    return table, Desk(seated("careful", game.players), streams)


def play_cards(table, desk, count):
    tricks = table.game.phases[-1]
    for _ in range(count):
        choices(table)
        tricks._ask(table, desk, desk.policies[0], np.arange(table.hands))
        table.position += 1
        if table.position == table.game.players:
            end_trick(table)


def test_a_copy_played_on_from_the_middle_of_a_trick_ends_as_the_original():
    table, desk = start(tl.game("junni"))
    play_cards(table, desk, 22)
    copy = table.copy()
    play_out(table, desk)
    assert copy.trick == 5
    assert copy.position == 2
    play_out(copy, desk)
    assert (copy.cards == table.cards).all()
    assert (copy.state.tricks == table.state.tricks).all()


def test_a_widened_table_has_independent_hands():
    table, desk = start(tl.game("junni"), 3)
    play_cards(table, desk, 9)
    wide = table.take(np.repeat(np.arange(3), 50))
    play_out(wide, Desk(seated("random", 4), Streams(6, 0)))
    assert table.trick == 2
    assert (table.cards[2:, :, :] != 255).sum() == 3
    ends = wide.state.tricks.reshape(3, 50, 4)
    assert (ends.sum(axis=2) == 20).all()
    assert (ends.std(axis=1) > 0).any()
    assert (wide.cards[:2].reshape(2, 3, 50, 4) == table.cards[:2, :, None]).all()
