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
