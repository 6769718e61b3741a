"""How PostgreSQL spells the statements, and its driver their parameters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from bethink.storage.dialect import Dialect

_PARAMETER: Final = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")
_LOCK: Final = "/* for update */"


@dataclass(frozen=True)
class PostgresqlDialect(Dialect):
    """How PostgreSQL spells them, and its driver the parameters."""

    lock: str = "for update"
    _prepared: dict[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)

    def prepare(self, sql: str) -> str:
        """Return a statement as this store reads it."""
        known = self._prepared.get(sql)
        if known is None:
            text = sql.replace(_LOCK, self.lock).replace("%", "%%")
            known = self._prepared[sql] = _PARAMETER.sub(r"%(\1)s", text)
        return known


POSTGRESQL = PostgresqlDialect(
    name="postgresql",
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
