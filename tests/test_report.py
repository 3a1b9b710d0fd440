"""The report is one readable file with its data, and replaces nothing but a report."""

import json
import re

import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, report, stats, words
from tricklab.errors import Stopped
from tricklab.report import redraw, write_report
from tricklab.report.page import svg
from tricklab.studies import STUDIES
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.base import Study
from tricklab.studies.rows import row


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report on everything, of as few deals as will do."""
    target = tmp_path_factory.mktemp("reports") / "latest"
    write_report(target, hands=60, seed=1, n_jobs=1, progress=False)
    return target


@pytest.fixture(scope="module")
def html(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def test_it_stands_alone(html):
    links = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    outside = [u for u in re.findall(r"https?://[^\s\"'<)]+", html) if "w3.org" not in u]
    assert outside == []
    assert "@import" not in html
    assert "<script src" not in html


def test_contents_lead_to_sections_and_no_name_is_used_twice(html):
    targets = re.findall(r'<a href="#([^"]+)"', html)
    assert {*STUDIES, "summary", "assumptions", "provenance"} <= set(targets)
    text = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))
    assert set(targets) <= set(names)


def test_every_number_in_a_table_has_its_interval_or_is_exact(html):
    tables = re.findall(r"<table>.*?</table>", html, re.S)
    assert len(tables) > 10
    for table in tables:
        if "Exact" in table:
            continue
        for text in re.findall(r"<tr>(.*?)</tr>", table.split("<tbody>")[1], re.S):
            for cell in re.findall(r"<td>(.*?)</td>", text, re.S)[1:]:
                value = re.sub(r"\s*<small>", " ", cell).strip()
                number = re.match(r"[−+]?\d+\.\d", value)
                assert number is None or re.search(r"\(\S+ to \S+\)", value), value


def test_nothing_is_missing_or_unformatted(html):
    text = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    assert not re.search(r"\b(nan|NaN|None|inf)\b|\{\{|\{%", text)
    assert html.count("<svg role=") == html.count("<figure>") > 0


def test_what_the_sheets_assume_is_said(html):
    for cls in tl.GAMES.values():
        for sentence in cls.assumptions:
            assert sentence in html


def test_the_data_lie_beside_it(folder):
    stated = json.loads((folder / "provenance.json").read_text())
    assert list(stated["studies"]) == list(STUDIES)
    for name in STUDIES:
        assert stated["studies"][name]["hands_per_cell"] == 60
        kept = list((folder / "data" / name).glob("*.parquet"))
        assert kept
        for path in kept:
            frame = pd.read_parquet(path)
            assert len(pd.read_csv(path.with_suffix(".csv"))) == len(frame)


def test_it_is_drawn_again_from_its_data(folder, html, monkeypatch):
    for name in STUDIES:
        cls = type(tl.study(name))
        monkeypatch.setattr(cls, "play", lambda *_: pytest.fail("played"))
    redraw(folder)
    again = (folder / "report.html").read_text(encoding="utf-8")
    body = re.compile(r"<main>.*<h2 id=\"provenance\">", re.S)
    assert body.search(again)[0] == body.search(html)[0]


def test_the_same_figure_is_drawn_the_same_every_time():
    drawn = [
        svg(Figure("f", "ones <and> twos", lambda: figures.distribution({"one": [1, 2, 2]})))
        for _ in "ab"
    ]
    assert "clip-path" in drawn[0]
    assert 'aria-label="ones &lt;and&gt; twos"' in drawn[0]
    assert drawn[0] == drawn[1]


# ------------------------------------------------------------------------------ an invented study
class Toy(Study):
    """A study of nothing that counts how often it was played."""

    name = "toy"
    title = "Toys"
    question = "How many toys?"
    games = ("kaji",)
    budgets = {"quick": 20, "default": 30, "full": 40}

    def __init__(self):
        self.played = 0
        self.stop = False

    def play(self, setting):
        if self.stop:
            raise KeyboardInterrupt
        self.played += 1
        return {"toys": pd.DataFrame([row(stats.proportion(3, setting.hands), kind="ball")])}

    def findings(self, frames, stated):
        counted = f"Balls: {words.percent(frames['toys'].iloc[0])}."
        return [counted, "Two.", "Three.", "Four.", "A ball is round.", "Six."]

    def parts(self, frames, stated):
        rows = [["ball", words.percent(frames["toys"].iloc[0])]]
        return [
            Part(
                "Toys counted",
                "By hand.",
                ["A ball is round."],
                [Table("t", "All", ["", "n"], rows)],
            ),
            Part("No dolls", assumption=True),
        ]


class Blocks(Toy):
    """Another."""

    name = "blocks"
    games = ("junni",)


@pytest.fixture
def toys(monkeypatch):
    known = {"toy": Toy(), "blocks": Blocks()}
    monkeypatch.setattr(report, "study", known.__getitem__)
    monkeypatch.setattr("tricklab.report.page.study", known.__getitem__)
    return known


def test_findings_parts_and_assumptions_have_their_places(toys, tmp_path):
    page = write_report(tmp_path / "r", studies=["toy"]).read_text(encoding="utf-8")
    summary, rest = page.split('<h2 id="toy">')
    section, assumed = rest.split('<h2 id="assumptions">')
    assert "Balls: 10.0%" in summary
    assert re.search(r"<td>\s*10.0% <small>\(", section)
    assert "Four." in summary
    assert page.count("A ball is round.") == 1
    assert section.index("Six.") < section.index("A ball is round.")
    assert "No dolls" in assumed.split('<h2 id="provenance">')[0]


def test_a_game_leaves_studies_of_others_out(toys, tmp_path):
    page = write_report(tmp_path / "r", studies=["toy", "blocks"], games=["kaji"])
    assert 'id="blocks"' not in page.read_text(encoding="utf-8")
    with pytest.raises(tl.UserError, match="no study of toy is about junni"):
        write_report(tmp_path / "s", studies=["toy"], games=["junni"])


def test_an_earlier_report_is_replaced_and_nothing_else(toys, tmp_path):
    target = tmp_path / "latest"
    before = write_report(target, studies=["toy"]).read_text(encoding="utf-8")
    after = write_report(target, studies=["toy"], hands=50).read_text(encoding="utf-8")
    assert before != after
    assert sorted(p.name for p in tmp_path.iterdir()) == ["latest"]
    foreign = tmp_path / "mine"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("mine")
    for place, says in ((foreign, "something else"), (foreign / "notes.txt", "is a file")):
        with pytest.raises(tl.UserError, match=says):
            write_report(place, studies=["toy"])
    assert (foreign / "notes.txt").read_text() == "mine"
    assert toys["toy"].played == 2


def test_a_report_stopped_goes_on_from_what_was_finished(toys, tmp_path):
    target = tmp_path / "r"
    toys["blocks"].stop = True
    with pytest.raises(Stopped, match="goes on from there"):
        write_report(target, studies=["toy", "blocks"])
    assert not target.exists()
    toys["blocks"].stop = False
    write_report(target, studies=["toy", "blocks"])
    assert toys["toy"].played == 1
    assert [p.name for p in tmp_path.iterdir()] == ["r"]


def test_what_was_finished_under_another_setting_is_not_used(toys, tmp_path):
    target = tmp_path / "r"
    toys["blocks"].stop = True
    with pytest.raises(Stopped):
        write_report(target, studies=["toy", "blocks"], hands=30)
    toys["blocks"].stop = False
    write_report(target, studies=["toy", "blocks"], hands=40)
    assert toys["toy"].played == 2
    assert tl.study("bids").name == "bids"
    kept = json.loads((target / "data" / "toy" / "provenance.json").read_text())
    assert kept["hands_per_cell"] == 40


def test_a_report_stopped_at_once_leaves_nothing(toys, tmp_path):
    toys["toy"].stop = True
    with pytest.raises(Stopped, match="nothing was written"):
        write_report(tmp_path / "r", studies=["toy"])
    assert list(tmp_path.iterdir()) == []


def test_an_old_report_survives_a_failed_replacement(tmp_path, monkeypatch):
    old, fresh = tmp_path / "r", tmp_path / "r.unfinished"
    old.mkdir()
    (old / "report.html").write_text("old")
    fresh.mkdir()
    rename = report.Path.rename

    def stop(self, target):
        if self == fresh:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(report.Path, "rename", stop)
    with pytest.raises(KeyboardInterrupt):
        report._swap(fresh, old)
    assert (old / "report.html").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r", "r.unfinished"]


def test_what_cannot_be_written_is_refused_before_play(toys, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(tl.UserError, match="no folder to write in"):
        write_report(tmp_path / "file" / "r", studies=["toy"])
    (tmp_path / "s.unfinished").mkdir()
    (tmp_path / "s.unfinished" / "mine").write_text("")
    with pytest.raises(tl.UserError, match="is in the way"):
        write_report(tmp_path / "s", studies=["toy"])
    assert toys["toy"].played == 0


def test_there_must_be_a_report_to_draw_again(tmp_path):
    with pytest.raises(tl.UserError, match="no report"):
        redraw(tmp_path)


def test_wrong_arguments(tmp_path):
    with pytest.raises(tl.UserError, match="there is no game 'bridge'"):
        write_report(tmp_path / "x", games=["bridge"])
    with pytest.raises(tl.UserError, match="there is no study 'bid'; did you mean 'bids'"):
        write_report(tmp_path / "x", studies=["bid"])
    assert list(tmp_path.iterdir()) == []


def test_numbers_in_words():
    row = {"value": -0.0123, "low": -0.0201, "high": -0.0045}
    assert words.points(row) == "−1.2 (−2.0 to −0.4)"
    assert words.percent({"value": 0.25, "low": 0.24, "high": 0.26}) == "25.0% (24.0 to 26.0)"
    assert words.change({"value": 0.0, "low": -0.01, "high": 0.01}) == "0.00 (−0.01 to +0.01)"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
