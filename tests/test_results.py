"""Frames keep their schema and sums, and come back from disk as they went."""

import errno
import json

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab.results import schema


@pytest.fixture(scope="module")
def run():
    game = tl.game("junni", shriving=True, arete_court=True, scoring="dead_reckoning")
    return tl.simulate(game, 300, "random", 4, record="plays")


def test_frames_are_as_the_schema_says(variant):
    run = tl.simulate(variant, 60, "random", 4, record="plays")
    for name, columns in schema(variant).items():
        frame = run.frames[name]
        assert list(frame) == list(columns)
        for column, described in columns.items():
            values = frame[column]
            if described.dtype in ("suit", "card"):
                assert isinstance(values.dtype, pd.CategoricalDtype)
                assert values.notna().all()
                continue
            assert values.dtype == described.dtype
            assert described.low is None or values.min() >= described.low
            assert described.high is None or values.max() <= described.high


def test_tricks_points_and_wins_are_conserved(variant):
    run = tl.simulate(variant, 60, "careful", 4, record="plays")
    by_hand = run.seats.groupby("hand")
    assert (by_hand["tricks"].sum() == variant.n_tricks).all()
    assert (run.plays.groupby("hand").size() == variant.n_tricks * variant.players).all()
    assert run.plays.groupby("hand")["card"].nunique().eq(variant.n_tricks * variant.players).all()
    size = 2 if variant.partners else 1
    assert by_hand["win"].sum().sub(size).abs().max() < 1e-5


def test_dead_reckoning_gives_85_points_a_hand(run):
    assert (run.seats.groupby("hand")["points"].sum() == 85).all()
    barbarians = run.seats.groupby("hand")["play_barbarians"].sum() * 5
    captured = run.tricks.groupby("hand")["points"].sum()
    assert (captured + barbarians == 85).all()


def test_a_smaller_record_says_the_same(run):
    seats = tl.simulate(run.game, 300, "random", 4)
    assert set(seats.frames) == {"hands", "seats"}
    assert_frame_equal(seats.seats, run.seats)
    with pytest.raises(tl.UserError, match="record='plays'"):
        _ = seats.plays


def test_a_saved_run_comes_back(run, tmp_path):
    back = tl.load(run.save(tmp_path / "run"))
    assert back.game == run.game
    assert back.provenance == run.provenance
    for name, frame in run.frames.items():
        assert_frame_equal(back.frames[name], frame)
    event = "any(card == '16T' and position == 0)"
    assert back.how_often(event).value == run.how_often(event).value


def test_a_users_own_deck_and_table_travel_with_the_run(tmp_path):
    deck = tl.game("junni").deck.source | {"name": "mine"}
    table = {"name": "sages", "trick": 0, "suits": {"S": 7}}
    game = tl.game("junni", deck=deck, scoring=table)
    back = tl.load(tl.simulate(game, 20, "random").save(tmp_path / "run"))
    assert back.game == game
    assert back.provenance.switches["deck"]["name"] == "mine"


def test_saving_spares_what_is_there(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").write_text("mine")
    for place, says in (("file", "it is a file"), ("full", "not empty")):
        with pytest.raises(tl.UserError, match=says):
            run.save(tmp_path / place)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "full", "note"]


def test_a_full_disk_leaves_nothing_half_written(run, tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_parquet", full)
    with pytest.raises(tl.UserError, match="No space left"):
        run.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_run_cannot_be_loaded(run, tmp_path):
    with pytest.raises(tl.UserError, match="there is no run"):
        tl.load(tmp_path)
    folder = run.save(tmp_path / "run")
    stated = json.loads((folder / "provenance.json").read_text())
    for broken in ("{", json.dumps(stated | {"format": "other/1"}), "[]"):
        (folder / "provenance.json").write_text(broken)
        with pytest.raises(tl.UserError):
            tl.load(folder)


def test_ctrl_c_stops_a_run_and_its_workers():
    class Stops(tl.Policy):
        def play(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tl.simulate(tl.game("junni"), 20, Stops(), n_jobs=1)


def test_how_often_counts_as_the_frames_do(run):
    counted = tl.how_often(
        run.game, "tricks >= 7", given="trumps >= 5", hands=300, policies="random", seed=4
    )
    rows = run.seats.query("trumps >= 5")
    assert counted.value == pytest.approx((rows["tricks"] >= 7).mean())
    assert counted.n == rows["hand"].nunique()
    assert run.how_often("tricks >= 7", given="trumps >= 5") == counted


def test_how_often_adds_up_over_blocks_and_workers():
    game = tl.game("junni")
    one, two = (
        tl.how_often(game, "any(tricks == 0)", hands=9_000, policies="random", n_jobs=n)
        for n in (1, 2)
    )
    assert one == two
    assert one.n == 9_000
