"""Estimates: values, intervals, coverage and how they print."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats as sps

from tricklab.errors import UserError
from tricklab.stats import (
    Estimate,
    RatioSums,
    bonferroni_level,
    bootstrap,
    clustered_ratio,
    holm,
    independent_difference,
    mean,
    mean_by_deal,
    p_value,
    paired_difference,
    proportion,
)


# ------------------------------------------------------------------------------------- proportion
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (1, 1), (3, 17), (1234, 10_000)])
def test_proportion_is_the_wilson_interval(hits: int, n: int, level: float) -> None:
    ours = proportion(hits, n, level)
    theirs = sps.binomtest(hits, n).proportion_ci(level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours.value == hits / n
    assert ours.n == n
    assert ours.method == "Wilson"


@pytest.mark.parametrize(("hits", "n"), [(5, 4), (0, 0), (-1, 4), (1, -4), (1.5, 4)])
def test_proportion_rejects_impossible_counts(hits: int, n: int) -> None:
    with pytest.raises(UserError):
        proportion(hits, n)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan])
def test_level_must_lie_between_0_and_1(level: float) -> None:
    for make in (
        lambda: proportion(1, 2, level),
        lambda: mean([1, 2], level),
        lambda: mean_by_deal([1, 2], [0, 1], level),
        lambda: paired_difference([1, 2], [2, 1], level),
        lambda: clustered_ratio(RatioSums.of([1], [4]), level),
        lambda: bootstrap([1, 2], np.median, level=level),
        lambda: bonferroni_level(level, 2),
    ):
        with pytest.raises(UserError, match="level"):
            make()


# -------------------------------------------------------------------------------- clustered ratio
def test_one_row_a_deal_is_plain_wilson() -> None:
    hits = np.array([True, False, False, True, False])
    assert clustered_ratio(RatioSums.of(hits, np.ones(5, int))) == proportion(2, 5)


def test_deals_outside_the_condition_do_not_count() -> None:
    assert clustered_ratio(RatioSums.of([1, 0, 0, 0], [1, 0, 1, 0])) == proportion(1, 2)


def test_clustered_ratio_has_the_linearised_standard_error() -> None:
    rng = np.random.default_rng(3)
    b = rng.integers(0, 5, 400)
    a = rng.binomial(b, 0.3)
    used = b > 0
    p, m = a.sum() / b.sum(), used.sum()
    residual = (a - p * b)[used]
    se = math.sqrt(m / (m - 1) * (residual**2).sum()) / b.sum()
    est = clustered_ratio(RatioSums.of(a, b))
    assert est.se == pytest.approx(se, rel=1e-12)
    assert est.n == m
    assert "clustered" in est.method


def test_copies_of_one_row_are_worth_one_row() -> None:
    hits = np.array([1, 0, 0, 1, 0, 0, 1, 0, 0, 0] * 30)
    clustered = clustered_ratio(RatioSums.of(4 * hits, np.full(300, 4)))
    plain = proportion(90, 300)
    assert clustered.low == pytest.approx(plain.low, abs=1e-3)
    assert clustered.high == pytest.approx(plain.high, abs=1e-3)


@pytest.mark.parametrize("hits", [0, 4])
def test_none_or_all_hits_give_a_finite_cautious_interval(hits: int) -> None:
    est = clustered_ratio(RatioSums.of(np.full(50, hits), np.full(50, 4)))
    plain = proportion(50 * hits // 4, 50)  # as if the rows of a deal were copies
    assert est.high - est.low >= plain.high - plain.low
    assert 0 <= est.low < est.high <= 1


@pytest.mark.parametrize("hits", [0, 1, 2])
def test_a_single_deal_gives_a_wide_interval(hits: int) -> None:
    est = clustered_ratio(RatioSums.of([hits], [2]))
    assert est.high - est.low > 0.7


def test_the_same_share_in_every_deal_keeps_an_interval() -> None:
    est = clustered_ratio(RatioSums.of(np.ones(100, int), np.full(100, 4)))
    assert est.value == 0.25
    assert est.low < 0.25 < est.high


def test_no_deals_is_said_not_raised() -> None:
    est = clustered_ratio(RatioSums.of([0, 0], [0, 0]))
    assert math.isnan(est.value)
    assert "no such deals" in str(est)
    assert not est.excludes(0)


def test_ratio_sums_add_in_any_order() -> None:
    parts = [RatioSums.of([1, 2], [3, 4]), RatioSums.of([0], [5]), RatioSums.of([], [])]
    whole = RatioSums.of([1, 2, 0], [3, 4, 5])
    assert sum(parts) == sum(reversed(parts)) == whole
    assert whole == RatioSums(deals=3, a=3, b=12, aa=5, bb=50, ab=11)


@pytest.mark.parametrize(
    ("hits", "rows"), [([2], [1]), ([-1], [1]), ([1, 1], [1]), ([0.5], [1]), ([[1]], [[1]])]
)
def test_ratio_sums_reject_impossible_counts(hits: list[int], rows: list[int]) -> None:
    with pytest.raises(UserError):
        RatioSums.of(hits, rows)


# ------------------------------------------------------------------------------------------ means
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_mean_is_students_t(level: float) -> None:
    x = np.random.default_rng(1).normal(3, 2, 12)
    est = mean(x, level)
    low, high = sps.t.interval(level, 11, x.mean(), sps.sem(x))
    assert (est.value, est.low, est.high) == pytest.approx((x.mean(), low, high), rel=1e-12)


def test_one_deal_has_no_spread() -> None:
    est = mean([4.0])
    assert (est.value, est.low, est.high) == (4.0, -math.inf, math.inf)
    assert math.isnan(est.se)


@pytest.mark.parametrize("x", [[], [1, math.nan], [math.inf], [[1, 2]], ["a"]])
def test_mean_rejects_what_has_no_mean(x: list[float]) -> None:
    with pytest.raises(UserError):
        mean(x)


def test_mean_by_deal_averages_inside_each_deal_first() -> None:
    est = mean_by_deal([1, 10, 3, 20, 5], [7, 9, 7, 9, 7])
    expected = mean([3, 15])
    assert (est.value, est.low, est.high, est.n) == (
        expected.value,
        expected.low,
        expected.high,
        2,
    )
    with pytest.raises(UserError, match="one deal a row"):
        mean_by_deal([1, 2], [1])


def test_paired_difference_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(0, 10, 30)
    y = x + rng.normal(0.3, 1, 30)
    est = paired_difference(x, y)
    theirs = sps.ttest_rel(x, y).confidence_interval(0.95)
    assert (est.low, est.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)
    with pytest.raises(UserError, match="same deals"):
        paired_difference(x, y[1:])


# --------------------------------------------------------------------------------------- coverage
RUNS = 2000


def coverage(intervals: list[Estimate], truth: float) -> float:
    return float(np.mean([e.low <= truth <= e.high for e in intervals]))


def test_proportion_covers() -> None:
    hits = np.random.default_rng(11).binomial(300, 0.2, RUNS)
    assert 0.93 < coverage([proportion(int(h), 300) for h in hits], 0.2) < 0.97


def test_mean_covers() -> None:
    x = np.random.default_rng(12).normal(1, 3, (RUNS, 20))
    assert 0.93 < coverage([mean(row) for row in x], 1) < 0.97


def test_paired_difference_covers() -> None:
    rng = np.random.default_rng(13)
    deal = rng.normal(0, 5, (RUNS, 30))
    x, y = deal + rng.normal(0.5, 1, deal.shape), deal + rng.normal(0, 1, deal.shape)
    pairs = zip(x, y, strict=True)
    assert 0.93 < coverage([paired_difference(a, b) for a, b in pairs], 0.5) < 0.97


def correlated_rows(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Hits and rows of 200 deals a run; the rows of a deal share a chance, 0.3 on average."""
    chance = rng.beta(0.6, 1.4, (RUNS, 200))
    rows = rng.integers(1, 5, (RUNS, 200))
    return rng.binomial(rows, chance), rows


def test_clustered_ratio_covers_where_rows_are_alike() -> None:
    hits, rows = correlated_rows(np.random.default_rng(14))
    runs = zip(hits, rows, strict=True)
    assert 0.93 < coverage([clustered_ratio(RatioSums.of(a, b)) for a, b in runs], 0.3) < 0.97


def test_ignoring_the_deals_would_not_cover() -> None:
    hits, rows = correlated_rows(np.random.default_rng(14))
    naive = [
        proportion(int(a), int(b)) for a, b in zip(hits.sum(axis=1), rows.sum(axis=1), strict=True)
    ]
    assert coverage(naive, 0.3) < 0.92


# -------------------------------------------------------------------------------------- bootstrap
def test_bootstrap_of_a_mean_agrees_with_t() -> None:
    x = np.random.default_rng(2).normal(5, 2, 200)
    est, t = bootstrap(x, np.mean), mean(x)
    assert est.value == t.value
    assert (est.se, est.low, est.high) == pytest.approx((t.se, t.low, t.high), rel=0.08)


def test_bootstrap_draws_whole_deals() -> None:
    rng = np.random.default_rng(4)
    x = np.repeat(rng.normal(0, 1, 100), 4)
    deals = np.repeat(np.arange(100), 4)
    order = rng.permutation(400)  # the rows of a deal need not be neighbours
    by_deal = bootstrap(x[order], np.mean, deals[order], n_boot=600)
    assert by_deal.n == 100
    assert by_deal.se == pytest.approx(mean_by_deal(x, deals).se, rel=0.15)
    assert bootstrap(x, np.mean, n_boot=600).se < 0.7 * by_deal.se


def test_bootstrap_takes_frames_tuples_and_mappings_alike() -> None:
    rng = np.random.default_rng(6)
    data = {"hand": np.repeat(np.arange(30), 2), "a": rng.random(60), "b": 1 + rng.random(60)}
    frame = pd.DataFrame(data)
    one = bootstrap(frame, lambda f: f["a"].sum() / f["b"].sum(), "hand", n_boot=50, seed=1)
    two = bootstrap(
        (data["a"], data["b"]), lambda a, b: a.sum() / b.sum(), data["hand"], n_boot=50, seed=1
    )
    three = bootstrap(data, lambda d: d["a"].sum() / d["b"].sum(), "hand", n_boot=50, seed=1)
    assert one.low == pytest.approx(two.low, rel=1e-12)
    assert two == three


def test_bootstrap_has_its_own_random_stream() -> None:
    x = np.random.default_rng(8).random(50)
    before = np.random.get_state(legacy=False)  # noqa: NPY002
    assert bootstrap(x, np.median, seed=0) == bootstrap(x, np.median, seed=0)
    assert bootstrap(x, np.mean, seed=0) != bootstrap(x, np.mean, seed=1)
    assert str(np.random.get_state(legacy=False)) == str(before)  # noqa: NPY002


@pytest.mark.parametrize(
    "arguments",
    [
        {"data": []},
        {"data": [1.0], "n_boot": 1},
        {"data": [1.0], "seed": -1},
        {"data": [1.0], "deals": [1, 2]},
        {"data": ([1.0], [1.0, 2.0])},
        {"data": {"a": [1.0]}, "deals": "hand"},
        {"data": pd.DataFrame({"a": [1.0]}), "deals": "hand"},
    ],
)
def test_bootstrap_rejects_bad_input(arguments: dict[str, object]) -> None:
    with pytest.raises(UserError):
        bootstrap(statistic=np.mean, **arguments)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------- several comparisons
def test_holm_on_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1, 1])
    assert holm([]).size == 0
    with pytest.raises(UserError):
        holm([1.2])


def test_bonferroni_level() -> None:
    assert bonferroni_level(0.95, 5) == pytest.approx(0.99)
    with pytest.raises(UserError):
        bonferroni_level(0.95, 0)


def test_p_value_is_two_sided_normal() -> None:
    est = Estimate(-1.2, 0.5, -2.2, -0.2, 0.95, 100, "paired t")
    assert p_value(est) == pytest.approx(2 * sps.norm.sf(2.4))
    assert p_value(mean([2.0, 2.0])) == 0
    assert p_value(paired_difference([1, 2], [1, 2])) == 1
    assert math.isnan(p_value(mean([2.0])))


# --------------------------------------------------------------------------------------- printing
def estimate(value: float, se: float, low: float, high: float, n: int = 10_000) -> Estimate:
    return Estimate(value, se, low, high, 0.95, n, "Wilson")


@pytest.mark.parametrize(
    ("est", "text"),
    [
        (
            estimate(0.12341, 0.00123, 0.1211, 0.12582),
            "0.1234 ± 0.0012 (95% 0.1211 to 0.1258; 10,000 deals, Wilson)",
        ),
        (
            estimate(12345.6, 123.4, 12103.7, 12587.5, 1),
            "12,346 ± 123 (95% 12,104 to 12,588; 1 deal, Wilson)",
        ),
        (estimate(-0.0001, 0.5, -1, 1), "0.00 ± 0.50 (95% -1.00 to 1.00; 10,000 deals, Wilson)"),
        (proportion(0, 10_000), "0.00000 (95% 0.00000 to 0.00038; 10,000 deals, Wilson)"),
        (mean([4.0]), "4 (95% -inf to inf; 1 deal, t)"),
        (mean([2.0, 2.0], 0.99, "tricks"), "tricks: 2 (99% 2 to 2; 2 deals, t)"),
        (Estimate.of_fraction(Fraction(1, 288), "exact"), "0.00347222 (exact; 1/288)"),
        (Estimate.of_fraction(Fraction(10**9, 10**9 + 7), "exact"), "0.999999993 (exact)"),
        (Estimate.of_fraction(Fraction(0), "exact"), "0 (exact)"),
    ],
)
def test_an_estimate_prints_itself(est: Estimate, text: str) -> None:
    assert str(est) == text
    assert repr(est) == text


def test_notebook_form_escapes_the_name() -> None:
    markup = proportion(1, 4).named("trumps < 3 & more")._repr_html_()
    assert "trumps &lt; 3 &amp; more" in markup
    assert "<b>" in markup


def test_to_dict_is_json_without_nan_or_infinity() -> None:
    data = json.loads(json.dumps(mean([4.0]).to_dict(), allow_nan=False))
    assert data["value"] == 4.0
    assert data["se"] is data["low"] is data["high"] is None
    exact = Estimate.of_fraction(Fraction(1, 3), "exact", "x").to_dict()
    assert exact["fraction"] == "1/3"
    assert exact["exact"] is True


def test_excludes() -> None:
    assert estimate(2, 1, 0.5, 3.5).excludes(0)
    assert estimate(-2, 1, -3.5, -0.5).excludes()
    assert not estimate(1, 1, -1, 3).excludes(0)
    assert estimate(1, 1, -1, 3).excludes(4)


def test_the_unpaired_interval_is_welchs():
    rng = np.random.default_rng(3)
    x, y = rng.normal(1, 2, 50), rng.normal(0, 1, 80)
    found = independent_difference(x, y)
    expected = sps.ttest_ind(x, y, equal_var=False).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
