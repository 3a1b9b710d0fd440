"""The report is one readable file with its data, and replaces nothing but a report."""

import json
import re

import pandas as pd
import pytest

import tricklab as tl
from tricklab import words
from tricklab.report import write_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("reports") / "latest"
    write_report(target, "trjamann", hands=300, seed=1, n_jobs=1, progress=False)
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


def test_nothing_is_missing_or_unformatted(html):
    text = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    assert not re.search(r"\b(nan|NaN|None|inf)\b|\{\{|\{%", text)


def test_the_data_lie_beside_it(folder):
    stated = json.loads((folder / "provenance.json").read_text())
    assert stated["hands_per_cell"] == 300
    for name in ("by_distance", "contracts", "effects"):
        csv = pd.read_csv(folder / "data" / f"{name}.csv")
        parquet = pd.read_parquet(folder / "data" / f"{name}.parquet")
        assert len(csv) == len(parquet) > 0
        assert {"value", "low", "high", "deals", "method"} <= set(csv)


def test_an_earlier_report_is_replaced_and_nothing_else(folder):
    before = (folder / "report.html").read_text()

    write_report(folder, "trjamann", hands=50, n_jobs=1)
    assert (folder / "report.html").read_text() != before
    assert sorted(p.name for p in folder.parent.iterdir()) == ["latest"]
    foreign = folder.parent / "mine"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("mine")
    for target, says in ((foreign, "something else"), (foreign / "notes.txt", "is a file")):
        with pytest.raises(tl.UserError, match=says):
            write_report(target, "trjamann", hands=50)
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

    monkeypatch.setattr(report.contract_study, "play", played)
    (tmp_path / "file").write_text("")
    with pytest.raises(tl.UserError, match="no folder to write in"):
        write_report(tmp_path / "file" / "r", "trjamann")


def test_a_report_interrupted_leaves_nothing(tmp_path, monkeypatch):
    from tricklab import report

    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(report.contracts, "build", stop)
    with pytest.raises(KeyboardInterrupt):
        write_report(tmp_path / "r", "trjamann", hands=20, n_jobs=1)
    assert list(tmp_path.iterdir()) == []


def test_wrong_arguments():
    with pytest.raises(tl.UserError, match="there is no game 'bridge'"):
        write_report("x", game="bridge")


def test_numbers_in_words():
    row = {"value": -0.0123, "low": -0.0201, "high": -0.0045}
    assert words.points(row) == "−1.2 (−2.0 to −0.4)"
    assert words.percent({"value": 0.25, "low": 0.24, "high": 0.26}) == "25.0% (24.0 to 26.0)"
    assert words.change({"value": 0.0, "low": -0.01, "high": 0.01}) == "0.00 (−0.01 to +0.01)"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
