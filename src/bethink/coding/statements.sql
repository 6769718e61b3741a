-- name: newest_note
-- Tell when a note of a scope was written or changed last.
select max(revision) from notes
where tenant_id = :tenant and scope_id = :scope;

-- name: live_note
-- Read the text of a note, as long as it stands.
select text from notes
where tenant_id = :tenant and scope_id = :scope and note_id = :note
  and status = 'active' and session is null and (expires_at is null or expires_at > :now);

-- name: find_value
-- Read the value of a document.
select value from documents
where tenant_id = :tenant and scope_id = :scope and path = :path and key = :key;

-- name: list_values
-- Read the values of the documents at one path.
select key, value from documents
where tenant_id = :tenant and scope_id = :scope and path = :path order by key;

-- name: find_scope
-- Find the number of a scope by its columns.
select scope_id from scopes
where tenant_id = :tenant and kind = :kind and owner = :owner and name = :name
  and user_id = :user and session = :session;
