"""Frames keep their schema and sums, and come back from disk as they went."""

import errno
import json

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab.results import categories, schema


@pytest.fixture(scope="module")
def run():
    game = tl.game("junni", shriving=True, arete_court=True, scoring="dead_reckoning")
    return tl.simulate(game, 300, "random", 4, record="plays")


def test_frames_are_as_the_schema_says(variant):
    run = tl.simulate(variant, 60, "random", 4, record="plays")
    rows = {"hands": 1, "seats": variant.players, "tricks": variant.n_tricks}
    rows["plays"] = variant.players * variant.n_tricks
    assert run.frames.keys() == schema(variant).keys() == {*rows, *variant.frame_names}
    # A hand that was thrown in has no tricks.
    played = int(run.seats.groupby("hand")["tricks"].sum().gt(0).sum())
    for name, columns in schema(variant).items():
        frame = run.frames[name]
        assert (
            name not in rows
            or len(frame) == (60 if name in ("hands", "seats") else played) * rows[name]
        )
        assert list(frame) == list(columns)
        for column, described in columns.items():
            values = frame[column]
            if described.dtype in ("suit", "card", *variant.labels):
                assert isinstance(values.dtype, pd.CategoricalDtype)
                # There may be no trumps, but always a card and a suit led.
                assert values.notna().all() or column.startswith("trump")
                expected = categories(variant, described.dtype)
                assert values.cat.categories.tolist() == expected
                continue
            assert values.dtype == described.dtype
            assert described.low is None or values.min() >= described.low
            assert described.high is None or values.max() <= described.high


def test_tricks_points_and_wins_are_conserved(variant, named):
    run = tl.simulate(variant, 60, named, 4, record="plays")
    by_hand = run.seats.groupby("hand")
    played = by_hand["tricks"].sum() > 0
    assert (by_hand["tricks"].sum()[played] == variant.n_tricks).all()
    cards = variant.n_tricks * variant.players
    assert run.plays.groupby("hand").size().eq(cards).sum() == played.sum()
    assert run.plays.groupby("hand")["card"].nunique().eq(cards).all()
    # A hand that was not played is won by nobody and scores nothing.
    nothing = by_hand[["score", "win"]].sum()[~played]
    assert (nothing == 0).all(axis=None)
    assert (by_hand["win"].sum()[played] > 0).all()


def test_frames_tell_the_same_story(variant):
    run = tl.simulate(variant, 60, "random", 4, record="plays")
    won = run.tricks.groupby(["hand", "winner"]).size()
    taken = run.seats.set_index(["hand", "seat"])["tricks"]
    assert (won.rename_axis(taken.index.names).reindex(taken.index, fill_value=0) == taken).all()
    led = run.plays[run.plays["position"] == 0]
    assert led["seat"].tolist() == run.tricks["leader"].tolist()
    first = run.tricks[run.tricks["trick"] == 1].set_index("hand")
    assert first["leader"].equals(run.hands.set_index("hand")["leader"].loc[first.index])
    assert (run.seats["from_leader"] == 0).groupby(run.seats["hand"]).sum().eq(1).all()
    forced = run.plays[run.plays["choices"] == 1].groupby(["hand", "seat"]).size()
    said = run.seats.set_index(["hand", "seat"])["forced"]
    assert (forced.reindex(said.index, fill_value=0) == said).all()
    best = run.seats.groupby("hand")["win"].max()
    # The float32 share 1/k of the k sides that share the win.
    shared = (1 / best.where(best > 0)).round().fillna(0).astype(int)
    assert shared.tolist() == run.hands["winners"].tolist()
    if "declarer" not in run.hands:
        assert ((run.hands["margin"] == 0) == (run.hands["winners"] > 1)).all()


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("named", tl.POLICIES)
def test_every_point_of_the_table_is_scored_where_all_cards_are_dealt(players, named):
    for scoring, total in (("dead_reckoning", 65 + 80 // players), ("flat", 80)):
        game = tl.game("junni", players=players, scoring=scoring)
        seats = tl.simulate(game, 60, named, 4).seats
        assert (seats.groupby("hand")["points"].sum() == total).all()
        assert (seats["points"] == seats["score"]).all()


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


def test_an_empty_folder_is_filled(run, tmp_path):
    (tmp_path / "empty").mkdir()
    run.save(tmp_path / "empty")
    assert tl.load(tmp_path / "empty").provenance == run.provenance


@pytest.mark.parametrize("after", [0, 2])
def test_a_full_disk_leaves_nothing_half_written(run, tmp_path, monkeypatch, after):
    write, written = pd.DataFrame.to_parquet, []

    def full(self, *args, **kwargs):
        if len(written) == after:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(args)
        return write(self, *args, **kwargs)

    monkeypatch.setattr(pd.DataFrame, "to_parquet", full)
    with pytest.raises(tl.UserError, match=r"cannot write the run to .*run: No space left"):
        run.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []
    assert len(written) == after


def test_ctrl_c_while_saving_leaves_nothing_half_written(run, tmp_path, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(pd.DataFrame, "to_parquet", stop)
    with pytest.raises(KeyboardInterrupt):
        run.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_leaves_no_folder_above_either(run, tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_parquet", full)
    with pytest.raises(tl.UserError):
        run.save(tmp_path / "new" / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_a_game_with_numpy_switches_is_saved(tmp_path):
    game = tl.game("junni", players=np.int64(5), shriving=True, shriving_cards=np.int64(3))
    assert tl.load(tl.simulate(game, 5, "random").save(tmp_path / "run")).game == game


def stated_and_folder(run, tmp_path):
    folder = run.save(tmp_path / "run")
    return json.loads((folder / "provenance.json").read_text()), folder


def test_what_is_no_run_cannot_be_loaded(run, tmp_path):
    with pytest.raises(tl.UserError, match="there is no run"):
        tl.load(tmp_path)
    stated, folder = stated_and_folder(run, tmp_path)
    for broken in ("{", json.dumps(stated | {"format": "other/1"}), "[]"):
        (folder / "provenance.json").write_text(broken)
        with pytest.raises(tl.UserError):
            tl.load(folder)
    (folder / "provenance.json").write_text(json.dumps(stated))
    (folder / "plays.parquet").write_bytes(b"PAR1")
    with pytest.raises(tl.UserError, match="cannot be read"):
        tl.load(folder)
    (folder / "plays.parquet").unlink()
    with pytest.raises(tl.UserError, match="there is no run"):
        tl.load(folder)


def test_a_run_of_another_version_of_the_game_is_refused(run, tmp_path):
    stated, folder = stated_and_folder(run, tmp_path)
    changed = stated | {"game_version": run.game.version + 1}
    (folder / "provenance.json").write_text(json.dumps(changed))
    with pytest.raises(tl.UserError, match="version"):
        tl.load(folder)


@pytest.mark.parametrize("change", [{"seed": None}, {"policies": None}, {"more": 1}], ids=str)
def test_a_run_with_wrong_provenance_is_refused(run, tmp_path, change):
    stated, folder = stated_and_folder(run, tmp_path)
    for key, value in change.items():
        if value is None:
            del stated[key]
        else:
            stated[key] = value
    (folder / "provenance.json").write_text(json.dumps(stated))
    with pytest.raises(tl.UserError, match="cannot be read"):
        tl.load(folder)


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
