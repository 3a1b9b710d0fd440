"""The report is one readable file with its data, and replaces nothing but a report."""

import json
import re

import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, words
from tricklab.report import junni, write_report
from tricklab.studies import balance


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("reports") / "latest"
    write_report(target, hands=300, seed=1, n_jobs=1, progress=False)
    return target


@pytest.fixture(scope="module")
def html(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def test_it_stands_alone(html):
    links = re.findall(r'(?:href|src)="([^"]*)"', html)
    assert all(link.startswith("#") for link in links)
    outside = [u for u in re.findall(r"https?://[^\s\"'<)]+", html) if "w3.org" not in u]
    assert outside == []
    assert "@import" not in html
    assert "<script" not in html


def test_the_same_figure_is_drawn_the_same_every_time():
    drawn = [junni._svg(figures.distribution({"one": [1, 2, 2]}), "ones and twos") for _ in "ab"]
    assert "clip-path" in drawn[0]
    assert drawn[0] == drawn[1]


def test_contents_lead_to_sections(html):
    targets = re.findall(r'<a href="#([a-z]+)"', html)
    assert len(targets) == 8
    for target in targets:
        assert f'id="{target}"' in html


def test_every_number_in_a_table_of_estimates_has_its_interval(html):
    tables = re.findall(r"<table>.*?</table>", html, re.S)
    for table in tables:
        if "Exact chances" in table or "clause" in table:
            continue
        for text in re.findall(r"<tr>(.*?)</tr>", table.split("<tbody>")[1], re.S):
            for value in re.findall(r"<td>(.*?)</td>", text)[1:]:
                assert value == "–" or re.fullmatch(r"\S+ \(\S+ to \S+\)( \*)?", value)


def test_nothing_is_missing_or_unformatted(html):
    text = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    assert not re.search(r"\b(nan|NaN|None|inf)\b|\{\{|\{%", text)
    assert html.count("<svg role=") == 13


def test_the_data_lie_beside_it(folder):
    stated = json.loads((folder / "provenance.json").read_text())
    assert stated["hands_per_cell"] == 300
    for name in ("by_distance", "levels", "effects", "policies", "holdings"):
        csv = pd.read_csv(folder / "data" / f"{name}.csv")
        parquet = pd.read_parquet(folder / "data" / f"{name}.parquet")
        assert len(csv) == len(parquet) > 0
        assert {"value", "low", "high", "deals", "method"} <= set(csv)


def test_an_earlier_report_is_replaced_and_nothing_else(folder, monkeypatch):
    before = (folder / "report.html").read_text()

    def one(plan, hands, seed, **ignored):
        return balance_cells

    from tricklab import report

    balance_cells = balance.play_cells(balance.plan((3, 4), ("simple", "careful")), 50, n_jobs=1)
    monkeypatch.setattr(report.balance, "play_cells", one)
    write_report(folder, hands=50, players=(3, 4))
    assert (folder / "report.html").read_text() != before
    assert sorted(p.name for p in folder.parent.iterdir()) == ["latest"]
    foreign = folder.parent / "mine"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("mine")
    for target, says in ((foreign, "something else"), (foreign / "notes.txt", "is a file")):
        with pytest.raises(tl.UserError, match=says):
            write_report(target, hands=50)
    assert (foreign / "notes.txt").read_text() == "mine"


def test_an_old_report_survives_a_failed_replacement(tmp_path, monkeypatch):
    from tricklab import report

    old, fresh = tmp_path / "r", tmp_path / "r.new"
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
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r"]


def test_what_cannot_be_written_is_refused_before_play(tmp_path, monkeypatch):
    from tricklab import report

    def played(*args, **kwargs):
        raise AssertionError("played first")

    monkeypatch.setattr(report.balance, "play_cells", played)
    (tmp_path / "file").write_text("")
    with pytest.raises(tl.UserError, match="no folder to write in"):
        write_report(tmp_path / "file" / "r")


def effect_rows(**values):
    """Rows of effects, clear ones, with intervals of half-width 0.5 points."""
    return pd.DataFrame(
        {"variant": name, "value": v, "low": v - 0.005, "high": v + 0.005, "holm": 0.0}
        for name, v in values.items()
    )


def test_a_first_place_that_is_shared_is_said_to_be():
    def said(**values):
        return junni._extremes(effect_rows(**values), "tie", "leads", "trails")

    close = said(rotate=0.021, dice=0.020, shriving=-0.033)
    assert "Lead passes round leads, +2.1 (+1.6 to +2.6), not clearly ahead of Dice" in close
    assert "Shriving trails, −3.3 (−3.8 to −2.8)." in close
    assert "ahead" not in said(rotate=0.05, dice=0.020)


def test_a_planted_edge_is_told_with_its_sign():
    def row(value):
        return {"value": value, "low": value - 0.004, "high": value + 0.004}

    text = junni._edge_words([(3, row(0.03)), (4, row(-0.02)), (5, row(0.001))])
    assert "more than an equal share, by percentage points: +3.0 (+2.6 to +3.4) with 3" in text
    assert "less than an equal share, by percentage points: −2.0 (−2.4 to −1.6) with 4" in text
    assert "no edge of the first leader shows with 5 players" in text


def test_policies_that_disagree_are_said_to():
    frame = pd.DataFrame(
        {
            "variant": variant,
            "players": 4,
            "measure": "spread",
            "policy": policy,
            "value": v,
            "se": se,
            "low": v - 2 * se,
            "high": v + 2 * se,
            "holm": 0.0,
        }
        for variant, policy, v, se in (
            ("shriving", "simple", 0.3, 0.01),
            ("shriving", "careful", -0.3, 0.01),
            ("dice", "simple", 0.3, 0.01),
            ("dice", "careful", 0.31, 0.01),
            ("flat", "simple", 0.0, 0.0),
            ("flat", "careful", 0.3, 0.01),
        )
    )
    text = junni._policy_words(frame, ["simple", "careful"])
    assert text.startswith("Of 2 changes")
    assert "1 differ in size" in text
    assert "2 are clear under both, and 1 of these point the same way" in text
    assert "Shriving (4 players" in text
    assert "Dice" not in text


def test_a_report_interrupted_leaves_nothing(tmp_path, monkeypatch):
    from tricklab import report

    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(report.junni, "build", stop)
    with pytest.raises(KeyboardInterrupt):
        write_report(tmp_path / "r", hands=20, n_jobs=1, players=(4,))
    assert list(tmp_path.iterdir()) == []


def test_wrong_arguments():
    with pytest.raises(tl.UserError, match="there is no game 'bridge'"):
        write_report("x", game="bridge")
    with pytest.raises(tl.UserError, match="4 players"):
        write_report("x", players=(3,))


def test_numbers_in_words():
    row = {"value": -0.0123, "low": -0.0201, "high": -0.0045}
    assert words.points(row) == "−1.2 (−2.0 to −0.4)"
    assert words.percent({"value": 0.25, "low": 0.24, "high": 0.26}) == "25.0% (24.0 to 26.0)"
    assert words.change({"value": 0.0, "low": -0.01, "high": 0.01}) == "0.00 (−0.01 to +0.01)"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
