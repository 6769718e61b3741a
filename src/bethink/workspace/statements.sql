-- name: count_segments
-- Find how many segments a conversation has.
select coalesce(max(seq), 0) from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: find_run
-- Find the segment of a run that is under way.
select seq from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout and run = :run;

-- name: find_digests
-- Find which segments of a conversation are there.
select digest from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: put_segment
-- Keep a segment, in the place of what was kept of the same run while it was under way.
insert into workspace_segments (tenant_id, scope_id, workspace, rollout, seq, run, line, digest, at, revision)
values (:tenant, :scope, :workspace, :rollout, :seq, :run, :line, :digest, :now, :revision)
on conflict (tenant_id, scope_id, workspace, rollout, seq) do update
set run = excluded.run, line = excluded.line, digest = excluded.digest, at = excluded.at,
  revision = excluded.revision;

-- name: list_segments
-- Read the segments of a conversation, oldest first.
select line from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout order by seq;

-- name: list_running -> RunningRow
-- Find the runs that are under way, or were cut off.
select rollout, run, seq, line, at from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and run <> '' order by rollout, seq;

-- name: drop_segments
-- Forget the segments of a conversation.
delete from workspace_segments
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: note_rollout
-- Note that a conversation went on.
insert into workspace_rollouts (tenant_id, scope_id, workspace, rollout, segments, extracted, tries, updated_at,
  terminal_state, origin, engine, archived, revision)
values (:tenant, :scope, :workspace, :rollout, :segments, 0, 0, :updated_at, :terminal_state, :origin, '', 0,
  :revision)
on conflict (tenant_id, scope_id, workspace, rollout) do update
set segments = excluded.segments, tries = 0, updated_at = excluded.updated_at,
  terminal_state = excluded.terminal_state, archived = 0, revision = excluded.revision,
  origin = case when excluded.origin = '' then workspace_rollouts.origin else excluded.origin end;

-- name: put_extract
-- Keep what phase one made of a conversation.
update workspace_rollouts set extracted = :extracted, tries = :tries, origin = :origin, slug = :slug, summary = :summary, raw = :raw,
  engine = :engine, archived = :archived, revision = :revision
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: list_rollouts -> RolloutRow
-- Read every conversation of a workspace with what was made of it.
select rollout, segments, extracted, tries, updated_at, terminal_state, origin, slug, summary, raw, engine, archived
from workspace_rollouts
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace order by rollout;

-- name: drop_rollout
-- Forget a conversation.
delete from workspace_rollouts
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;

-- name: list_files -> FileRow
-- Read what was written into the files of a workspace last.
select path, content from workspace_files
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace order by path;

-- name: put_file
-- Keep what was written into a file.
insert into workspace_files (tenant_id, scope_id, workspace, path, content, at, revision)
values (:tenant, :scope, :workspace, :path, :content, :now, :revision)
on conflict (tenant_id, scope_id, workspace, path) do update
set content = excluded.content, at = excluded.at, revision = excluded.revision;

-- name: drop_file
-- Forget a file.
delete from workspace_files
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and path = :path;

-- name: put_place
-- Note where the files of a workspace lie.
insert into workspace_places (tenant_id, scope_id, workspace, directory, at)
values (:tenant, :scope, :workspace, :directory, :now)
on conflict (tenant_id, scope_id, workspace, directory) do update set at = excluded.at;

-- name: list_workspaces -> PlaceRow
-- Find the workspaces of a scope.
select workspace, directory from workspace_places
where tenant_id = :tenant and scope_id = :scope order by workspace, directory;
