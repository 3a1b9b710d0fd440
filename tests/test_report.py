"""The report is one readable file with its data, and replaces nothing but a report."""

import json
import re

import pandas as pd
import pytest

import tricklab as tl
from tricklab.report import words, write_report
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
    assert html.count("<svg role=") == 11


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


def test_a_report_interrupted_leaves_nothing(tmp_path, monkeypatch):
    from tricklab import report

    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(report.junni, "build", stop)
    with pytest.raises(KeyboardInterrupt):
        write_report(tmp_path / "r", hands=20, n_jobs=1, players=(4,))
    assert list(tmp_path.iterdir()) == []


def test_wrong_arguments():
    with pytest.raises(tl.UserError, match="no report"):
        write_report("x", game="bridge")
    with pytest.raises(tl.UserError, match="4 players"):
        write_report("x", players=(3,))


def test_numbers_in_words():
    row = {"value": -0.0123, "low": -0.0201, "high": -0.0045}
    assert words.points(row) == "−1.2 (−2.0 to −0.4)"
    assert words.percent({"value": 0.25, "low": 0.24, "high": 0.26}) == "25.0% (24.0 to 26.0)"
    assert words.change({"value": 0.0, "low": -0.01, "high": 0.01}) == "0.00 (−0.01 to +0.01)"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
