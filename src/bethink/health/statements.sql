-- name: count_log -> LogCountRow
-- Count the sessions of a scope, with the entries that they say they have.
select count(*) as sessions, coalesce(sum(count), 0) as items from sessions where tenant_id = :tenant and scope_id = :scope;

-- name: list_logs -> LogRow
-- List the sessions of a scope with the number of entries that each says it has.
select session_id, name, count from sessions where tenant_id = :tenant and scope_id = :scope order by session_id;

-- name: bodies_after -> BodyRow
-- Read the JSON of the entries of a session after a place, oldest first.
select seq, body from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq > :after
order by seq limit :limit;

-- name: count_notes -> NoteCountRow
-- Count the notes of a scope by status and category.
select status, category, count(*) as notes from notes
where tenant_id = :tenant and scope_id = :scope
group by status, category
order by status, category;

-- name: newest_profile
-- Find the version of a scope's profile.
select coalesce(max(version), 0) from profiles where tenant_id = :tenant and scope_id = :scope;

-- name: count_passages
-- Count the packed passages of a scope.
select coalesce(sum(passages), 0) from passage_blocks where tenant_id = :tenant and scope_id = :scope;

-- name: list_notes -> NoteJsonRow
-- Read the parts of a scope's notes that are kept as JSON.
select note_id, keywords, sources, metadata from notes
where tenant_id = :tenant and scope_id = :scope
order by note_id;

-- name: tenant_items
-- Count the entries of all sessions of a tenant.
select coalesce(sum(count), 0) from sessions where tenant_id = :tenant;

-- name: tenant_notes -> StatusCountRow
-- Count the notes of a tenant by status.
select status, count(*) as notes from notes where tenant_id = :tenant group by status order by status;

-- name: tenant_counts -> CounterRow
-- Add up what the lifecycle counted in all scopes of a tenant.
select name, sum(value) as total from counters where tenant_id = :tenant group by name order by name;

-- name: tenant_spend -> SpendRow
-- Add up what models took for all scopes of a tenant.
select operation, sum(tokens_in + tokens_out) as tokens from spend
where tenant_id = :tenant
group by operation
order by operation;

-- name: list_counts -> CountRow
-- List the counts of a scope.
select name, value from counters where tenant_id = :tenant and scope_id = :scope order by day, name;

-- name: list_versions -> VersionRow
-- Read the ended versions of the notes of a scope.
select note_id, revision, note from note_history
where tenant_id = :tenant and scope_id = :scope order by note_id, revision;

-- name: list_profiles -> ProfileRow
-- Read every version of the profile of a scope.
select version, fields, provenance from profiles where tenant_id = :tenant and scope_id = :scope order by version;

-- name: list_blocks -> BlockRow
-- Read the packed passages of a scope, in the order in which they were made.
select block_id, embedder, payload from passage_blocks
where tenant_id = :tenant and scope_id = :scope order by revision, block_id;
