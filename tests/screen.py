"""What a terminal shows: as much of its control language as a form needs to be read from a test."""

import re
from collections.abc import Callable

__all__ = ["Screen"]

_PIECE = re.compile(r"\x1b\[([0-9;?]*)[ -/]*([@-~])|\x1b\][^\x07]*\x07|\x1b.|([\s\S])")


class Screen:
    """Rows of characters and a cursor. Colours, modes and everything unknown change nothing."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns
        self._cells: dict[tuple[int, int], str] = {}
        self._row = self._column = 0

    @property
    def text(self) -> str:
        """What stands there, line by line, without the blanks at their ends."""
        lines = (
            "".join(self._cells.get((row, column), " ") for column in range(self.columns)).rstrip()
            for row in range(self.rows)
        )
        return "\n".join(lines)

    def feed(self, data: str) -> None:
        for piece in _PIECE.finditer(data):
            numbers, command, character = piece.groups()
            if command is not None:
                self._obey(command, [int(one) if one.isdigit() else 0 for one in numbers.split(";")])
            elif character is not None:
                self._put(character)

    def _put(self, character: str) -> None:
        match character:
            case "\n":
                self._row += 1
            case "\r":
                self._column = 0
            case "\b":
                self._column = max(self._column - 1, 0)
            case _ if character.isprintable():
                self._cells[self._row, self._column] = character
                self._column += 1

    def _obey(self, command: str, numbers: list[int]) -> None:
        by = max(numbers[0], 1)
        match command:
            case "A":
                self._row = max(self._row - by, 0)
            case "B":
                self._row += by
            case "C":
                self._column += by
            case "D":
                self._column = max(self._column - by, 0)
            case "H":
                self._row, self._column = by - 1, max(numbers[1], 1) - 1 if len(numbers) > 1 else 0
            case "J":
                self._keep(lambda at: numbers[0] != 2 and at < (self._row, self._column))
            case "K":
                self._keep(lambda at: at[0] != self._row or at[1] < self._column)

    def _keep(self, kept: Callable[[tuple[int, int]], bool]) -> None:
        self._cells = {at: character for at, character in self._cells.items() if kept(at)}
