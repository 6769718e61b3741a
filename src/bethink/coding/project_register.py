"""The register of projects, kept as documents beside their memories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from bethink.coding import projects
from bethink.coding.projects import AGENT, OWN, PATH, Decision, Project
from bethink.coding.repository import Repository, first_commit
from bethink.errors import ConflictError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.sync import Memory, Scope

_TRIES: Final = 8
_SIGNS: Final = re.compile(r"[^a-z0-9]+")


class FolderProject(NamedTuple):
    """A folder, and the project that it belongs to."""

    repository: Repository
    decision: Decision

    @property
    def project(self) -> Project | None:
        """The project whose memory is used; None while it asks, is left out, or is none."""
        found = self.decision.project
        return found if found is not None and self.decision.how != "asks" and not found.excluded else None


class Register:
    """The projects of one user of a memory."""

    def __init__(self, memory: Memory, user: str | None) -> None:
        self._memory = memory
        self._user = user
        self.scope = memory.scope(agent=AGENT, user=user)

    @property
    def own(self) -> Scope:
        """The memory of the user, beside those of projects."""
        return self._memory.scope(agent=OWN, user=self._user)

    def memory_of(self, project: Project) -> Scope:
        """Return the memory of a project."""
        return self._memory.scope(agent=project.agent, user=self._user)

    def all(self) -> list[Project]:
        """Return every project, by its id."""
        found = self.scope.documents.find(PATH, limit=1_000).entries
        return sorted(projects.read(each.key, each.value) for each in found)

    def get(self, named: str) -> Project:
        """Return a project by its id, or by a name that only one has.

        Raises:
            NotFoundError: there is none, or there are several.
        """
        known = self.all()
        found = [each for each in known if named == each.id] or [each for each in known if named == each.name]
        if len(found) != 1:
            several = ", ".join(each.id for each in found)
            problem = (
                f"several projects are named {named!r}: {several}" if found else f"no such project: {named!r}"
            )
            raise NotFoundError(f"{problem}; `bethink project list` lists them", kind="project", id=named)
        return found[0]

    def resolve(self, repository: Repository, *, begin: bool = True) -> FolderProject:
        """Find the project of a folder; a folder that no project knows begins one, unless that is not wanted."""
        for _ in range(_TRIES):
            known = self.all()
            decision = projects.decide_by_folder(repository, known)
            root = ""
            if decision is None:
                root = first_commit(repository)
                decision = projects.decide_with_first_commit(repository, root, known)
            try:
                if decision.how == "new" and begin:
                    return FolderProject(repository, Decision("new", self._begin(repository, root, known)))
                if decision.how == "follows" and decision.project is not None and begin:
                    root = root or first_commit(repository)
                    project = self.change(
                        decision.project.id,
                        lambda found, root=root: projects.with_folder(found, repository, root),
                    )
                    return FolderProject(repository, Decision("follows", project))
            except ConflictError:
                continue  # another hook wrote it: look again
            return FolderProject(repository, decision)
        return FolderProject(repository, Decision("none"))

    def join(self, repository: Repository, project: Project) -> Project:
        """Let a folder be of a project from now on, and of no other one."""
        for other in self.all():
            if other.id != project.id and repository.path in other.paths:
                folders = tuple(each for each in other.folders if each[0] != repository.path)
                self.change(other.id, lambda found, folders=folders: found._replace(folders=folders))
        root = first_commit(repository)
        return self.change(project.id, lambda found: projects.with_folder(found, repository, root))

    def part(self, repository: Repository) -> Project:
        """Let a folder be a project of its own, though others share its remote or its first commit."""
        root = first_commit(repository)
        for other in self.all():
            folders = tuple(each for each in other.folders if each[0] != repository.path)
            apart = (*other.apart, repository.path)
            self.change(
                other.id,
                lambda found, folders=folders, apart=apart: found._replace(folders=folders, apart=apart),
            )
        return self._begin(repository, root, self.all())

    def change(self, id_: str, changed: Callable[[Project], Project]) -> Project:
        """Change what is known of a project; where somebody else does so too, both changes hold."""
        for _ in range(_TRIES):
            found = self.scope.documents.get(PATH, id_)
            if found is None:
                raise NotFoundError(f"no such project: {id_!r}", kind="project", id=id_)
            project = changed(projects.read(id_, found.value))
            try:
                self.scope.documents.put(PATH, id_, projects.project_json(project), expected=found.revision)
            except ConflictError:
                continue
            return project
        raise ConflictError(f"the project {id_!r} is being changed by other processes; try again", id=id_)

    def _begin(self, repository: Repository, root: str, known: list[Project]) -> Project:
        taken = {each.id for each in known}
        plain = _SIGNS.sub("-", projects.name_of(repository).lower()).strip("-")[:32] or "project"
        mark = f"{crc32(repository.path.encode('utf-8', 'surrogatepass')):08x}"
        for number in range(1, 1_000):
            id_ = f"{plain}-{mark}" + (f"-{number}" if number > 1 else "")
            project = projects.new_project(id_, repository, root)
            if id_ in taken or self._has_memory(project):
                continue
            self.scope.documents.put(PATH, id_, projects.project_json(project), expected=0)
            return project
        raise ConflictError("too many projects have this name; choose another", name=plain)

    def _has_memory(self, project: Project) -> bool:
        """Tell whether something is there that no project is known of: it is nobody's, and nobody gets it unasked."""
        scope = self.memory_of(project)
        return scope.notes(limit=1, status=None).total > 0 or scope.sessions(limit=1).total > 0
