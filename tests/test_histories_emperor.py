"""Emperor's histories: what is told is read back, and the first fault is the reference's."""

import json

import pytest

import tricklab as tl
from conftest import GAMES
from test_reference_emperor import Annuls, Moderate, game_id, told
from tricklab.replay import check_histories, check_lines, read_histories

VARIANTS = [game for game in GAMES if game.name == "emperor"]


@pytest.mark.parametrize("policy", ["random", "simple", Annuls(), Moderate()], ids=str)
@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_what_is_told_is_read_without_a_fault(game, policy, tmp_path):
    path = tmp_path / "told.jsonl"
    told(game, 200, policy, path)
    assert [check.in_words() for check in check_histories(path) if check.fault] == []


def test_frames_of_histories_are_those_of_the_run(tmp_path):
    game = tl.game("emperor", annul="never")
    path = tmp_path / "told.jsonl"
    tl.simulate(game, 200, Moderate(), 2, histories=path, n_jobs=1, progress=False)
    run = tl.simulate(game, 200, Moderate(), 2, record="plays")
    back = read_histories(path)
    for name, frame in run.frames.items():
        assert frame.equals(back.frames[name]), name


def faults(one):
    (check,) = check_lines([(1, json.dumps(one).encode())])
    return check.fault


def test_an_annulled_deal_ends_with_its_line(tmp_path):
    """The next deal is a history of its own, which states the doubling (E12)."""
    _, lines = told(tl.game("emperor"), 3_000, Annuls(), tmp_path / "told.jsonl")
    again = [one for one in lines if one.get("doubling", 1) > 1]
    assert again
    one = next(one for one in again if one["result"]["made"] is not None)
    assert faults(one) is None
    plain = {key: value for key, value in one.items() if key != "doubling"}
    fault = faults(plain)
    assert (fault.kind, fault.clause) == ("mismatch", "E20")
    for wrong in (0, 3, -2, 1.5, True, "2", 2**40):
        assert faults(one | {"doubling": wrong}).clause == "format"


def test_stated_bonuses_are_checked_in_any_order(tmp_path):
    _, lines = told(tl.game("emperor"), 50, Moderate(), tmp_path / "told.jsonl")
    one = next(one for one in lines if len(one["result"]["bonuses"]) > 2)
    result = one["result"]
    assert faults(one | {"result": result | {"bonuses": result["bonuses"][::-1]}}) is None
    fault = faults(one | {"result": result | {"bonuses": result["bonuses"][1:]}})
    assert (fault.kind, fault.clause) == ("mismatch", "E22")
    fault = faults(one | {"result": result | {"bonuses": [1]}})
    assert (fault.kind, fault.clause) == ("malformed", "format")
