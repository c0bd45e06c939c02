"""Keeps responses on disk by their ETag."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kept:
    """A response as the service sent it."""

    tag: str
    notices: Sequence[str]
    body: bytes


class Cache:
    """A folder of responses, each in a file of its own. Without a folder nothing is kept."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._folder = None if folder is None else Path(folder).expanduser()

    def read(self, request: str) -> Kept | None:
        """Returns the last response to a request; None if there is none, or its file is damaged."""
        if self._folder is None:
            return None
        try:
            head, _, body = self._file(self._folder, request).read_bytes().partition(b"\n")
            entry = json.loads(head)
            if entry["digest"] != _digest(body):
                return None
            return Kept(entry["etag"], entry["notices"], body)
        except (OSError, ValueError, KeyError, TypeError):  # none, or one of another version
            return None

    def write(self, request: str, response: Kept) -> None:
        """Keeps a response. A folder that cannot be written, or is full, keeps none."""
        if self._folder is None or not response.tag:
            return
        head = json.dumps({"etag": response.tag, "notices": response.notices, "digest": _digest(response.body)})
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Other processes see the old file or the new one.
            new = tempfile.NamedTemporaryFile(dir=self._folder, delete=False)
            try:
                with new:
                    new.write(head.encode("ascii") + b"\n" + response.body)
                os.replace(new.name, self._file(self._folder, request))
            except BaseException:
                os.unlink(new.name)
                raise

    @staticmethod
    def _file(folder: Path, request: str) -> Path:
        return folder / hashlib.sha256(request.encode()).hexdigest()


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
