"""The balance report: one HTML file with its figures inside, and its data beside it."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from tricklab.errors import UserError
from tricklab.files import check_target, new_folder
from tricklab.games import Game, game_class
from tricklab.games import game as make_game
from tricklab.report import contracts
from tricklab.results import command, versions
from tricklab.rng import check_seed
from tricklab.simulation import BLOCK
from tricklab.studies import contracts as contract_study

FORMAT = "tricklab-report/1"
"""Marks a folder as a report of ours, which a new report may replace."""

HANDS = 40_000
"""Deals a cell in a full report: shares of wins to about half a percentage point."""

QUICK_HANDS = 4_000
POLICIES = ("simple", "careful")


def write_report(
    folder: str | Path,
    game: str = "junni",
    hands: int | None = None,
    quick: bool = False,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Path:
    """Play a game's study and write the report.

    Parameters
    ----------
    folder : str or Path
        Where to write; a report that is there already is replaced, anything else is refused.
    game : str
        The game to report on.
    hands : int, optional
        Deals a cell; default 40,000, or 4,000 if ``quick``.
    quick : bool
        Whether a rough report will do.
    seed, n_jobs, progress
        As for :func:`tricklab.simulate`.

    Returns
    -------
    Path
        The HTML file.
    """
    cls = game_class(game)
    seed = check_seed(seed)
    target = Path(folder)
    old = _replaceable(target)
    place = target.resolve() if old else target  # "." has no name to put a new folder beside
    fresh = place.with_name(place.name + ".new") if old else place
    check_target(fresh, "report")  # before playing, not after
    deals = hands if hands is not None else (QUICK_HANDS if quick else HANDS)
    stated = {
        "format": FORMAT,
        "command": command(),
        "game": game,
        "game_version": cls.version,
        "hands_per_cell": deals,
        "seed": seed,
        "block_size": BLOCK,
        "policies": list(POLICIES),
        "versions": versions(),
    }
    html, data = _on_contracts(cls, deals, stated, n_jobs, progress)
    with new_folder(fresh, "report") as at:
        (at / "report.html").write_text(html, encoding="utf-8")
        (at / "provenance.json").write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")
        _write_data(at / "data", data)
    if old:
        _swap(fresh, place)
    return target / "report.html"


def _on_contracts(
    cls: type[Game], deals: int, stated: dict[str, Any], n_jobs: int | None, progress: bool | None
) -> tuple[str, dict[str, pd.DataFrame]]:
    """The report on a game of declarers and contracts, for every number of players."""
    games = [make_game(cls.name, players=n) for n in contract_study.sizes(cls)]
    if not contract_study.has_contracts(games[0]):
        raise UserError(f"there is no report on {cls.name}: its hands have no declarer")
    cells = [
        cell
        for played in games
        for cell in contract_study.play(
            played, POLICIES, deals, stated["seed"], n_jobs=n_jobs, progress=progress
        )
    ]
    return contracts.build(cells, stated, n_jobs)


def _replaceable(target: Path) -> bool:
    """Whether an earlier report is there; :class:`UserError` if something else is."""
    if target.is_file():
        raise UserError(f"cannot write the report to {target}: it is a file")
    if not target.is_dir() or not any(target.iterdir()):
        return False
    try:
        stated = json.loads((target / "provenance.json").read_text(encoding="utf-8"))
        ours = stated.get("format") == FORMAT
    except (OSError, ValueError, AttributeError):
        ours = False
    if not ours:
        raise UserError(
            f"cannot write the report to {target}: there is something else in that folder"
        )
    return True


def _swap(fresh: Path, old: Path) -> None:
    """Put a finished report in an old one's place; on failure the old one stays."""
    aside = Path(tempfile.mkdtemp(prefix=".tricklab-", dir=old.parent))
    try:
        old.rename(aside / "report")
        fresh.rename(old)
    except BaseException:
        if not old.exists() and (aside / "report").exists():
            (aside / "report").rename(old)
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _write_data(folder: Path, data: dict[str, pd.DataFrame]) -> None:
    folder.mkdir()
    for name, frame in data.items():
        frame.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
        frame.to_parquet(folder / f"{name}.parquet", index=False)
