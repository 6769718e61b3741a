"""Generate the typed queries of each room, `queries.py`, from its `statements.sql` and the migrations, and list those.

    python tools/make_queries.py           # write them
    python tools/make_queries.py --check   # fail if one is not up to date

A statement begins with `-- name: find_note -> NoteRow`: its name, and the class of its rows where it answers any (left
out, it is made of the name). `(many)` behind it asks for a function that takes many parameter sets, `name_many`, in the
place of the usual one; `(one, many)` for both. What cannot be derived from the columns is said:
`-- param: since int | None`, `-- column: total int`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import sqlglot
from sqlglot import exp

from bethink.storage.migrations import CHECKSUMS, checksum_of
from bethink.storage.statements import parse

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src/bethink"
MIGRATIONS = PACKAGE / "storage/migrations"

NAME = re.compile(r"^-- name: *([a-z_]+)(?: *-> *(\w+))?(?: *\(((?:one, )?many)\))? *$", re.MULTILINE)
TOLD = re.compile(r"^-- (param|column): *(\w+) +(.+?) *$", re.MULTILINE)
COUNTED = "1"  #: `select 1` and `returning 1` answer how many rows there were
COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
PYTHON = {"text": "str", "bigint": "int", "integer": "int", "int": "int", "blob": "bytes", "bytea": "bytes"}
PYTHON |= {"double precision": "float", "double": "float", "real": "float", "boolean": "bool"}


class UnclearError(Exception):
    """A type cannot be derived: say it beside the statement."""


@dataclass(frozen=True)
class Kind:
    """The type of a column or of a parameter."""

    name: str
    nullable: bool = False

    def __str__(self) -> str:
        return f"{self.name} | None" if self.nullable else self.name


@dataclass
class Query:
    """One statement with the types of its parameters and of its columns."""

    name: str
    purpose: str
    sql: str
    params: dict[str, Kind | str] = field(default_factory=dict)
    columns: dict[str, Kind | str] = field(default_factory=dict)
    row: str = ""
    many: str = ""  #: `many`, or `one, many`, where it takes many parameter sets


Schema = dict[str, dict[str, Kind]]


def schema() -> Schema:
    """Return the columns of every table, from a migrated database."""
    connection = apsw.Connection(":memory:")
    for path in sorted((MIGRATIONS / "sqlite").glob("*.sql")):
        connection.execute(path.read_text())
    found: Schema = {}
    for table, column, kind, notnull, key in connection.execute(
        'select t.name, c.name, lower(c.type), c."notnull", c.pk from sqlite_master as t, pragma_table_info(t.name) as c '
        "where t.type = 'table' and t.name not like 'sqlite_%'"
    ):
        found.setdefault(table, {})[column] = Kind(PYTHON[kind], nullable=not notnull and not key)
    return found


class Typed:
    """The types of one statement."""

    def __init__(self, tree: exp.Expression, known: Schema) -> None:
        self.tree = tree
        self.known = known
        self.tables: dict[str, str] = {}
        self.optional: set[str] = set()
        self.derived: dict[str, dict[str, Kind]] = {}
        for cte in tree.find_all(exp.CTE):
            self._derive(cte.alias, cte.this, [column.name for column in cte.args["alias"].columns])
        for sub in tree.find_all(exp.Subquery):
            if sub.alias:
                self._derive(sub.alias, sub.this, [])
        for table in tree.find_all(exp.Table):
            self.tables[table.alias_or_name] = table.name
            join = table.parent
            if isinstance(join, exp.Join) and join.side == "LEFT":
                self.optional.add(table.alias_or_name)

    def _derive(self, alias: str, query: exp.Expression, names: list[str]) -> None:
        inner = Typed(query, {**self.known, **self.derived})
        found = inner.columns({})
        self.derived[alias] = dict(zip(names, found.values(), strict=True)) if names else found  # type: ignore[assignment]

    def column(self, node: exp.Column) -> Kind:
        """Return the type of a column."""
        if node.table == "excluded":
            assert isinstance(self.tree, exp.Insert)
            return self.known[self.target()][node.name]
        places = {**self.derived, **self.known}
        names = [node.table] if node.table else list(self.tables)
        found = [
            Kind(places[self.tables[name]][node.name].name, nullable=True)
            if name in self.optional
            else places[self.tables[name]][node.name]
            for name in names
            if node.name in places.get(self.tables.get(name, name), {})
        ]
        if not found or len({kind.name for kind in found}) > 1:
            raise UnclearError(f"column {node.sql()}")
        return found[0]

    def target(self) -> str:
        """Return the table that a statement writes."""
        found = self.tree.this.find(exp.Table)
        assert found is not None
        return found.name

    def of(self, node: exp.Expression) -> Kind:  # noqa: C901, PLR0911 - one line a construct of SQL
        """Return the type of an expression."""
        match node:
            case exp.Alias() | exp.Paren() | exp.Distinct():
                return self.of(node.this if not isinstance(node, exp.Distinct) else node.expressions[0])
            case exp.Column():
                return self.column(node)
            case exp.Count() | exp.Length() | exp.StrPosition() | exp.Sign():
                return Kind("int")
            case exp.Max() | exp.Min() | exp.Sum():
                return Kind(self.of(node.this).name, nullable=True)
            case exp.Coalesce():
                parts = [
                    self.of(part)
                    for part in (node.this, *node.expressions)
                    if not isinstance(part, exp.Placeholder)
                ]
                return Kind(parts[0].name, nullable=all(part.nullable for part in parts))
            case exp.Literal():
                return Kind("str" if node.is_string else "int")
            case exp.Neg() | exp.Add() | exp.Sub() | exp.Mul():
                return self.of(node.this)
            case exp.Cast():
                return Kind(PYTHON[node.to.sql(dialect="sqlite").lower()], nullable=True)
            case exp.Case():
                parts = [self.of(part.args["true"]) for part in node.args["ifs"]]
                default = node.args.get("default")
                parts += [self.of(default)] if default is not None else []
                return Kind(parts[0].name, nullable=default is None or any(part.nullable for part in parts))
            case exp.Subquery():
                (kind,) = Typed(node.this, {**self.known, **self.derived}).columns({}, named=False).values()
                return Kind(
                    str(kind).split(" ")[0],
                    nullable=not isinstance(node.this.expressions[0].unalias(), exp.Count),
                )
            case _:
                raise UnclearError(f"expression {node.sql()}")

    def columns(self, told: dict[str, str], *, named: bool = True) -> dict[str, Kind | str]:
        """Return the columns that a statement answers."""
        tree = self.tree
        while isinstance(tree, (exp.Union, exp.Subquery)):
            tree = tree.this
        returning = tree.args.get("returning")
        expressions = (
            returning.expressions if returning else tree.expressions if isinstance(tree, exp.Select) else []
        )
        found: dict[str, Kind | str] = {}
        for place, node in enumerate(expressions):
            counted = isinstance(node, exp.Literal) and len(expressions) == 1
            name = (
                COUNTED
                if counted and named
                else node.alias
                or (
                    node.name
                    if isinstance(node, exp.Column)
                    else ""
                    if named and len(expressions) > 1
                    else str(place)
                )
            )
            if not name:
                raise UnclearError(f"give it a name, {node.sql()}")
            found[name] = told.get(name) or self.of(node)
        return found

    def params(self, told: dict[str, str]) -> dict[str, Kind | str]:
        """Return the parameters of a statement, in the order in which it names them."""
        found: dict[str, list[Kind]] = {}
        for node in self.tree.find_all(exp.Placeholder, bfs=False):
            name = node.name
            kinds = found.setdefault(name, [])
            if name not in told:
                kind = self.param(node)
                if kind is not None:
                    kinds.append(kind)
        return {name: told.get(name) or self._joined(name, kinds) for name, kinds in found.items()}

    @staticmethod
    def _joined(name: str, kinds: list[Kind]) -> Kind:
        if not kinds or len({kind.name for kind in kinds}) > 1:
            raise UnclearError(f"parameter {name}: {[str(kind) for kind in kinds]}")
        return Kind(kinds[0].name, nullable=any(kind.nullable for kind in kinds))

    def param(self, node: exp.Expression) -> Kind | None:  # noqa: C901, PLR0911, PLR0912 - one line a construct of SQL
        """Return the type that the place of a parameter asks for, or None if it leaves it open."""
        parent = node.parent
        match parent:
            case exp.Cast():
                return Kind(
                    PYTHON[parent.to.sql(dialect="sqlite").lower()],
                    nullable=isinstance(parent.parent, exp.Is),
                )
            case exp.Paren():
                return self.param(parent)
            case exp.Alias() | exp.Select():
                return self._selected(node if isinstance(parent, exp.Select) else parent)
            case exp.Limit() | exp.Offset():
                return Kind("int")
            case exp.Tuple():
                return self._in_tuple(parent, parent.expressions.index(node))
            case exp.In():
                return self._certain(parent.this)
            case exp.Coalesce():
                kind = self._certain(
                    next(part for part in (parent.this, *parent.expressions) if part is not node)
                )
                return Kind(kind.name, nullable=True)
            case exp.Case() | exp.If():
                return self._in_case(parent)
            case exp.Add() | exp.Sub() | exp.Mul():
                other = parent.right if node is parent.left else parent.left
                return self._certain(other) if not other.find(exp.Placeholder) else self.param(parent)
            case exp.Max() | exp.Min() | exp.Greatest() | exp.Least():
                other = next(part for part in (parent.this, *parent.expressions) if part is not node)
                return self._certain(other)
            case exp.Is():
                return None
            case _ if isinstance(parent, COMPARED):
                other = parent.right if node is parent.left else parent.left
                if isinstance(other, exp.Placeholder) or other.find(exp.Placeholder):
                    return None
                kind = self.of(other)
                written = isinstance(parent, exp.EQ) and isinstance(
                    parent.parent, (exp.Update, exp.OnConflict)
                )
                return kind if written and isinstance(other, exp.Column) else Kind(kind.name)
            case _:
                raise UnclearError(f"parameter {node.sql()} in {parent.sql() if parent else ''}")

    def _certain(self, node: exp.Expression) -> Kind:
        return Kind(self.of(node).name)

    def _in_case(self, node: exp.Expression) -> Kind | None:
        while isinstance(node, (exp.Case, exp.If)):
            assert node.parent is not None
            child, node = node, node.parent
        if isinstance(node, exp.Select):
            return self._selected(child)
        other = node.right if child is node.left else node.left
        return self.of(other)

    def _selected(self, node: exp.Expression) -> Kind:
        if isinstance(self.tree, exp.Insert) and isinstance(self.tree.expression, exp.Select):
            names = [column.name for column in self.tree.this.expressions]
            place = self.tree.expression.expressions.index(node)
            return self.known[self.target()][names[place]]
        raise UnclearError(f"parameter in {node.sql()}")

    def _in_tuple(self, parent: exp.Tuple, place: int) -> Kind:
        above = parent.parent
        if isinstance(above, exp.Values) and isinstance(self.tree, exp.Insert):
            names = [column.name for column in self.tree.this.expressions]
            return self.known[self.target()][names[place]]
        compared = parent.find_ancestor(exp.In, *COMPARED)
        if compared is None:
            raise UnclearError(f"parameter in {parent.sql()}")
        other = (
            compared.this if isinstance(compared.this, exp.Tuple) and compared.this is not parent else None
        )
        other = other or next(each for each in compared.find_all(exp.Tuple) if not each.find(exp.Placeholder))
        return self._certain(other.expressions[place])


def queries(text: str, known: Schema) -> list[Query]:
    """Return the queries of a statements file."""
    parts = NAME.split(text)
    found: list[Query] = []
    texts = {each.name: each.sql for each in parse(text)}
    unclear: list[str] = []
    for name, row, many, body in zip(parts[1::4], parts[2::4], parts[3::4], parts[4::4], strict=True):
        told = {
            kind: {what: type_ for each, what, type_ in TOLD.findall(body) if each == kind}
            for kind in ("param", "column")
        }
        prose = TOLD.sub("", body)
        purpose = " ".join(line[3:].strip() for line in prose.splitlines() if line.startswith("-- "))
        sql = "\n".join(line for line in body.splitlines() if not line.startswith("--")).replace("{lock}", "")
        tree = sqlglot.parse_one(sql, dialect="sqlite")
        typed = Typed(tree, known)
        try:
            columns, params = typed.columns(told["column"]), typed.params(told["param"])
        except UnclearError as error:
            unclear.append(f"{name}: {error}")
            continue
        found.append(Query(name, purpose, texts[name], params, columns, row or "", many or ""))
    if unclear:
        raise UnclearError("; ".join(unclear))
    return found


def module(room: str, found: list[Query]) -> str:
    """Return the source of a room's queries."""
    rows: dict[str, dict[str, str]] = {}
    for query in found:
        if len(query.columns) > 1:
            fields = {name: str(kind) for name, kind in query.columns.items()}
            if not query.row:
                query.row = next(
                    (name for name, known in rows.items() if known == fields), _title(query.name) + "Row"
                )
            if rows.setdefault(query.row, fields) != fields:
                raise SystemExit(f"{room}.{query.name}: its columns are not those of {query.row}")
    many = any(query.many for query in found)
    typed = [*(["NamedTuple"] if rows else []), *(["TypedDict"] if many else [])]
    lines = [
        f'"""The typed queries of `{room}`. Generated by `tools/make_queries.py` from `statements.sql`: change that."""',
        "# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false",
        "",
        "from __future__ import annotations",
        "",
        *(["from collections import namedtuple"] if rows else []),
        "from typing import TYPE_CHECKING",
        "",
        "from bethink.storage.work import Statement" + (", named_rows" if rows else ""),
        "",
        "if TYPE_CHECKING:",
        *(["    from collections.abc import Sequence"] if many else []),
        *([f"    from typing import {', '.join(typed)}"] if typed else []),
        "",
        "    from bethink.storage.work import Work",
        "",
        *(line for name, fields in rows.items() for line in _row(found, name, fields)),
        *(line for query in found if query.many for line in _parameters(query)),
        # what checkers read has types; what runs needs none, and is made in a third of the time
        *(["else:"] if rows else []),
        *(f"    {name} = namedtuple({name!r}, {list(fields)!r})" for name, fields in rows.items()),
        "",
    ]
    for query in found:
        lines += ["", *_function(query)]
    return "\n".join(lines) + "\n"


def _title(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


def _users(found: list[Query], row: str) -> str:
    return ", ".join(f"`{query.name}`" for query in found if query.row == row)


def _row(found: list[Query], name: str, fields: dict[str, str]) -> list[str]:
    return [
        f"    class {name}(NamedTuple):",
        f'        """A row of {_users(found, name)}."""',
        "",
        *(f"        {column}: {kind}" for column, kind in fields.items()),
        "",
    ]


def _parameters(query: Query) -> list[str]:
    """Return the type of the parameters of a statement that takes many sets of them: nothing needs it to run."""
    return [
        f"    class {_title(query.name)}(TypedDict):",
        f'        """The parameters of one of many `{query.name}`."""',
        "",
        *(f"        {param}: {kind}" for param, kind in query.params.items()),
        "",
    ]


def _function(query: Query) -> list[str]:
    signature = ", ".join(f"{name}: {kind}" for name, kind in query.params.items())
    values = ", ".join(f'"{name}": {name}' for name in query.params)
    column = next(iter(query.columns.values()), None)
    alone = "int" if COUNTED in query.columns else f"list[{column}]" if column is not None else "None"
    answer = f"list[{query.row}]" if len(query.columns) > 1 else alone
    lines = [
        f"def {query.name}({'*, ' if signature else ''}{signature}) -> Work[{answer}]:",
        f'    """{query.purpose}"""',
    ]
    sql = f'"""{query.sql}"""'
    statement = f"Statement({sql}, {{{values}}})"
    if len(query.columns) > 1:
        lines += [f"    return named_rows({query.row}, (yield {statement}))"]
    elif COUNTED in query.columns:
        lines += [f"    return len((yield {statement}))"]
    elif query.columns:
        lines += [f"    return [value for (value,) in (yield {statement})]"]
    else:
        lines += [f"    yield {statement}"]
    lines += [""]
    if query.many:
        name = _title(query.name)
        lines = [
            *([*lines, ""] if query.many != "many" else []),
            f"def {query.name}_many(each: Sequence[{name}]) -> Work[None]:",
            f'    """{query.purpose} For each of several parameter sets, in one statement."""',
            f"    yield Statement({sql}, {{}}, each)",
            "",
        ]
    return lines


def formatted(source: str) -> str:
    """Return the source as the project's formatter leaves it."""
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(  # noqa: PLW1510 - what it says is passed on
        [str(ruff), "format", "--stdin-filename", "queries.py", "-"],
        input=source,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{done.stderr}\n{source}")
    return done.stdout


def main() -> int:
    known = schema()
    stale: list[Path] = []
    unclear = False
    for path in sorted(PACKAGE.rglob("statements.sql")):
        room = "bethink." + ".".join(path.parent.relative_to(PACKAGE).parts)
        target = path.with_name("queries.py")
        try:
            source = formatted(module(room, queries(path.read_text(), known)))
        except UnclearError as error:
            print(f"{path.relative_to(ROOT)}: say it with `-- param:` or `-- column:`: {error}")
            unclear = True
            continue
        if not target.exists() or target.read_text() != source:
            stale.append(target)
            if "--check" not in sys.argv:
                target.write_text(source)
    for folder in sorted(path for path in MIGRATIONS.iterdir() if path.is_dir()):
        listed = "".join(
            f"{path.stem} {checksum_of(path.read_text('utf-8'))}\n" for path in sorted(folder.glob("*.sql"))
        )
        target = folder / CHECKSUMS
        if not target.exists() or target.read_text() != listed:
            stale.append(target)
            if "--check" not in sys.argv:
                target.write_text(listed)
    for target in stale:
        print(
            f"{target.relative_to(ROOT)}: {'is not what its statements say: run make queries' if '--check' in sys.argv else 'written'}"
        )
    return 1 if unclear or (stale and "--check" in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
