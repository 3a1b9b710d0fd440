"""Decks and notation."""

import copy
import tomllib
from importlib import resources

import pytest

import tricklab as tl

FOLDER = resources.files("tricklab.games.junni") / "decks"
JOURNEY = tomllib.loads((FOLDER / "journey.toml").read_text("utf-8"))


def changed(change):
    data = copy.deepcopy(JOURNEY)
    change(data)
    return data


@pytest.mark.parametrize("name", ["journey", "four_suits", "short_suits"])
def test_notation_goes_both_ways(name):
    deck = tl.game("junni", deck=name).deck
    assert deck.n_cards == 80
    for i, card in enumerate(deck.cards):
        assert deck.index(card) == i
    everything = deck.masks(range(80))
    assert (everything == deck.full).all()
    assert deck.cards_in(everything) == list(deck.cards)
    assert deck.parse("AB 10T") == deck.parse(["AB", "10T"])
    assert deck.flags(deck.masks([3, 70])).nonzero()[0].tolist() == [3, 70]
    assert len(set(deck.cards)) == len(deck.cards)
    for s, suit in enumerate(deck.suits):
        assert deck.suit_index(suit.letter) == s
        first = deck.offset[s]
        own = [f"{rank}{suit.letter}" for rank in suit.ranks]
        assert list(deck.cards[first : first + len(own)]) == own


@pytest.mark.parametrize("name", ["journey", "four_suits", "short_suits"])
def test_every_suit_is_the_second_suit_of_one_rook_and_one_sage(name):
    deck = tl.game("junni", deck=name).deck
    for rank in "RS":
        others = [letter for card, letter in deck.inverted if card[0] == rank]
        assert sorted(others) == sorted(s.letter for s in deck.suits if s.role == "suit")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.pop("suits"), "no suits"),
        (lambda d: d.pop("trumps"), "no trumps"),
        (lambda d: d.pop("barbarians"), "no barbarians"),
        (lambda d: d.pop("name"), "name"),
        (lambda d: d.update(wild=1), "wild"),
        (lambda d: d["suits"][0]["ranks"].append("7"), "card 7B is there twice"),
        (lambda d: d["suits"][1].update(letter="B"), "two suits share the letter 'B'"),
        (lambda d: d["suits"][1].update(letter="CC"), "one letter"),
        (lambda d: d["suits"][1].update(colour="red"), "colour"),
        (lambda d: d["suits"].__delitem__(slice(1, 5)) or d.pop("inverted"), "one suit only"),
        (lambda d: d["inverted"].update(RB=["C", "K"]), "RB.*one only"),
        (lambda d: d["inverted"].update(RB="Z"), "no suit 'Z'"),
        (lambda d: d["inverted"].update(RB="B"), "its own suit"),
        (lambda d: d["inverted"].update(RB="T"), "no rank R"),
        (lambda d: d["inverted"].update(QB="C"), "no card 'QB'"),
        (lambda d: d["inverted"].update({"1X": "C"}), "barbarian"),
        (lambda d: d["trumps"].update(ranks=[str(i) for i in range(40)]), "at most 32"),
        (lambda d: d["trumps"].update(ranks=[]), "ranks"),
        (lambda d: d["trumps"].update(ranks=["1", 2]), "text"),
        (lambda d: d.update(trumps=3), "table"),
        (lambda d: d.update(suits=[]), "no suits"),
        (lambda d: d["suits"][0].update(ranks=[str(i) for i in range(33)]), "at most 32"),
        (lambda d: d["inverted"].update(SB="X"), "card SB.*barbarian"),
        (lambda d: d["suits"][0].pop("letter"), "letter"),
        (lambda d: d["suits"][0].pop("ranks"), "ranks"),
        (lambda d: d["barbarians"].update(letter="T"), "share the letter 'T'"),
        (lambda d: d["trumps"].update(rank=["1"]), "rank"),
    ],
)
def test_a_deck_that_cannot_be_played_with_is_refused(change, says):
    with pytest.raises(tl.DeckError, match=says):
        tl.game("junni", deck=changed(change))


def test_a_deck_too_small_for_its_players_is_refused():
    tiny = {
        "name": "tiny",
        "suits": [{"letter": x, "name": x, "ranks": ["1"]} for x in "AB"],
        "trumps": {"letter": "T", "name": "T", "ranks": ["1"]},
        "barbarians": {"letter": "X", "name": "X", "ranks": ["1"]},
    }
    assert tl.game("junni", players=4, deck=tiny).cards_each == 1
    with pytest.raises(tl.DeckError, match="J3"):
        tl.game("junni", players=5, deck=tiny)


def test_a_file_that_is_no_deck_is_named(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("name = ")
    with pytest.raises(tl.DeckError, match=r"deck\.toml is not TOML"):
        tl.game("junni", deck=path)
    path.write_text((FOLDER / "journey.toml").read_text("utf-8").replace('"3", "4"', '"3", "3"'))
    with pytest.raises(tl.DeckError, match=r"deck\.toml: card 3B is there twice"):
        tl.game("junni", deck=str(path))


def test_a_deck_with_more_cards_than_can_be_dealt_is_refused():
    ranks = [str(i) for i in range(1, 33)]
    big = {
        "name": "big",
        "suits": [{"letter": x, "name": x, "ranks": ranks} for x in "ABCDEFG"],
        "trumps": {"letter": "T", "name": "T", "ranks": ranks},
        "barbarians": {"letter": "X", "name": "X", "ranks": ["1"]},
    }
    with pytest.raises(tl.DeckError, match=r"257 cards|at most"):
        tl.game("junni", players=6, deck=big)


@pytest.mark.parametrize("name", ["nowhere.toml", "no/such/folder/deck.toml"])
def test_a_deck_file_that_is_not_there_is_named(name, tmp_path):
    with pytest.raises(tl.UserError, match=f"there is no.*{name}"):
        tl.game("junni", deck=str(tmp_path / name))
    with pytest.raises(tl.DeckError, match=f"cannot read deck file .*{name}: No such file"):
        tl.Deck.load(tmp_path / name)


def test_a_deck_file_reads_as_its_contents(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "journey.toml").read_text("utf-8"), encoding="utf-8")
    assert tl.Deck.load(path) == tl.Deck.from_dict(JOURNEY) == tl.game("junni").deck


def test_a_card_twice_is_no_holding():
    deck = tl.game("junni").deck
    with pytest.raises(tl.UserError, match="card 10C is there twice"):
        deck.masks(deck.parse("10C AB 10C"))


@pytest.mark.parametrize("card", ["", "B", "11B", "AZ", "ab", None])
def test_a_card_that_does_not_exist_is_named(card):
    with pytest.raises(tl.UserError, match="there is no card"):
        tl.game("junni").deck.index(card)
