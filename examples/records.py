"""Confirm before deleting: a real table, and a person who has to agree before rows are gone.

Run it:  askfirst call examples/records.py delete_stale_records table=events older_than_days=365
"""

import os
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Cancelled, Declined, askable, form

mcp = MCPServer("records-admin")

TABLES = {"events": 4_000, "sessions": 250}
DATABASE = Path(os.environ.get("RECORDS_DB") or Path(tempfile.mkdtemp(prefix="records-")) / "records.db")


def connect() -> sqlite3.Connection:
    """The database, filled on first use: half of each table's rows are two years old."""
    database = sqlite3.connect(DATABASE)
    for table, rows in TABLES.items():
        database.execute(f"CREATE TABLE IF NOT EXISTS {table} (id INTEGER PRIMARY KEY, age_days INTEGER)")
        if database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,):
            ages = [(730 if row % 2 else 10,) for row in range(rows)]
            database.executemany(f"INSERT INTO {table} (age_days) VALUES (?)", ages)
    database.commit()
    return database


def count_matching(table: str, older_than_days: int) -> int:
    """How many rows are older than that."""
    with connect() as database:
        query = f"SELECT count(*) FROM {table} WHERE age_days > ?"
        (count,) = database.execute(query, (older_than_days,)).fetchone()
        return int(count)


def run_delete(table: str, older_than_days: int) -> int:
    """Delete them; gives how many are gone."""
    with connect() as database:
        return database.execute(f"DELETE FROM {table} WHERE age_days > ?", (older_than_days,)).rowcount


@form  # not flat, not primitive, or asks for a secret: fails here, at import
@dataclass
class DeleteConfirmation:
    confirm: bool
    reason: str


@mcp.tool()
@askable
async def delete_stale_records(table: str, older_than_days: int, ask: Ask) -> str:
    """Delete rows older than a cutoff, after the user agrees."""
    if table not in TABLES:
        return f"There is no table {table!r}; there are {', '.join(TABLES)}."
    candidates = count_matching(table, older_than_days)
    if not candidates:
        return f"Nothing in {table} is older than {older_than_days} days."
    answer = await ask(f"Permanently delete {candidates} rows from {table}?", DeleteConfirmation)
    match answer:
        case Accepted(data) if data.confirm:
            return f"Deleted {run_delete(table, older_than_days)} rows. Reason: {data.reason!r}"
        case Accepted():
            return "Box not ticked. No rows deleted."
        case Declined():
            return "User declined. No rows deleted."
        case Cancelled():
            return "Question dismissed. No rows deleted."


@mcp.tool()
async def count_records(table: str) -> str:
    """Count a table's rows."""
    return (
        f"{count_matching(table, -1)} rows in {table}" if table in TABLES else f"There is no table {table!r}."
    )


if __name__ == "__main__":
    mcp.run()
