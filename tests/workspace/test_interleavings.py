"""Editors, agents and syncs in any order: what people wrote stays, what they removed goes, and all is in step after."""

import re
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bethink import Memory

TOPICS = st.sampled_from(["packages", "tests", "deploy", "Tests"])
LEADS = st.sampled_from(["- ", "* ", "1. ", "2) ", "", "  - "])
ENDS = st.sampled_from(["\n", "\r\n"])
FURNITURE = [
    "<!-- mine {} -->",
    "| a{} | b |",
    "[ref{}]: http://example.com",
    "## Mine {}",
    "<div>{}</div>",
    "***",
]


class Interleavings(RuleBasedStateMachine):
    """One folder of ours, with the pages that people put into it."""

    @initialize()
    def begin(self):
        self.root = Path(tempfile.mkdtemp()) / "notes"
        self.memory = Memory(":memory:", embedder=None)
        self.scope = self.memory.scope(user="a")
        self.count = 0
        self.theirs = {}  # files of people, as they left them
        self.furniture = {}  # rows that say nothing, by the page they were put into
        self.scope.remember("Fact number zero.", keywords=["packages"])
        self.sync()

    def teardown(self):
        if hasattr(self, "root"):
            self.memory.close()
            shutil.rmtree(self.root.parent)

    def fresh(self):
        self.count += 1
        return f"Fact {self.count} is {'abcdefghijklmnop'[self.count % 16] * 9}{self.count}."

    def pages(self):
        return sorted(path for path in self.root.rglob("*.md"))

    def ours(self):
        return [path for path in self.pages() if path.name not in self.theirs]

    def page(self, pick):
        pages = self.pages()
        return pages[pick % len(pages)]

    def sync(self, **options):
        report = self.scope.notebook(self.root).sync(source="user", **options)
        self.settled = not report.waiting
        return report

    # ---- what agents do -----------------------------------------------------------------------------------------

    @rule(topic=TOPICS)
    def remember(self, topic):
        self.scope.remember(self.fresh(), keywords=[topic])
        self.settled = False

    @rule(pick=st.integers(0, 99))
    def forget(self, pick):
        notes = list(self.scope.notes())
        if notes:
            self.scope.forget(notes[pick % len(notes)].id)
            self.settled = False

    @rule(pick=st.integers(0, 99))
    def revise(self, pick):
        notes = list(self.scope.notes())
        if notes:
            self.scope.revise(notes[pick % len(notes)].id, self.fresh())
            self.settled = False

    # ---- what people do -----------------------------------------------------------------------------------------

    @precondition(lambda self: self.pages())
    @rule(pick=st.integers(0, 99), lead=LEADS, end=ENDS)
    def write_a_line(self, pick, lead, end):
        path = self.page(pick)
        data = path.read_bytes()
        joint = b"" if data.endswith(b"\n") else b"\n"
        path.write_bytes(data + joint + b"\n" + f"{lead}{self.fresh()}{end}".encode())
        self.edited(path)

    @precondition(lambda self: self.ours())
    @rule(pick=st.integers(0, 99), what=st.sampled_from(FURNITURE))
    def write_what_says_nothing(self, pick, what):
        pages = self.ours()
        path = pages[pick % len(pages)]
        self.count += 1
        row = what.format(self.count)
        path.write_bytes(path.read_bytes() + f"\n{row}\n".encode())
        if row.startswith(("<!--", "## ")):
            self.furniture.setdefault(path.name, []).append(row)
        self.settled = False

    @precondition(lambda self: self.pages())
    @rule(pick=st.integers(0, 99), row=st.integers(0, 99))
    def take_a_line_out(self, pick, row):
        path = self.page(pick)
        rows = path.read_bytes().split(b"\n")
        facts = [at for at, each in enumerate(rows) if b"Fact" in each]
        if facts:
            del rows[facts[row % len(facts)]]
            path.write_bytes(b"\n".join(rows))
            self.edited(path)

    @precondition(lambda self: len(self.pages()) > 1)
    @rule(pick=st.integers(0, 99), to=st.integers(0, 99))
    def move_a_line(self, pick, to):
        path, other = self.page(pick), self.page(to)
        rows = path.read_bytes().split(b"\n")
        facts = [at for at, each in enumerate(rows) if b"Fact" in each]
        if facts and path != other:
            taken = rows.pop(facts[0])
            path.write_bytes(b"\n".join(rows))
            other.write_bytes(other.read_bytes() + b"\n" + taken + b"\n")
            self.edited(path)
            self.edited(other)

    @rule(
        data=st.sampled_from(
            ["# Mine\n\n1. {}\n1. {}\n", "{}\r\n\r\n```\r\n{}\r\n```\r\n", "\ufeff* {}\n\n\n| {} |\n"]
        )
    )
    def write_a_page(self, data):
        path = self.root / f"mine{self.count}.md"
        self.root.mkdir(exist_ok=True)
        path.write_bytes(data.format(self.fresh(), self.fresh()).encode())
        self.edited(path, theirs=True)

    @precondition(lambda self: self.theirs)
    @rule(pick=st.integers(0, 99))
    def remove_a_page(self, pick):
        name = sorted(self.theirs)[pick % len(self.theirs)]
        del self.theirs[name]
        (self.root / name).unlink()
        self.settled = False

    def edited(self, path, theirs=False):
        if theirs or path.name in self.theirs:
            self.theirs[path.name] = path.read_bytes()
        self.settled = False

    # ---- and then -----------------------------------------------------------------------------------------------

    @rule(confirm=st.booleans())
    def settle(self, confirm):
        report = self.sync(confirm=confirm)
        assert not report.remarks or all("still contains the text of" in remark for remark in report.remarks)

    @rule()
    def look(self):
        before = {path: path.read_bytes() for path in self.pages()}
        self.scope.notebook(self.root).sync(dry_run=True)
        assert {path: path.read_bytes() for path in self.pages()} == before

    @invariant()
    def nobodys_file_was_written(self):
        if hasattr(self, "theirs"):
            for name, data in self.theirs.items():
                assert (self.root / name).read_bytes() == data

    @invariant()
    def what_says_nothing_stays_where_it_was_put(self):
        if hasattr(self, "furniture"):
            for name, rows in self.furniture.items():
                text = (self.root / name).read_text()
                assert [row for row in text.splitlines() if row in rows] == rows

    @invariant()
    def what_is_in_step_says_each_note_and_changes_no_more(self):
        if not getattr(self, "settled", False):
            return
        before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in self.pages()}
        said = " ".join(data.decode() for data, _ in before.values())
        notes = [note.text for note in self.scope.notes(limit=1000)]
        assert [
            text
            for text in notes
            if not set(re.findall(r"[a-p]{9}\d+", text)) <= set(re.findall(r"[a-p]{9}\d+", said))
        ] == []
        report = self.scope.notebook(self.root).sync()
        assert (report.notes, report.dropped, report.written, report.removed, report.moved) == (
            (),
            (),
            (),
            (),
            (),
        )
        assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in self.pages()} == before


TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
