"""Hand histories: one JSON object a hand, one line each (format ``tricklab-hand/1``).

Writing is here; reading and checking, which replay what is read, are in :mod:`tricklab.replay`.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tricklab.bidding import NO_SEAT
from tricklab.errors import UserError
from tricklab.games.base import Score
from tricklab.table import Table

FORMAT = "tricklab-hand/1"


def history_lines(table: Table, notes: Sequence[dict[str, Any]]) -> list[str]:
    """Histories of a finished table, a line of JSON a hand.

    Parameters
    ----------
    table : Table
        Finished hands.
    notes : sequence of dict
        Further keys of each hand's history, such as its number.
    """
    game, deck = table.game, table.game.deck
    scored = game.score(table)
    head = {"format": FORMAT, "game": game.name, "switches": game.switches}
    out = []
    for row in range(table.hands):
        history = {
            **head,
            "dealer": int(table.dealer[row]),
            "deal": [deck.cards_in(masks) for masks in table.dealt[row]],
            "stock": [deck.cards[card] for card in table.stock[row]],
            "actions": actions(table, row),
            "result": result(table, scored, row),
            **notes[row],
        }
        out.append(json.dumps(history, ensure_ascii=False, separators=(", ", ": ")))
    return out


def actions(table: Table, row: int) -> list[dict[str, Any]]:
    """Everything that was done in one finished hand, in order."""
    out: list[dict[str, Any]] = []
    for phase in table.game.phases[: table.phases[row]]:
        out += phase.actions(table, row)
    return out


def result(table: Table, scored: Score, row: int) -> dict[str, Any]:
    """What came of one finished hand."""
    made = int(scored.made[row])
    declarer, partner = (int(seats[row]) for seats in (table.declarer, table.partner))
    win = [float(share) for share in scored.win[row]]
    return {
        "tricks": [int(n) for n in table.state.tricks[row]],
        "score": [int(n) for n in scored.score[row]],
        # A share is 1/k: written as exactly as JSON can.
        "win": [1 / round(1 / share) if share else 0 for share in win],
        "declarer": None if declarer == NO_SEAT else declarer,
        "partner": None if partner == NO_SEAT else partner,
        "made": None if made < 0 else bool(made),
    }


class Writer:
    """Context that writes histories to a file which appears only when all went well.

    Parameters
    ----------
    path : str or Path
        The file; it must not exist as a folder, and is replaced if it exists.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise UserError(f"cannot write histories to {path}: it is a folder")
        if not self.path.absolute().parent.is_dir():
            raise UserError(f"cannot write histories to {path}: there is no folder for it")

    def __enter__(self) -> Writer:
        try:
            handle, self._work = tempfile.mkstemp(
                prefix=".tricklab-", dir=self.path.absolute().parent
            )
        except OSError as error:
            raise self._failed(error) from None
        self._file: IO[str] = os.fdopen(handle, "w", encoding="utf-8")
        return self

    def write(self, texts: Iterable[str]) -> None:
        """Append lines."""
        try:
            for text in texts:
                self._file.write(text + "\n")
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> UserError:
        return UserError(f"cannot write histories to {self.path}: {error.strerror}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType
    ) -> None:
        failure: OSError | None = None
        try:
            self._file.close()
            if error is None:
                Path(self._work).chmod(0o644)
                Path(self._work).replace(self.path)
        except OSError as reason:
            failure = reason
        if error is not None or failure is not None:
            with suppress(OSError):
                Path(self._work).unlink()
        if failure is not None and error is None:
            raise self._failed(failure) from None
