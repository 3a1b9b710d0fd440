"""Files and folders that appear only when they are whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tricklab.errors import UserError


def check_target(target: Path, what: str) -> None:
    """Raise :class:`UserError` if something other than an empty folder is there already."""
    if target.is_file():
        raise UserError(f"cannot write the {what} to {target}: it is a file")
    if target.is_dir() and any(target.iterdir()):
        raise UserError(f"cannot write the {what} to {target}: the folder is not empty")
    parent = next(folder for folder in target.absolute().parents if folder.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise UserError(f"cannot write the {what} to {target}: {parent} is no folder to write in")


class new_folder:
    """Context that fills a folder beside its place and moves it there when all went well."""

    def __init__(self, target: Path, what: str) -> None:
        check_target(target, what)
        self.target, self.what = target, what

    def __enter__(self) -> Path:
        self.made = [folder for folder in self.target.absolute().parents if not folder.exists()]
        try:
            self.target.parent.mkdir(parents=True, exist_ok=True)
            self.work = Path(tempfile.mkdtemp(prefix=".tricklab-", dir=self.target.parent))
        except OSError as error:
            raise self._failed(error) from None
        return self.work

    def _failed(self, error: OSError) -> UserError:
        return UserError(f"cannot write the {self.what} to {self.target}: {error.strerror}")

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        try:
            if error is None:
                if self.target.is_dir():
                    self.target.rmdir()
                self.work.chmod(0o755)
                self.work.rename(self.target)
        except OSError as failure:
            error = failure
        shutil.rmtree(self.work, ignore_errors=True)
        if error is not None:
            with suppress(OSError):  # Somebody may have put something in since.
                for folder in self.made:
                    folder.rmdir()
        if isinstance(error, OSError):
            raise self._failed(error) from None


class new_file:
    """Context that writes a file which appears only when all went well.

    Parameters
    ----------
    path : str or Path
        The file; it is replaced if it exists, and must not be a folder or a device.
    what : str
        What is written, for messages.
    """

    def __init__(self, path: str | Path, what: str) -> None:
        self.path, self.what = Path(path), what
        if self.path.is_dir():
            raise UserError(f"cannot write the {self.what} to {path}: it is a folder")
        if self.path.exists() and not self.path.is_file():
            # A device would be replaced by the finished file.
            raise UserError(f"cannot write the {self.what} to {path}: it is no ordinary file")
        if not self.path.absolute().parent.is_dir():
            raise UserError(f"cannot write the {self.what} to {path}: there is no folder for it")

    def __enter__(self) -> new_file:
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
        return UserError(f"cannot write the {self.what} to {self.path}: {error.strerror}")

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
