-- name: advance_scope
-- Take several revisions of a scope at once; the row is locked by the write under way.
update scopes set revision = revision + :by where tenant_id = :tenant and scope_id = :scope returning revision;

-- name: bring_session
-- Keep a session as another store has it.
insert into sessions (tenant_id, scope_id, session_id, name, title, head, count, revision, distilled, metadata,
                      created_at, updated_at)
values (:tenant, :scope, :session, :name, :title, :head, :count, :revision, :distilled, :metadata, :created_at,
        :updated_at);

-- name: extend_session
-- Let a session go on as another store has it.
update sessions set head = :head, count = count + :added, revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: operations_of -> OperationRow
-- Read the ids by which repeated appends to a session are recognised.
select operation, digest, head, count from operations
where tenant_id = :tenant and scope_id = :scope and session_id = :session order by operation;

-- name: bring_operation (many)
-- Recognise an append that another store took.
insert into operations (tenant_id, scope_id, session_id, operation, digest, revision, head, count)
values (:tenant, :scope, :session, :operation, :digest, :revision, :head, :count)
on conflict (tenant_id, scope_id, session_id, operation) do nothing;

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

-- name: extend_rollout
-- Let a conversation go on as another store has it; what was made of it stays until it is read again.
update workspace_rollouts
set segments = :segments, updated_at = :updated_at, terminal_state = :terminal_state, tries = 0, archived = 0,
  revision = :revision
where tenant_id = :tenant and scope_id = :scope and workspace = :workspace and rollout = :rollout;
