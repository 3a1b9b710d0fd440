"""A study checks what it is asked, keeps its answer, and plays nothing twice."""

import numpy as np
import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, stats
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.base import Setting, Study
from tricklab.studies.rows import row


class Coin(Study):
    """Tosses a coin."""

    name = "coin"
    title = "Coin"
    question = "Heads?"
    games = ("junni", "kaji")
    budgets = {"quick": 20, "default": 100, "full": 1000}
    played = 0

    def play(self, setting):
        type(self).played += 1
        heads = np.random.default_rng(setting.seed).integers(0, 2, setting.hands)
        found = stats.proportion(int(heads.sum()), len(heads))
        return {"heads": pd.DataFrame([row(found, side="h")])}

    def findings(self, frames, stated):
        return [f"{frames['heads']['value'][0]:.2f} <heads>"]

    def parts(self, frames, stated):
        draw = lambda: figures.lines(frames["heads"].assign(x=1), "x", "side", "x", "y")  # noqa: E731
        rows = [["h", "1 < 2"]]
        return [Part("All", shows=[Table("t", "T & t", ["", "v"], rows), Figure("f", "F", draw)])]


def test_the_budget_says_how_many_deals_unless_told():
    assert Coin().ask(budget="quick").frames["heads"]["deals"][0] == 20
    assert Coin().ask(50, budget="quick").frames["heads"]["deals"][0] == 50


def test_an_answer_kept_is_read_and_not_played_again(tmp_path):
    first = Coin().ask(seed=3, folder=tmp_path / "a")
    before = Coin.played
    again = Coin().ask(seed=3, folder=tmp_path / "a")
    assert Coin.played == before
    pd.testing.assert_frame_equal(first.frames["heads"], again.frames["heads"])
    assert again.findings == first.findings
    assert pd.read_csv(tmp_path / "a" / "heads.csv")["deals"][0] == 100


def test_an_answer_to_another_setting_is_neither_used_nor_replaced(tmp_path):
    Coin().ask(seed=3, folder=tmp_path / "a")
    for other in (
        {"seed": 4},
        {"hands": 50},
        {"games": ["kaji"]},
        {"policies": ("random", "careful")},
    ):
        with pytest.raises(tl.UserError, match="another setting"):
            Coin().ask(**{"seed": 3} | other, folder=tmp_path / "a")
    assert Coin().read(tmp_path / "a").stated["seed"] == 3


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"hands": 0}, "20 deals a cell or more, not 0"),
        ({"hands": 2.5}, "20 deals a cell or more, not 2.5"),
        ({"budget": "ful"}, "did you mean 'full'"),
        ({"games": ["kajj"]}, "did you mean 'kaji'"),
        ({"games": ["trjamann"]}, "the study coin is about junni, kaji"),
        ({"policies": ["careful"]}, "two policies or more"),
        ({"policies": ["careful", "careful"]}, "two policies or more"),
        ({"policies": ["carefull", "simple"]}, "did you mean 'careful'"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_questions_are_refused_before_play(asked, says):
    before = Coin.played
    with pytest.raises(tl.UserError, match=says):
        Coin().ask(**asked)
    assert Coin.played == before


def test_a_folder_that_cannot_be_used_is_refused_before_play(tmp_path):
    before = Coin.played
    (tmp_path / "mine").write_text("")
    for folder in (tmp_path, tmp_path / "mine"):
        with pytest.raises(tl.UserError, match="cannot write the study"):
            Coin().ask(folder=folder)
    assert Coin.played == before


def test_what_is_no_answer_is_not_read(tmp_path):
    with pytest.raises(tl.UserError, match="there is no study"):
        Coin().read(tmp_path)
    (tmp_path / "provenance.json").write_text("{}")
    with pytest.raises(tl.UserError, match="cannot be read"):
        Coin().read(tmp_path)
    Coin().ask(folder=tmp_path / "a")
    with pytest.raises(tl.UserError, match="holds the study 'coin', not 'bids'"):
        tl.study("bids").read(tmp_path / "a")


def test_tables_and_figures_are_found_by_name():
    answer = Coin().ask()
    assert answer.table("t").rows == [["h", "1 < 2"]]
    assert answer.figure("f").get_xlabel() == "x"
    with pytest.raises(tl.UserError, match="coin has no table 'f'; there is: t"):
        answer.table("f")


def test_what_a_notebook_shows_is_escaped():
    answer = Coin().ask()
    assert "&lt;heads&gt;" in answer._repr_html_()
    assert "1 &lt; 2" in answer.table("t")._repr_html_()


def test_what_a_terminal_shows_is_the_answer_and_not_its_frames():
    answer = Coin().ask()
    assert repr(answer) == f"Answer(coin)\n- {answer.findings[0]}"
    assert repr(answer.table("t")).splitlines() == ["T & t", "       v", "h  1 < 2"]


def work(cell, hands, seed):
    return cell, hands, seed


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cells_come_back_in_order_whatever_the_workers(n_jobs):
    setting = Setting(30, 5, ("junni",), ("simple", "careful"), n_jobs, progress=False)
    assert setting.play(work, list("abcde")) == [(c, 30, 5) for c in "abcde"]
    assert setting.play(work, ["a"], hands=7) == [("a", 7, 5)]


def test_no_such_study():
    with pytest.raises(tl.UserError, match="there is no study 'bid'; did you mean 'bids'"):
        tl.study("bid")


# ---------------------------------------------------------------------------------------- figures
def grid(**more):
    cells = [(r, c, int(r) + 10 * c) for r in "21" for c in (1, 3, 2)]
    frame = pd.DataFrame(cells[:-1], columns=["r", "c", "value"])
    return frame.assign(low=frame["value"] - 1, high=frame["value"] + 1, **more)


def test_a_heatmap_writes_each_value_in_its_cell_and_leaves_missing_ones_empty():
    ax = figures.heat(grid(), "r", "c", "x", "y")
    written = {t.get_position(): t.get_text() for t in ax.texts}
    assert written[0, 0] == "12"
    assert written[2, 1] == "31"
    assert (1, 1) not in written
    assert [t.get_text() for t in ax.get_yticklabels()] == ["2", "1"]


def test_lines_are_drawn_in_order_of_the_number_with_their_intervals():
    frame = grid().iloc[::-1]
    ax = figures.lines(frame, "c", "r", "x", "y", titles={"1": "one", "2": "two"})
    one = ax.containers[0]
    assert list(one.lines[0].get_xdata()) == [1, 3]
    assert list(one.lines[0].get_ydata()) == [11, 31]
    low, high = one.lines[2][0].get_segments()[0][:, 1]
    assert (low, high) == (10, 12)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["one", "two"]
