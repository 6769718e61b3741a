-- name: rollouts_of -> RolloutRow
-- Read the conversations of every workspace of a scope, with what was made of them.
select workspace, rollout, segments, extracted, tries, updated_at, terminal_state, origin, slug, summary, raw, engine,
  archived
from workspace_rollouts where tenant_id = :tenant and scope_id = :scope order by workspace, rollout;

-- name: segments_of -> SegmentRow
-- Read the segments of every workspace of a scope.
select workspace, rollout, seq, line, digest, at from workspace_segments
where tenant_id = :tenant and scope_id = :scope order by workspace, rollout, seq;

-- name: files_of -> FileRow
-- Read what was written into the files of every workspace of a scope.
select workspace, path, content, at from workspace_files
where tenant_id = :tenant and scope_id = :scope order by workspace, path;

-- name: bring_rollout
-- Keep a conversation as another store has it.
insert into workspace_rollouts (tenant_id, scope_id, workspace, rollout, segments, extracted, tries, updated_at,
  terminal_state, origin, slug, summary, raw, engine, archived, revision)
values (:tenant, :scope, :workspace, :rollout, :segments, :extracted, :tries, :updated_at, :terminal_state, :origin,
  :slug, :summary, :raw, :engine, :archived, :revision);

-- name: bring_segment (many)
-- Keep a segment as another store has it.
insert into workspace_segments (tenant_id, scope_id, workspace, rollout, seq, run, line, digest, at, revision)
values (:tenant, :scope, :workspace, :rollout, :seq, '', :line, :digest, :at, :revision);

-- name: bring_file (many)
-- Keep what another store has of a file.
insert into workspace_files (tenant_id, scope_id, workspace, path, content, at, revision)
values (:tenant, :scope, :workspace, :path, :content, :at, :revision);

-- name: join_file
-- Keep a list of a workspace with what another store's list has beside.
update workspace_files set content = :content, revision = :revision
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and path = :path;

-- name: extend_rollout
-- Let a conversation go on as another store has it; what was made of it stays until it is read again.
update workspace_rollouts
set segments = :segments, updated_at = :updated_at, terminal_state = :terminal_state, tries = 0, archived = 0,
  revision = :revision
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;
