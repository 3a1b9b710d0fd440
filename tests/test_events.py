"""The event language: what it says, what it refuses, and how it counts."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tricklab as tl
from tricklab.errors import UserError
from tricklab.events import Event, EventError, FinerColumnError, UnknownColumnError
from tricklab.stats import RatioSums

HANDS = np.array([10, 11, 12])  # a block's hands need not start at 0
FRAMES = {
    "hands": {
        "hand": HANDS,
        "margin": np.array([0, 3, 5], np.int8),
        "leader": np.array([1, 0, 1], np.int8),
    },
    "seats": {
        "hand": np.repeat(HANDS, 2),
        "seat": np.tile([0, 1], 3),
        "trumps": np.array([3, 5, 0, 8, 4, 4], np.int8),
        "tricks": np.array([4, 6, 0, 10, 7, 3], np.int8),
        "win": np.array([0, 1, 0, 1, 1, 0.0]),
        "forced": np.array([True, False, False, True, False, False]),
    },
    "tricks": {
        "hand": np.repeat(HANDS, 3),
        "trick": np.tile([1, 2, 3], 3),
        "leader": np.array([1, 0, 0, 0, 1, 1, 1, 1, 1], np.int8),
        "points": np.array([1, 5, 9, 2, 2, 2, 0, 0, 7], np.int8),
    },
    "plays": {
        "hand": np.array([10, 10, 11, 11, 12, 12]),
        "seat": np.array([0, 1, 0, 1, 0, 1]),
        "card": np.array(["16T", "1X", "AB", "16T", "2B", "10C"], dtype=object),
        "position": np.array([0, 1, 0, 1, 0, 1], np.int8),
    },
}
COLUMNS = {
    frame: {name: values.dtype.kind for name, values in columns.items()}
    for frame, columns in FRAMES.items()
}


def holds(text: str, of: str = "seats", frames: Mapping[str, Any] = FRAMES) -> list[int]:
    return [int(x) for x in Event.parse(text, of, COLUMNS).evaluate(frames)]


# --------------------------------------------------------------------------------------- meaning
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trumps >= 4", [0, 1, 0, 1, 1, 1]),
        ("trumps == 4", [0, 0, 0, 0, 1, 1]),
        ("trumps != 4", [1, 1, 1, 1, 0, 0]),
        ("3 <= trumps < 5", [1, 0, 0, 0, 1, 1]),
        ("trumps > 3 and tricks > 6", [0, 0, 0, 1, 1, 0]),
        ("trumps == 0 or tricks == 4", [1, 0, 1, 0, 0, 0]),
        ("not trumps > 3", [1, 0, 1, 0, 0, 0]),
        ("trumps + tricks == 7", [1, 0, 0, 0, 0, 1]),
        ("tricks - trumps > 1", [0, 0, 0, 1, 1, 0]),
        ("-tricks > -4", [0, 0, 1, 0, 0, 1]),
        ("tricks * 100 >= 600", [0, 1, 0, 1, 1, 0]),  # not in eight bits
        ("tricks / 2 == 3", [0, 1, 0, 0, 0, 0]),
        ("tricks // 2 == 3", [0, 1, 0, 0, 1, 0]),
        ("tricks % 3 == 1", [1, 0, 0, 1, 1, 0]),
        ("(trumps + 1) * 2 > tricks + 3", [1, 1, 0, 1, 0, 1]),
        ("trumps in (0, 8)", [0, 0, 1, 1, 0, 0]),
        ("trumps not in [0, 8]", [1, 1, 0, 0, 1, 1]),
        ("trumps - 5 in (-1, -2)", [1, 0, 0, 0, 1, 1]),
        ("forced", [1, 0, 0, 1, 0, 0]),
        ("forced and tricks > 4", [0, 0, 0, 1, 0, 0]),
        ("forced == (seat == 0)", [1, 1, 0, 0, 0, 1]),
        ("True", [1, 1, 1, 1, 1, 1]),
        ("margin > 2", [0, 0, 1, 1, 1, 1]),  # a column of hands, for each seat
        ("trumps > margin", [1, 1, 0, 1, 0, 0]),
        ("tricks == max(tricks)", [0, 1, 0, 1, 1, 0]),  # compared with the hand's own
        ("tricks > sum(trumps) / 2", [0, 1, 0, 1, 1, 0]),
        (" trumps\n >= 4 ", [0, 1, 0, 1, 1, 1]),
    ],
)
def test_seats(text: str, expected: list[int]) -> None:
    assert holds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("any(trumps >= 5)", [1, 1, 0]),
        ("all(trumps >= 3)", [1, 0, 1]),
        ("count(trumps >= 4) == 2", [0, 0, 1]),
        ("sum(trumps) == 8", [1, 1, 1]),
        ("max(tricks) - min(tricks) > 3", [0, 1, 1]),
        ("min(trumps) == 0", [0, 1, 0]),
        ("any(tricks == max(tricks) and trumps == 4)", [0, 0, 1]),
        ("any(tricks > margin + 4)", [1, 1, 0]),  # a column of hands inside
        ("any(points > 6)", [1, 0, 1]),
        ("sum(points) > 6 and any(trumps == 3)", [1, 0, 0]),
        ("any(trick == 1 and leader == 0)", [0, 1, 0]),  # the leader of the trick
        ("leader == 0", [0, 1, 0]),  # the leader of the hand
        ('any(card == "16T" and position == 0)', [1, 0, 0]),
        ('any(card in ("AB", "1X"))', [1, 1, 0]),
        ('all(card != "16T")', [0, 0, 1]),
        ('count(card == "9Z") == 0', [1, 1, 1]),
        ("any(margin > 2)", [0, 1, 1]),
        ("any(position == 0) == any(trumps == 0)", [0, 1, 0]),
    ],
)
def test_hands(text: str, expected: list[int]) -> None:
    assert holds(text, "hands") == expected


def test_the_frame_being_reduced_wins_over_coarser_ones() -> None:
    event = Event.parse("all(leader == 1)", "hands", COLUMNS)
    assert event.evaluate(FRAMES).tolist() == [False, False, True]
    assert event.needs == {"hands", "tricks"}


def test_a_finer_frame_is_spread_back_over_the_seats() -> None:
    assert holds("any(points > 6) and seat == 0") == [1, 0, 0, 0, 1, 0]


def test_tricks_and_plays_can_be_counted_too() -> None:
    assert holds("points > 4 and margin == 0", "tricks") == [0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert holds('card == "16T"', "plays") == [1, 0, 0, 1, 0, 0]


def test_needs_names_the_frames_to_record() -> None:
    def needs(text: str, of: str) -> set[str]:
        return set(Event.parse(text, of, COLUMNS).needs)

    assert needs("trumps > 3", "seats") == {"seats"}
    assert needs("margin > 3", "seats") == {"seats", "hands"}
    assert needs('any(card == "1X")', "hands") == {"hands", "plays"}
    assert needs("any(points > 3) or any(trumps > 3)", "hands") == {"hands", "seats", "tricks"}


@pytest.mark.parametrize(
    "wrap", [pd.Categorical, pd.Series, lambda c: pd.Series(pd.Categorical(c))]
)
def test_categoricals_and_series_read_like_arrays(wrap: object) -> None:
    cards = wrap(FRAMES["plays"]["card"])  # type: ignore[operator]
    frames = {**FRAMES, "plays": {**FRAMES["plays"], "card": cards}}
    assert holds('card == "16T"', "plays", frames) == [1, 0, 0, 1, 0, 0]
    assert holds('card not in ("16T", "AB")', "plays", frames) == [0, 1, 0, 0, 1, 1]


def test_data_frames_will_do() -> None:
    frames = {name: pd.DataFrame(columns) for name, columns in FRAMES.items()}
    assert holds("tricks == max(tricks) and margin > 2", frames=frames) == [0, 0, 0, 1, 1, 0]


# ------------------------------------------------------------------------------------- undefined
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tricks / trumps > 1", [1, 1, 0, 1, 1, 0]),
        ("not tricks / trumps > 1", [0, 0, 0, 0, 0, 1]),
        ("tricks / trumps != 1", [1, 1, 0, 1, 1, 1]),
        ("tricks // trumps == 0", [0, 0, 0, 0, 0, 1]),
        ("tricks % trumps == 1", [1, 1, 0, 0, 0, 0]),
        ("trumps == 0 or tricks / trumps > 1", [1, 1, 1, 1, 1, 0]),
        ("tricks / trumps > 1 or trumps == 0", [1, 1, 1, 1, 1, 0]),
        ("not (trumps > 0 and tricks / trumps > 1)", [0, 0, 1, 0, 0, 1]),
        ("any(tricks / trumps > 1)", [1, 1, 1, 1, 1, 1]),
        ("all(tricks / trumps > 1)", [1, 1, 0, 0, 0, 0]),
        ("not all(tricks / trumps > 1)", [0, 0, 0, 0, 1, 1]),
        ("max(tricks / trumps) > 0", [1, 1, 0, 0, 1, 1]),
        ("count(tricks / trumps > 1) == 1", [0, 0, 1, 1, 1, 1]),
    ],
)
def test_undefined_is_not_true_and_nothing_is_printed(text: str, expected: list[int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert holds(text) == expected


def test_a_missing_card_matches_nothing() -> None:
    cards = pd.Categorical(["16T", None, "AB", "16T", None, "10C"])
    frames = {**FRAMES, "plays": {**FRAMES["plays"], "card": cards}}
    assert holds('card == "16T"', "plays", frames) == [1, 0, 0, 1, 0, 0]
    assert holds('card != "16T"', "plays", frames) == [0, 0, 1, 0, 0, 1]


def test_a_hand_without_rows() -> None:
    plays = {name: values[:4] for name, values in FRAMES["plays"].items()}
    frames = {**FRAMES, "plays": plays}
    assert holds("all(position < 9)", "hands", frames) == [1, 1, 1]
    assert holds("any(position < 9)", "hands", frames) == [1, 1, 0]
    assert holds("max(position) >= 0", "hands", frames) == [1, 1, 0]
    assert holds("sum(position) == 0", "hands", frames) == [0, 0, 1]


# --------------------------------------------------------------------------------------- counting
def test_sums_are_by_deal() -> None:
    event = Event.parse("trumps >= 4", "seats", COLUMNS)
    assert event.sums(FRAMES) == RatioSums.of([1, 1, 2], [2, 2, 2])
    given = Event.parse("tricks > 3", "seats", COLUMNS)
    assert event.sums(FRAMES, given) == RatioSums.of([1, 1, 1], [2, 1, 1])
    nowhere = Event.parse("tricks > 99", "seats", COLUMNS)
    assert event.sums(FRAMES, nowhere) == RatioSums()


def test_sums_under_a_condition_on_the_hand() -> None:
    event = Event.parse("trumps >= 4", "seats", COLUMNS)
    given = Event.parse("margin > 3", "hands", COLUMNS)
    assert event.sums(FRAMES, given) == RatioSums.of([2], [2])
    with pytest.raises(EventError, match="same rows"):
        given.sums(FRAMES, event)


def test_blocks_add_up() -> None:
    event = Event.parse("tricks == max(tricks)", "seats", COLUMNS)
    blocks = [
        {f: {c: v[d["hand"] == hand] for c, v in d.items()} for f, d in FRAMES.items()}
        for hand in HANDS
    ]
    assert sum(event.sums(b) for b in blocks) == event.sums(FRAMES)


def test_an_event_can_be_sent_to_a_worker() -> None:
    event = Event.parse('any(card == "16T") and margin > 2', "hands", COLUMNS)
    copy = pickle.loads(pickle.dumps(event))
    assert copy == event
    assert copy.evaluate(FRAMES).tolist() == event.evaluate(FRAMES).tolist()
    error = pickle.loads(pickle.dumps(UnknownColumnError("no such column")))
    assert str(error) == "no such column"


# -------------------------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "().__class__",
        "open('x')",
        "hand.__class__",
        "hand.__class__ == 1",
        "trumps if forced else tricks",
        "[i for i in seats]",
        "any(i for i in trumps)",
        "{i: 1 for i in trumps}",
        "9**9**9",
        "9**9**9 > trumps",
        "lambda: 1",
        "(lambda: forced)()",
        "trumps[0] > 1",
        "(x := 3) > 2",
        "f'{trumps}' == '3'",
        "any(*trumps)",
        "any(trumps > 1, tricks > 1)",
        "max(trumps, key=tricks) > 1",
        "any()",
        "any(1 > 0)",
        "eval('1') == 1",
        "trumps is 3",
        "forced is not None",
        "forced & forced",
        "~forced",
        "forced | forced",
        "trumps << 2 > 1",
        "trumps @ tricks > 1",
        "{'a': 1} == 1",
        "(1, 2) == trumps",
        "trumps in 3",
        "trumps in ()",
        "trumps in (tricks, 3)",
        "trumps in (1, 'a')",
        "trumps in (True, 2)",
        "1 < trumps in (2, 3)",
        "trumps == None",
        "trumps == b'a'",
        "trumps == 3j",
        "... == 1",
        "trumps > 1e999",
        "trumps > " + "9" * 400,
        "trumps > 3; tricks > 4",
        "import os",
        "trumps = 3",
        "trumps >",
        "yield",
        "await trumps",
        "print",
        "any",
        "",
        "   ",
        "#",
        "trumps > 3\0",
        "é > 3",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(EventError) as caught:
        Event.parse(text, "seats", COLUMNS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 900 + "trumps" + ")" * 900 + " > 1",
        "(" * 150 + "trumps" + ")" * 150 + " > 1 and " + "not " * 150 + "forced",
        "not " * 480 + "forced",
        "-" * 1900 + "1 > trumps",
        "trumps" + "+1" * 900 + " > 3",
        "any(" * 400 + "forced" + ")" * 400,
        "[" * 1500,
        "trumps > 3 and " * 200,
        "trumps" * 1000,
    ],
)
def test_long_and_deep_texts_do_not_crash(text: str) -> None:
    with pytest.raises(EventError):
        Event.parse(text, "seats", COLUMNS)


def test_a_long_but_flat_event_is_fine() -> None:
    text = " or ".join(f"trumps == {i}" for i in range(100))
    assert holds(text) == [1] * 6


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tricks", "true or false"),
        ("tricks + 1", "true or false"),
        ("count(forced)", "true or false"),
        ("'a'", "true or false"),
        ("tricks and forced", "'and' needs"),
        ("forced or 1", "'or' needs"),
        ("not tricks", "'not' needs"),
        ("any(tricks)", "any() needs"),
        ("count(trumps) > 1", "count() needs"),
        ("sum(forced) > 1", "sum() needs a number"),
        ("forced + 1 > 1", "needs a number"),
        ("forced > 0", "== and !="),
        ("any(card > '16T')", "== and !="),
        ("any(card == 16)", "text is compared with a number"),
        ("trumps == '3'", "text is compared with a number"),
        ("any(card + 1 > 2)", "needs a number"),
    ],
)
def test_types_are_checked_before_anything_is_played(text: str, says: str) -> None:
    with pytest.raises(EventError) as caught:
        Event.parse(text, "seats", COLUMNS)
    assert says in str(caught.value)


def test_undeclared_columns_are_checked_when_evaluated() -> None:
    names = {frame: list(columns) for frame, columns in COLUMNS.items()}
    with pytest.raises(EventError, match="true or false"):
        Event.parse("tricks", "seats", names)
    for text in ("any(card + 1 > 2)", "any(card > 1)", "trumps == 'a'", "forced + 1 > 1"):
        with pytest.raises(EventError):
            Event.parse(text, "seats", names).evaluate(FRAMES)
    event = Event.parse("any(card == '16T') and forced == 1", "seats", names)
    assert event.evaluate(FRAMES).tolist() == [True, False, False, True, False, False]


def test_a_column_that_is_not_what_was_declared() -> None:
    event = Event.parse("forced", "seats", COLUMNS)
    seats = {**FRAMES["seats"], "forced": FRAMES["seats"]["tricks"]}
    with pytest.raises(EventError, match="forced"):
        event.evaluate({**FRAMES, "seats": seats})


def test_a_misspelt_column_is_located_and_a_name_suggested() -> None:
    with pytest.raises(UnknownColumnError) as caught:
        Event.parse("trumps > 3 and tricsk > 5", "seats", COLUMNS)
    message = str(caught.value)
    assert caught.value.column == "tricsk"
    assert "'tricsk'" in message
    assert "'tricks'" in message
    assert "character 16" in message
    assert "seats: hand, seat, trumps" in message
    assert "hands: hand, margin" in message
    with pytest.raises(UnknownColumnError, match="'points'"):
        Event.parse("any(poinst > 3)", "seats", COLUMNS)


def test_position_counts_characters_not_bytes() -> None:
    with pytest.raises(UnknownColumnError, match="character 16 "):
        Event.parse("'éé' == 'a' or x", "plays", COLUMNS)


def test_a_finer_column_must_be_reduced() -> None:
    with pytest.raises(FinerColumnError, match=r"any\(\)") as caught:
        Event.parse("card == '16T'", "seats", COLUMNS)
    assert "plays" in str(caught.value)


def test_one_reduction_reads_one_frame() -> None:
    with pytest.raises(EventError, match="no frame has all of 'points', 'trumps'"):
        Event.parse("any(points > 3 and trumps > 3)", "hands", COLUMNS)


def test_a_single_equals_sign_is_explained() -> None:
    with pytest.raises(EventError, match="equality is written =="):
        Event.parse("trumps = 3", "seats", COLUMNS)


def test_of_must_be_a_frame() -> None:
    with pytest.raises(UserError, match="hands, seats, tricks, plays"):
        Event.parse("trumps > 3", "cards", COLUMNS)


def test_a_frame_that_was_not_recorded() -> None:
    event = Event.parse("any(points > 3)", "hands", COLUMNS)
    with pytest.raises(EventError, match="no tricks frame"):
        event.evaluate({"hands": FRAMES["hands"]})
    short = {**FRAMES, "hands": {c: v[:2] for c, v in FRAMES["hands"].items()}}
    with pytest.raises(EventError, match="lacks"):
        event.evaluate(short)


def test_seats_alone_will_do_for_an_event_about_seats() -> None:
    assert holds("tricks == max(tricks)", frames={"seats": FRAMES["seats"]}) == [0, 1, 0, 1, 1, 0]


# ------------------------------------------------------------------- frames of a game's own
OWN = FRAMES | {
    "bonuses": {
        "hand": np.array([10, 10, 12]),
        "bonus": np.array(["owl", "sparrow", "owl"], dtype=object),
        "made": np.array([1, 0, 1], np.int8),
    }
}
OWN_COLUMNS = COLUMNS | {"bonuses": {"hand": "i", "bonus": "O", "made": "i"}}


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        ("made == 1", "bonuses", [1, 0, 1]),
        ("made == 1 and margin < 5", "bonuses", [1, 0, 0]),
        ('any(bonus == "owl")', "hands", [1, 0, 1]),
        ("count(made == 1) == 1 and any(trumps == 5)", "hands", [1, 0, 0]),
        ('bonus == "owl" and any(trumps == 3)', "bonuses", [1, 0, 0]),
    ],
)
def test_a_frame_of_the_game_s_own_can_be_named(text, of, expected):
    event = Event.parse(text, of, OWN_COLUMNS)
    assert [int(x) for x in event.evaluate(OWN)] == expected


def test_it_can_be_named_only_where_it_is():
    with pytest.raises(EventError, match="hands, seats, tricks, plays; got 'bonuses'"):
        Event.parse("made == 1", "bonuses", COLUMNS)
    with pytest.raises(FinerColumnError, match="'made' is a column of bonuses, not of hands"):
        Event.parse("made == 1", "hands", OWN_COLUMNS)


def test_bonuses_of_emperor_are_counted_as_their_frame_has_them():
    game = tl.game("emperor")
    run = tl.simulate(game, 500, "random", 3, n_jobs=1, progress=False)
    told = run.bonuses
    for given in (None, 'bonus == "sparrow"', "bid == 1"):
        chosen = told
        if given is not None and "bonus" in given:
            chosen = told[told["bonus"] == "sparrow"]
        elif given is not None:
            chosen = told[told["hand"].map(run.hands.set_index("hand")["bid"]) == 1]
        share = ((chosen["announced"] == 1) & (chosen["made"] == 1)).mean()
        question = ("announced == 1 and made == 1", "bonuses", given)
        found = run.how_often(*question)
        assert found.value == pytest.approx(share)
        played = tl.how_often(
            game, *question, hands=500, policies="random", seed=3, n_jobs=1, progress=False
        )
        assert played == found
    # Where the columns are those of bonuses alone, they need not be named.
    assert run.how_often("level == 3").value == (told["level"] == 3).mean()
    with pytest.raises(UserError, match="of must be one of hands, seats, tricks, plays, not"):
        tl.how_often(tl.game("junni"), "tricks > 3", "bonuses", hands=10)


def test_events_of_a_run_of_matches():
    run = tl.simulate_matches(tl.game("emperor"), 20, "random", 3, n_jobs=1, progress=False)
    assert run.how_often("bid == 0").value == (run.hands["bid"] == 0).mean()
    assert run.how_often("level == 0").value == (run.bonuses["level"] == 0).mean()
