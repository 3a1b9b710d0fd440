"""The picture of a hand says what was dealt, given and played, who won, and nothing else."""

import re

import numpy as np
import pytest

import tricklab as tl
from tricklab.picture import draw, draw_deal


def paragraphs(text):
    return [block.split("\n") for block in text.split("\n\n")]


def holdings_read(blocks, game):
    """Cards by seat as the blocks of a picture show them, two seats side by side."""
    letters = [suit.letter for suit in game.deck.suits]
    out = []
    for block in blocks[: (game.players + 1) // 2]:
        starts = [found.start() for found in re.finditer("seat", block[0])]
        for i, start in enumerate(starts):
            end = starts[i + 1] if i + 1 < len(starts) else None
            lines = [line[start:end].split() for line in block]
            assert lines[0] == ["seat", str(len(out))]
            assert [words[1] for words in lines[1:]] == letters
            cards = []
            for _, letter, *ranks in lines[1:]:
                known = game.deck.suits[letters.index(letter)].ranks
                if ranks == ["–"]:
                    continue
                places = [known.index(rank) for rank in ranks]
                assert places == sorted(places, reverse=True), "high to low"
                cards += [rank + letter for rank in ranks]
            out.append(set(cards))
    return out


@pytest.fixture
def table(variant):
    # A hand whose dealer and first leader are not seat 0.
    return tl.table_of(variant, variant.players + 1, "random", 4)


def test_holdings_are_shown_as_dealt(table):
    game = table.game
    shown = holdings_read(paragraphs(draw(table))[1:], game)
    assert shown == [set(game.deck.cards_in(masks)) for masks in table.dealt[0]]
    aside = [game.deck.cards[c] for c in table.pack[0, game.cards_each * game.players :]]
    parts = [" ".join(map(str.strip, part)) for part in paragraphs(draw(table))]
    shown = [part for part in parts if part.startswith("set aside: ")]
    assert shown == (["set aside: " + " ".join(aside)] if aside else [])


def test_gifts_are_shown_as_given(table):
    game = table.game
    lines = re.findall(r"seat (\d) to seat (\d): (.+)", draw(table))
    assert [(int(a), int(b)) for a, b, _ in lines] == (
        [(s % game.players, (s + 1) % game.players) for s in range(1, game.players + 1)]
        if game.gives
        else []
    )
    for giver, _, cards in lines:
        assert cards.split() == game.deck.cards_in(table.given[0, int(giver)])


def test_every_trick_is_shown_as_it_fell(table):
    game = table.game
    deck = game.deck
    lines = next(b for b in paragraphs(draw(table)) if b[0].startswith("trick"))[1:]
    assert len(lines) == game.n_tricks
    for t, line in enumerate(lines):
        number, *cells = line.split()
        assert int(number) == t + 1
        if getattr(game, "dice", False):
            assert cells.pop(0) == deck.suits[table.trumps[t, 0]].letter
        expected = []
        for seat in range(game.players):
            card, as_suit = int(table.cards[t, 0, seat]), int(table.played_as[t, 0, seat])
            other = "" if as_suit == deck.suit_of[card] else f"→{deck.suits[as_suit].letter}"
            lead = ">" if table.leaders[t, 0] == seat else ""
            won = "*" if table.winners[t, 0] == seat else ""
            expected.append(f"{lead}{deck.cards[card]}{other}{won}")
        assert cells == expected


def test_the_result_is_the_runs(table):
    game = table.game
    seats = tl.simulate(game, game.players + 2, "random", 4).seats
    seats = seats[seats["hand"] == game.players + 1]
    last = paragraphs(draw(table))[-1]
    heading, *lines = last[-4 - ("points" in " ".join(last)) :]
    assert heading.split() == [w for seat in range(game.players) for w in ("seat", str(seat))]
    shown = {name: [float(v) for v in values] for name, *values in map(str.split, lines)}
    for name in ("tricks", "score"):
        assert shown[name] == seats[name].tolist()
    assert shown["win"] == pytest.approx(seats["win"].tolist(), abs=0.01)
    assert shown.get("points", [0] * game.players) == seats["points"].tolist()


def test_heading_names_game_switches_and_dealer(table):
    heading = paragraphs(draw(table))[0]
    assert heading == [table.game.label, f"dealer: seat {table.dealer[0]}"]
    assert table.dealer[0] == 1


def test_a_picture_fits_a_page(table):
    lines = draw(table).split("\n")
    # The heading names every switch that is set and may be longer.
    assert max(len(line) for line in lines[1:]) <= 80
    assert all(line == line.rstrip() for line in lines)


def test_each_row_of_a_table_has_its_own_picture(variant):
    tables = [tl.table_of(variant, hand, "random", 4) for hand in (1, 2)]
    both = tables[0].take(np.array([0, 0]))
    assert draw(both, 1) == draw(tables[0])
    assert draw(tables[0]) != draw(tables[1])


def test_a_led_barbarian_and_an_inverted_court_are_shown_with_their_suit():
    game = tl.game("junni", arete_court=True)
    for seed in range(200):
        table = tl.table_of(game, 0, "random", seed)
        led = table.cards[np.arange(20), 0, table.leaders[:, 0]]
        named = [
            (game.deck.cards[c], game.deck.suits[s].letter)
            for c, s in zip(led, table.leads[:, 0], strict=True)
            if game.deck.suit_of[c] == game.deck.excuse
        ]
        if named:
            break
    card, suit = named[0]
    assert f">{card}→{suit}" in draw(table)


def test_trumps_rolled_are_shown_even_if_they_stay_what_they_were():
    game = tl.game("junni", dice=True, roll_each="hand")
    trump = game.deck.suits[game.deck.trump].letter
    table = next(
        t
        for t in (tl.table_of(game, 0, "random", seed) for seed in range(100))
        if t.trumps[0, 0] == game.deck.trump
    )
    lines = next(b for b in paragraphs(draw(table)) if b[0].startswith("trick"))
    assert "trumps" in lines[0]
    assert {line.split()[1] for line in lines[1:]} == {trump}


def test_a_deal_alone_is_shown_as_dealt(variant):
    deals = tl.deal(variant, 3, 9)
    text = draw_deal(deals, 2)
    blocks = paragraphs(text)
    assert blocks[0] == [variant.label, f"dealer: seat {deals.dealer[2]}"]
    assert holdings_read(blocks[1:], variant) == [set(cards) for cards in deals.holdings(2)]
    aside = deals.set_aside(2)
    last = " ".join(map(str.strip, blocks[-1]))
    assert (last == "set aside: " + " ".join(aside)) == bool(aside)


def test_a_hand_looked_at_is_the_hand_of_the_run():
    game = tl.game("junni", shriving=True)
    run = tl.simulate(game, 4_100, "random", 8, n_jobs=1)
    table = tl.table_of(game, 4_098, "random", 8)
    assert run.seats.query("hand == 4098")["tricks"].tolist() == table.state.tricks[0].tolist()
