"""How contracts fare: the study and the report."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab import options
from tricklab.report import write_report
from tricklab.studies import contracts

WITH = [name for name in tl.GAMES if contracts.has_contracts(tl.game(name))]


@pytest.fixture(params=[*WITH, "junni"])
def game(request):
    return tl.game(request.param, **({"traitor": True} if request.param == "junni" else {}))


@pytest.fixture
def cells(game):
    return contracts.play(game, ["simple", "careful"], 600, 3, progress=False)


def test_success_is_counted_by_what_was_declared(cells):
    found = contracts.success(cells).set_index(["policy", "contract", "measure"])["value"]
    for cell in cells:
        said = contracts.names(cell.run)
        made = cell.run.hands["made"]
        assert found[cell.policy].xs("share", level="measure").sum() == pytest.approx(1)
        for contract, hands in said.groupby(said).groups.items():
            assert found[cell.policy, contract, "share"] == pytest.approx(len(hands) / 600)
            if contract == "none":
                assert (made[hands] == -1).all()
            elif len(hands) >= contracts.FEWEST:
                expected = (made[hands] == 1).mean()
                assert found[cell.policy, contract, "made"] == pytest.approx(expected)
            else:
                assert (cell.policy, contract, "made") not in found.index


def test_the_declarers_score_is_measured_against_the_others(cells):
    run = cells[-1].run
    players = run.game.players
    found = contracts.declarer_scores(run)
    scores = run.seats["score"].to_numpy().reshape(-1, players)
    for hand in range(0, 600, 37):
        declarer = run.hands["declarer"][hand]
        if declarer < 0:
            assert found[hand] == 0
            continue
        others = np.delete(scores[hand], declarer)
        assert found[hand] == pytest.approx(scores[hand, declarer] - others.mean())


def test_seats_are_counted_from_the_dealer(cells):
    found = contracts.by_distance(cells).set_index(["policy", "measure", "distance"])["value"]
    run = cells[-1].run
    seats = run.seats.merge(run.hands[["hand", "dealer"]], on="hand")
    distance = (seats["seat"] - seats["dealer"]) % run.game.players
    for measure in ("score", "win"):
        means = seats.groupby(distance)[measure].mean()
        for d, value in means.items():
            assert found[cells[-1].policy, measure, d] == pytest.approx(value)


@pytest.mark.parametrize("name", tl.GAMES)
def test_switches_of_matches_change_no_hand_and_are_not_compared(name):
    game = tl.game(name)
    kept = tl.simulate(game, 200, "careful", 3, progress=False)
    compared = [variant.partition("=")[0] for variant, _ in contracts.alternatives(game)]
    of_matches = {k: spec for k, spec in options.specs(game).items() if spec.of_matches}
    assert of_matches
    for switch, spec in of_matches.items():
        assert switch not in compared
        other = not spec.default if isinstance(spec.default, bool) else spec.low
        other = next((c for c in spec.choices if c != spec.default), other)
        again = tl.simulate(game.replace(**{switch: other}), 200, "careful", 3, progress=False)
        for frame in kept.frames:
            assert_frame_equal(again.frames[frame], kept.frames[frame])


def test_a_switch_that_changes_nothing_is_found_to_change_nothing(game):
    cell = contracts.play(game, ["simple"], 300, 3, progress=False)[0]
    found = contracts.effects(cell, 300, 3)
    variants = dict(contracts.alternatives(game))
    assert set(found["variant"]) == set(variants)
    for variant, other in variants.items():
        same = tl.simulate(other, 300, "simple", 3, progress=False)
        if same.hands["made"].equals(cell.run.hands["made"]):
            rows = found[(found["variant"] == variant) & (found["measure"] == "made")]
            assert (rows["value"] == 0).all()


@pytest.mark.parametrize("name", WITH)
def test_the_report_says_what_its_data_say(name, tmp_path):
    path = write_report(tmp_path / "out", game=name, hands=300, seed=1, n_jobs=1, progress=False)
    page = path.read_text(encoding="utf-8")
    title = tl.GAMES[name].title
    assert f"<title>{title}: report on contracts</title>" in page
    data = pd.read_csv(path.parent / "data" / "contracts.csv")
    assert set(data["policy"]) == {"simple", "careful"}
    assert set(data["players"]) == set(contracts.sizes(tl.GAMES[name]))
    for players in set(data["players"]):
        rows = data[
            (data["players"] == players)
            & (data["policy"] == "careful")
            & (data["measure"] == "share")
        ]
        often = rows[rows["contract"] != "none"].sort_values("value").iloc[-1]
        assert re.search(rf"declared most often is {often['contract']}: [\d.]+% \([\d.]+ to", page)
    stated = json.loads((path.parent / "provenance.json").read_text())
    assert (stated["game"], stated["hands_per_cell"], stated["seed"]) == (name, 300, 1)
    # Every number of a table stands with its interval, or a dash in its place.
    cells = re.findall(r"<td>(.*?)</td>", page)
    values = [cell for cell in cells if re.match(r"[−+]?\d", cell) and "player" not in cell]
    assert len(values) > 20
    assert all(re.search(r"\(.+ to .+\)", cell) for cell in values)


def test_a_game_that_does_not_exist_has_no_report(tmp_path):
    with pytest.raises(tl.UserError, match="did you mean 'kaji'"):
        write_report(tmp_path / "out", game="kajj")
    assert not (tmp_path / "out").exists()
