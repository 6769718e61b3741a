"""SQL dialects: what differs between SQLite and PostgreSQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")


@dataclass(frozen=True)
class Dialect:
    """How one store spells what the statements leave open."""

    name: str
    lock: str  #: what `{lock}` at the end of a select becomes: keep the rows until the end of the transaction
    parameter: str  #: how a named parameter is written, with `{}` for its name
    catalogue: str  #: a statement that lists every column: its table, its name, whether it holds text
    shape: (
        str  #: a statement that lists every column: its table, its name, its type, its place in the key or 0
    )
    position: str  #: the function that says where in a text another one stands
    definitions: str = (
        ""  #: a statement that lists the texts of the schema, where they stand in the file of the store
    )
    _prepared: dict[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)

    def prepare(self, sql: str) -> str:
        """Return a statement as this store reads it."""
        known = self._prepared.get(sql)
        if known is None:
            text = sql.replace("{lock}", self.lock)
            if self.parameter != ":{}":
                text = _PARAMETER.sub(lambda found: self.parameter.format(found[1]), text.replace("%", "%%"))
            known = self._prepared[sql] = text
        return known


SQLITE = Dialect(
    name="sqlite",
    lock="",
    parameter=":{}",
    catalogue="""select t.name, c.name, lower(c.type) = 'text' from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid""",
    shape="""select t.name, c.name, lower(c.type), c.pk from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid""",
    position="instr",
    definitions="select sql from sqlite_master where sql is not null",
)
POSTGRESQL = Dialect(
    name="postgresql",
    lock="for update",
    parameter="%({})s",
    catalogue="""select table_name, column_name, data_type = 'text' from information_schema.columns
      where table_schema = current_schema() order by table_name, ordinal_position""",
    shape="""select t.relname, a.attname, format_type(a.atttypid, null), coalesce(k.place, 0)
      from pg_class as t join pg_attribute as a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index as i on i.indrelid = t.oid and i.indisprimary
      left join lateral unnest(i.indkey) with ordinality as k(number, place) on k.number = a.attnum
      where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace
      order by t.relname collate "C", a.attnum""",
    position="strpos",
)
POSTGRESQL_READING = replace(POSTGRESQL, lock="", _prepared={})
"""For transactions that only read: they see one moment, and may lock nothing."""
