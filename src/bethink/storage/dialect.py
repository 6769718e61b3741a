"""What really differs between the SQL of two stores.

Statements are written as SQLite reads them: `:name` for a parameter, and `/* for update */` behind a select whose rows
are kept until the end of the transaction, which SQLite keeps anyway.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class Dialect:
    """How one store spells what the statements leave open."""

    name: str
    catalogue: str  #: a statement that lists every column: its table, its name, whether it holds text
    shape: (
        str  #: a statement that lists every column: its table, its name, its type, its place in the key or 0
    )
    position: str  #: the function that says where in a text another one stands
    definitions: str = (
        ""  #: a statement that lists the texts of the schema, where they stand in the file of the store
    )


SQLITE = Dialect(
    name="sqlite",
    catalogue="""select t.name, c.name, lower(c.type) = 'text' from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid""",
    shape="""select t.name, c.name, lower(c.type), c.pk from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid""",
    position="instr",
    definitions="select sql from sqlite_master where sql is not null",
)
