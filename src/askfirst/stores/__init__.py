"""Where the desk keeps its rows: one driver a file, all of one contract."""
