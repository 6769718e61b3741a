-- name: count_log
-- Count the sessions of a scope, with the entries that they say they have.
select count(*), coalesce(sum(count), 0) from sessions where tenant_id = :tenant and scope_id = :scope;

-- name: list_logs
-- List the sessions of a scope with the number of entries that each says it has.
select session_id, name, count from sessions where tenant_id = :tenant and scope_id = :scope order by session_id;

-- name: bodies_after
-- Read the JSON of the entries of a session after a place, oldest first.
select seq, body from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq > :after
order by seq limit :limit;

-- name: count_notes
-- Count the notes of a scope by status and category.
select status, category, count(*) from notes
where tenant_id = :tenant and scope_id = :scope
group by status, category
order by status, category;

-- name: newest_profile
-- Find the version of a scope's profile.
select coalesce(max(version), 0) from profiles where tenant_id = :tenant and scope_id = :scope;

-- name: count_passages
-- Count the packed passages of a scope.
select coalesce(sum(passages), 0) from passage_blocks where tenant_id = :tenant and scope_id = :scope;

-- name: list_notes
-- Read the parts of a scope's notes that are kept as JSON.
select note_id, keywords, sources, metadata from notes
where tenant_id = :tenant and scope_id = :scope
order by note_id;
