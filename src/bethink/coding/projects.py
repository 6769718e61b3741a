"""Decide which project a directory belongs to: pure rules over the registered projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bethink.coding.repository import Repository

AGENT: Final = "coding"  #: whose scope holds what is known of projects
PATH: Final = "projects"  #: under which it lies there
OWN: Final = "default"  #: the agent whose memory is the user's own, beside those of projects
MAX_KNOWN: Final = 64  #: remotes, first commits and folders that are kept of one project

How: TypeAlias = Literal["known", "follows", "asks", "new", "none"]


class Project(NamedTuple):
    """One memory for one repository."""

    id: str
    name: str
    remotes: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()  #: first commits
    folders: tuple[tuple[str, str], ...] = ()  #: paths with the marks of what lay there
    apart: tuple[str, ...] = ()  #: folders that were said to be another project
    excluded: bool = False  #: nothing is stored or injected for this project

    @property
    def agent(self) -> str:
        """Return the agent whose scope holds its memory."""
        return f"project-{self.id}"

    @property
    def paths(self) -> tuple[str, ...]:
        """Return where it lies on this machine, as far as that is known."""
        return tuple(path for path, _ in self.folders)


class Decision(NamedTuple):
    """Which project a folder belongs to."""

    how: How
    project: Project | None = None  #: for `asks` the one that it may join


def decide_by_folder(repository: Repository, projects: Iterable[Project]) -> Decision | None:
    """Decide by what is known of the folder itself; None where its first commit has to be looked at.

    A folder that is known stays what it is as long as its history is the same, or is pushed to the same place. What
    was moved or renamed, and a worktree, have the history that is known.
    """
    known = tuple(projects)
    for project in known:
        if repository.path not in project.paths:
            continue
        same = bool(repository.history) and (repository.path, repository.mark) in project.folders
        if same or (repository.remote and repository.remote in project.remotes):
            same_remote = not repository.remote or repository.remote in project.remotes
            known_folder = (repository.path, repository.mark) in project.folders
            return Decision("known" if same_remote and known_folder else "follows", project)
        if not repository.store and not project.remotes and not project.roots:
            return Decision("known", project)
    for project in known:
        if repository.history and repository.mark in {mark for _, mark in project.folders}:
            return Decision("follows", project)
    return None


def decide_with_first_commit(repository: Repository, root: str, projects: Iterable[Project]) -> Decision:
    """Decide with the first commit at hand.

    Remotes and first commits can be copied by anybody: a folder that shares them with a project asks before it joins.
    """
    known = tuple(projects)
    found = decide_by_folder(repository, known)
    if found is not None:
        return found
    here = [project for project in known if repository.path in project.paths]
    for project in here:
        if (root and root in project.roots) or not (project.remotes or project.roots):
            return Decision("follows", project)
    others = [project for project in known if repository.path not in project.apart]
    for project in others:
        if repository.remote and repository.remote in project.remotes:
            return Decision("asks", project)
    for project in others:
        if root and root in project.roots:
            return Decision("asks", project)
    if here and not repository.store:
        return Decision("asks", here[0])
    return Decision("new")


def with_folder(project: Project, repository: Repository, root: str = "") -> Project:
    """Return a project that knows a folder, where it lies now."""
    others = tuple((path, mark) for path, mark in project.folders if path != repository.path)
    return project._replace(
        remotes=_with(project.remotes, repository.remote),
        roots=_with(project.roots, root),
        folders=(*others, (repository.path, repository.mark))[-MAX_KNOWN:],
        apart=tuple(each for each in project.apart if each != repository.path),
    )


def new_project(id_: str, repository: Repository, root: str) -> Project:
    """Return a new project for a folder."""
    return with_folder(Project(id_, name_of(repository)), repository, root)


def name_of(repository: Repository) -> str:
    """Return what people call a repository: the last word of its remote, else of its path."""
    path = repository.remote or repository.path.replace("\\", "/").rstrip("/")
    return path.rpartition("/")[2] or "project"


def project_json(project: Project) -> dict[str, Any]:
    """Return a project as JSON."""
    return {
        "name": project.name,
        "remotes": list(project.remotes),
        "roots": list(project.roots),
        "folders": [list(each) for each in project.folders],
        "apart": list(project.apart),
        "excluded": project.excluded,
    }


def read(id_: str, value: Mapping[str, Any]) -> Project:
    """Return the project that JSON tells of."""
    return Project(
        id_,
        str(value.get("name") or id_),
        tuple(value.get("remotes") or ()),
        tuple(value.get("roots") or ()),
        tuple((path, mark) for path, mark in value.get("folders") or ()),
        tuple(value.get("apart") or ()),
        value.get("excluded") is True,
    )


def _with(known: tuple[str, ...], more: str) -> tuple[str, ...]:
    return known if not more or more in known else (*known, more)[-MAX_KNOWN:]
